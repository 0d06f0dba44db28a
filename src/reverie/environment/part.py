"""A part of a suite, where the whole does not fit into the time: files of tests, module by module.

    about = files_about(project)        # {"src/shop/cart.py": {"tests/test_cart.py"}, …}
    order = in_order(project, about)    # whole modules first, cheap ones before dear ones

A module is worked on only where all the tests that name it are asked: what others protect would
look unprotected. Names are read from the sources; nothing is run.
"""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

from reverie.environment.setup_files import read_text
from reverie.instruments.mutation.project import Project, read_options
from reverie.syntax.nodes import dotted_name
from reverie.syntax.parsing import NOT_PYTHON, parse_quietly

_MOST_FRONTS = 5
"""Packages that a name may be handed on through."""
_STAR = "*"
_NO_TESTS = frozenset({"conftest.py", "__init__.py"})
Names = Mapping[str, tuple[str, str]]
"""What the front of a package has from elsewhere: name there, module and name here."""


def module_paths(project: Project) -> dict[str, str]:
    """The files of a project by the dotted names under which they are imported."""
    roots = sorted((Path(each) for each in project.import_paths), key=lambda p: -len(p.parts))
    found = {}
    for file in project.files:
        place = Path(project.root, file)
        root = next((each for each in roots if place.is_relative_to(each)), None)
        parts = () if root is None else place.relative_to(root).with_suffix("").parts
        parts = parts[:-1] if parts and parts[-1] == "__init__" else parts
        if parts and all(each.isidentifier() for each in parts):
            found[".".join(parts)] = file
    return found


def files_about(project: Project) -> dict[str, frozenset[str]]:
    """The files of tests, by path of a module, that import it, use a name of it or bear its own."""
    paths = module_paths(project)
    code = _Code(Path(project.root), paths)
    found: dict[str, set[str]] = {}
    for file in collected_files(project):
        for module in (*code.used_by(file), *_namesakes(file, paths)):
            found.setdefault(paths[module], set()).add(file)
    return {path: frozenset(files) for path, files in found.items()}


def collected_files(project: Project) -> tuple[str, ...]:
    """Files that pytest would collect tests from by their names, from the repository on."""
    root = Path(project.root)
    names = read_options(root).python_files
    places = [root / each.partition("::")[0] for each in project.tests]
    found = (
        file.relative_to(root)
        for place in places
        for file in ([place] if place.is_file() else sorted(place.rglob("*.py")))
        if place == file or any(fnmatch(file.name, name) for name in names)
    )
    return tuple(
        dict.fromkeys(
            each.as_posix()
            for each in found
            if each.name not in _NO_TESTS and not any(part[0] == "." for part in each.parts)
        )
    )


def in_order(project: Project, about: Mapping[str, frozenset[str]]) -> tuple[str, ...]:
    """All files of tests: those of modules with few tests first, those about no module last.

    So the first files are all there is about some modules, however many there are in all.
    """
    tests = {each: _tests_in(Path(project.root, each)) for each in collected_files(project)}
    modules = sorted(about, key=lambda each: (sum(tests[file] for file in about[each]), each))
    named = (
        file
        for module in modules
        for file in sorted(about[module], key=lambda each: (tests[each], each))
    )
    return tuple(dict.fromkeys((*named, *tests)))


def _tests_in(place: Path) -> int:
    return max((read_text(place) or "").count("def test"), 1)


def _namesakes(file: str, paths: Mapping[str, str]) -> Iterator[str]:
    stem = PurePosixPath(file).stem
    name = stem.removeprefix("test_").removesuffix("_test")
    yield from (each for each in paths if each.rpartition(".")[2].lstrip("_") == name)


@dataclass(frozen=True, slots=True)
class _Code:
    """The modules of a project, asked which of them a name comes from."""

    root: Path
    paths: Mapping[str, str]
    fronts: dict[str, Names] = field(default_factory=dict)

    def used_by(self, file: str) -> Iterator[str]:
        """Modules that a file imports or asks by an attribute of their package."""
        nodes = () if (tree := self._tree(file)) is None else tuple(ast.walk(tree))
        bound: dict[str, str] = {}
        for node in nodes:
            if isinstance(node, ast.Import):
                for each in node.names:
                    yield from self._module(each.name)
                    top = each.name.partition(".")[0]
                    bound[each.asname or top] = each.name if each.asname else top
            elif isinstance(node, ast.ImportFrom):
                origin = _absolute(node, file)
                for each in node.names:
                    yield from self.origins(origin, each.name)
                    bound[each.asname or each.name] = f"{origin}.{each.name}"
        for node in nodes:
            if isinstance(node, ast.Attribute):
                first, _, rest = (dotted_name(node) or "").partition(".")
                if first in bound and rest:
                    yield from self._asked(f"{bound[first]}.{rest}")

    def origins(self, package: str, name: str) -> Iterator[str]:
        """The module that a name of a package comes from; of a star all of them."""
        for _ in range(_MOST_FRONTS):
            if f"{package}.{name}" in self.paths:
                package, name = f"{package}.{name}", ""
            elif name == _STAR and package in self.paths:
                yield from {module for module, _ in self._front(package).values()} & set(self.paths)
            elif (known := self._front(package).get(name)) is not None:
                package, name = known
                continue
            break
        yield from self._module(package)

    def _asked(self, whole: str) -> Iterator[str]:
        """What an attribute asks for: the longest beginning that is a module has the rest."""
        parts = whole.split(".")
        for count in range(len(parts) - 1, 0, -1):
            package = ".".join(parts[:count])
            if package in self.paths:
                yield from self.origins(package, parts[count])
                return

    def _module(self, name: str) -> Iterator[str]:
        if name in self.paths:
            yield name

    def _front(self, package: str) -> Names:
        """What the front of a package imports; a plain module hands nothing on."""
        if package not in self.fronts:
            file = self.paths.get(package, "")
            is_front = file.endswith("__init__.py")
            tree = self._tree(file) if is_front else None
            self.fronts[package] = {
                each.asname or each.name: (_absolute(node, file, package), each.name)
                for node in (() if tree is None else ast.walk(tree))
                if isinstance(node, ast.ImportFrom)
                for each in node.names
            }
        return self.fronts[package]

    def _tree(self, file: str) -> ast.Module | None:
        try:
            return parse_quietly(read_text(self.root / file) or "")
        except NOT_PYTHON:
            return None


def _absolute(node: ast.ImportFrom, file: str, package: str | None = None) -> str:
    """The module that is imported from; dots count from the folder of the file."""
    if not node.level:
        return node.module or ""
    here = package or ".".join(PurePosixPath(file).parent.parts)
    parts = here.split(".") if here else []
    above = parts[: len(parts) - node.level + 1]
    return ".".join([*above, *([node.module] if node.module else [])])
