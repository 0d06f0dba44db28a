"""What an import statement loads, by the rules of Python's import system."""

import sys
from collections.abc import Iterable, Mapping

from reverie.index.naming import Named, by_location
from reverie.index.reading import RawImport
from reverie.model.code import Import

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
