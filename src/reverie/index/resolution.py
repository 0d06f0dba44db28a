"""What an import statement loads, by the rules of Python's import system; public names of modules.

Public are the names in `__all__`, or else those that do not start with an underscore.
"""

import sys
from collections.abc import Iterable, Mapping

from reverie.index.naming import Named, by_location
from reverie.index.reading import FileFacts, RawImport
from reverie.model.repository.code import Import, ImportKind

_STANDARD = sys.stdlib_module_names


class Resolver:
    """Finds the repository's own modules. Knows paths and names, and nothing of their contents."""

    def __init__(self, named: Mapping[str, Named]) -> None:
        self._by_name = {each.name: each for each in named.values()}
        self._by_location = by_location(named)
        self._conftest_folders = {
            each.folder for path, each in named.items() if path.rpartition("/")[2] == "conftest.py"
        }
        self._found: dict[tuple[str, str], Named | None] = {}

    def resolve(self, raw: RawImport, importer: Named) -> Import:
        """The import with what Python would load; a submodule goes before an attribute."""
        if raw.name is not None and raw.name != "*":
            whole = self.find(_joined(raw.module, raw.name), raw.level, importer)
            if whole is not None:
                return Import(whole.name, None, raw.line, raw.kind, is_internal=True)
        module = self.find(raw.module, raw.level, importer)
        if module is not None:
            return Import(module.name, raw.name, raw.line, raw.kind, is_internal=True)
        parent = None if raw.level else self._nearest_parent(raw.module, importer)
        if parent is not None:
            return Import(parent.name, raw.name, raw.line, raw.kind, is_internal=True)
        return Import(_written(raw, importer), raw.name, raw.line, raw.kind, is_internal=False)

    def find(self, module: str, level: int, importer: Named) -> Named | None:
        """The module that a dotted name means in a file; None when it is not the repository's."""
        if level:
            return self._find_relative(module, level, importer)
        key = (importer.folder, module)
        if key not in self._found:
            self._found[key] = self._find_absolute(module, importer)
        return self._found[key]

    def named(self, name: str) -> Named | None:
        """The module of that very name."""
        return self._by_name.get(name)

    def submodule(self, package: Named, name: str) -> Named | None:
        """A module inside a package."""
        if not package.is_package:
            return None
        return self._by_location.get(_below(package.location, name))

    def _find_relative(self, module: str, level: int, importer: Named) -> Named | None:
        folder = importer.folder
        for _ in range(level - 1):
            if not folder:
                return None
            folder = folder.rpartition("/")[0]
        return self._by_location.get(_below(folder, module.replace(".", "/")))

    def _find_absolute(self, module: str, importer: Named) -> Named | None:
        if module == "__main__":
            return None  # whatever was started, and not a file of that name
        if module.partition(".")[0] in _STANDARD:
            return self._find_beside(module, importer)
        path = module.replace(".", "/")
        if importer.root != ".":
            own = self._by_location.get(_below(importer.root, path))
            if own is not None:
                return own
        # Last, what whoever starts Python in the repository's own folder can import.
        found = self._by_name.get(module) or self._find_beside(module, importer)
        return found or self._by_location.get(path)

    def _find_beside(self, module: str, importer: Named) -> Named | None:
        """What a script finds in its own folder, and a test in the folders pytest adds."""
        folder, rest = importer.folder, module.replace(".", "/")
        if _below(folder, "") in self._by_location:
            return None  # inside a package, a file's own folder is not on the path
        found = self._by_location.get(_below(folder, rest))
        while found is None and folder:
            folder = folder.rpartition("/")[0]
            if folder in self._conftest_folders:
                found = self._by_location.get(_below(folder, rest))
        return found

    def _nearest_parent(self, module: str, importer: Named) -> Named | None:
        """The nearest package above a name that is not there: Python loads it first."""
        name = module.rpartition(".")[0]
        while name:
            found = self.find(name, 0, importer)
            if found is not None:
                return found
            name = name.rpartition(".")[0]
        return None


def edges_of(
    imports: Iterable[tuple[str, Iterable[Import]]],
) -> tuple[frozenset[tuple[str, str]], frozenset[tuple[str, str]]]:
    """The edges of what runs, and those that only a type checker follows."""
    running: set[tuple[str, str]] = set()
    checking: set[tuple[str, str]] = set()
    for importer, found in imports:
        for each in found:
            if each.is_internal and each.module != importer:
                is_checking = each.kind == "type_checking"
                (checking if is_checking else running).add((importer, each.module))
    return frozenset(running), frozenset(checking - running)


def _written(raw: RawImport, importer: Named) -> str:
    """The name as it is written, made absolute where there is a package to start from."""
    if not raw.level:
        return raw.module
    package = importer.name if importer.is_package else importer.name.rpartition(".")[0]
    for _ in range(raw.level - 1):
        package = package.rpartition(".")[0]
    return _joined(package, raw.module)


def _joined(module: str, name: str) -> str:
    return f"{module}.{name}" if module else name


def _below(folder: str, rest: str) -> str:
    return f"{folder}/{rest}" if folder and rest else folder or rest


_DEEPEST = 8


class Exports:
    """Reads them across modules: stars and borrowed `__all__` are followed."""

    def __init__(
        self,
        facts: Mapping[str, tuple[Named, FileFacts]],
        imports: Mapping[str, tuple[Import, ...]],
        resolver: Resolver,
    ) -> None:
        self._facts = facts
        self._imports = imports
        self._resolver = resolver
        self._found: dict[str, frozenset[str]] = {}

    def of(self, name: str, depth: int = _DEEPEST) -> frozenset[str]:
        """The public names of a module."""
        if name in self._found:
            return self._found[name]
        if name not in self._facts or depth == 0:
            return frozenset()
        module, facts = self._facts[name]
        if facts.declared is not None:
            found = {*facts.declared, *self._borrowed(module, facts, depth)}
        else:
            found = {each for each in facts.names if not each.startswith("_")}
            found |= self._passed_on(module, facts, depth)
        names = frozenset(found)
        if depth == _DEEPEST:
            self._found[name] = names
        return names

    def _borrowed(self, module: Named, facts: FileFacts, depth: int) -> set[str]:
        """Names of other modules' `__all__` that are part of this one's."""
        bound_names = (raw.bound for raw in facts.imports)
        by_bound = dict(zip(bound_names, self._imports[module.name], strict=True))
        names: set[str] = set()
        for source in facts.declared_from:
            bound = by_bound.get(source)
            found = self._resolver.find(source, 0, module)
            if bound is not None and bound.is_internal and bound.name is None:
                names |= self.of(bound.module, depth - 1)
            elif found is not None:
                names |= self.of(found.name, depth - 1)
            else:
                submodule = self._resolver.submodule(module, source)
                names |= self.of(submodule.name, depth - 1) if submodule else set()
        return names

    def _passed_on(self, module: Named, facts: FileFacts, depth: int) -> set[str]:
        """What a star brings, and what a package takes out of its own modules."""
        names: set[str] = set()
        for raw, resolved in zip(facts.imports, self._imports[module.name], strict=True):
            if raw.kind in (ImportKind.LOCAL, ImportKind.TYPE_CHECKING):
                continue
            if not resolved.is_internal:
                continue
            if raw.name == "*":
                names |= self.of(resolved.module, depth - 1)
            elif module.is_package and resolved.name is not None:
                is_own = resolved.module.startswith(f"{module.name}.")
                if is_own and not raw.bound.startswith("_"):
                    names.add(raw.bound)
        return names
