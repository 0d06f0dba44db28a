"""Who imports whom: the import graph, its cycles, layers and reach; names of modules.

Nodes are paths: two files of one name stay apart. A name that people write can stand for several
files (three `conftest.py`); the one nearest to where it was written is meant.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Set
from dataclasses import dataclass
from posixpath import basename, dirname, join, normpath
from typing import TypeVar

from reverie.model.repository.code import CodeIndex, Import, ImportKind, Module

N = TypeVar("N", bound=Hashable)


def strongly_connected(graph: Mapping[N, Set[N]]) -> list[tuple[N, ...]]:
    """Kosaraju's components, each after every component that it points to."""
    backwards: dict[N, list[N]] = {node: [] for node in graph}
    for node, successors in graph.items():
        for successor in successors:
            backwards[successor].append(node)
    taken: set[N] = set()
    components = []
    for node in reversed(_finished_order(graph)):
        if node not in taken:
            members = _collect(node, backwards, taken)
            components.append(tuple(members))
    return components[::-1]


def _finished_order(graph: Mapping[N, Set[N]]) -> list[N]:
    """Nodes in the order in which a depth-first walk leaves them."""
    seen: set[N] = set()
    finished: list[N] = []
    for start in graph:
        stack = [(start, False)]
        while stack:
            node, is_done = stack.pop()
            if is_done:
                finished.append(node)
            elif node not in seen:
                seen.add(node)
                stack.append((node, True))
                stack += [(each, False) for each in graph[node] if each not in seen]
    return finished


def _collect(start: N, graph: Mapping[N, list[N]], taken: set[N]) -> list[N]:
    """Everything reached from `start` that was not taken before, which it is now."""
    taken.add(start)
    members, stack = [start], [start]
    while stack:
        for each in graph[stack.pop()]:
            if each not in taken:
                taken.add(each)
                members.append(each)
                stack.append(each)
    return members


def cycles(graph: Mapping[str, Set[str]]) -> tuple[tuple[str, ...], ...]:
    """The groups of modules that import one another in a circle, largest first."""
    found = [tuple(sorted(each)) for each in strongly_connected(graph) if len(each) > 1]
    return tuple(sorted(found, key=lambda members: (-len(members), members)))


def layers(graph: Mapping[N, Set[N]]) -> dict[N, int]:
    """How far each node stands above the ground: 0 imports nothing; a cycle is one layer."""
    layer: dict[N, int] = {}
    for members in strongly_connected(graph):
        inside = set(members)
        below = [layer[each] for node in members for each in graph[node] if each not in inside]
        layer.update(dict.fromkeys(members, max(below, default=-1) + 1))
    return layer


def reverse_reach(graph: Mapping[N, Set[N]]) -> dict[N, float | None]:
    """The share of the other nodes that lead here, directly or not; None for a lonely graph."""
    components = strongly_connected(graph)
    number = {node: index for index, members in enumerate(components) for node in members}
    leading = [0] * len(components)  # a bit for each component that leads to this one
    for index in reversed(range(len(components))):
        for successor in {number[each] for node in components[index] for each in graph[node]}:
            if successor != index:
                leading[successor] |= leading[index] | 1 << index
    others = len(graph) - 1
    if others < 1:
        return dict.fromkeys(graph)
    sizes = [len(members) for members in components]
    counts = [
        size - 1 + sum(sizes[bit] for bit in _bits(mask))
        for size, mask in zip(sizes, leading, strict=True)
    ]
    return {node: counts[index] / others for node, index in number.items()}


def _bits(mask: int) -> list[int]:
    text = bin(mask)[:1:-1]
    return [index for index, bit in enumerate(text) if bit == "1"]


PACKAGE_FILE = "__init__.py"


class ModuleNames:
    """The modules of one repository, by name, by path and by the tails of both."""

    def __init__(self, modules: Iterable[Module]) -> None:
        self.by_path = {module.path: module for module in modules}
        self._by_name: dict[str, list[str]] = defaultdict(list)
        self._by_tail: dict[str, list[str]] = defaultdict(list)
        self._below: dict[str, list[str]] = defaultdict(list)
        for path, module in sorted(self.by_path.items()):
            self._by_name[module.name].append(path)
            parts = _dotted_path(path).split(".")
            for start in range(len(parts)):
                self._by_tail[".".join(parts[start:])].append(path)
            for length in range(1, module.name.count(".") + 1):
                self._below[".".join(module.name.split(".")[:length])].append(path)

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    def named(self, name: str, near: str = "") -> str | None:
        """The file that a dotted name stands for, as seen from the file `near`."""
        return _nearest(self._by_name.get(name, ()), near)

    def located(self, name: str) -> str | None:
        """The file at a dotted name taken from the repository on, whatever it is called."""
        stem = name.replace(".", "/")
        candidates = (f"{stem}.py", f"{stem}/{PACKAGE_FILE}")
        return next((path for path in candidates if path in self.by_path), None)

    def ending(self, tail: str, near: str = "") -> str | None:
        """The file whose path, written with dots, is or ends with `tail`."""
        return _nearest(self._by_tail.get(tail, ()), near)

    def below(self, package: str) -> tuple[str, ...]:
        """Every file inside a package, at any depth; not the package's own."""
        return tuple(self._below.get(package, ()))

    def is_package(self, name: str) -> bool:
        """Whether there are modules inside, with or without an `__init__.py`."""
        return name in self._below

    def parents(self, path: str) -> tuple[str, ...]:
        """The `__init__.py` files that Python runs before this module."""
        parts = self.by_path[path].name.split(".")
        names = (".".join(parts[:length]) for length in range(len(parts) - 1, 0, -1))
        found = (self.named(name, path) for name in names)
        return tuple(each for each in found if each is not None and each != path)

    def package_of(self, path: str) -> str:
        """The package that relative names in a file start from."""
        module = self.by_path[path]
        return module.name if module.is_package else module.name.rpartition(".")[0]

    def at(self, written: str, folder: str = "") -> str | None:
        """The file that a path means, from `folder`, from the root, or by its unique tail."""
        for base in (folder, ""):
            path = normpath(join(base, written))
            for candidate in (path, join(path, "__main__.py")):
                if candidate in self.by_path:
                    return candidate
        parts = normpath(written).lstrip("./").split("/")
        found = self._only_ending(parts, folder)
        if found is None and written.startswith("/"):
            found = self._installed_as(parts)
        return found

    def _only_ending(self, parts: list[str], folder: str = "") -> str | None:
        """The only file with this tail, of all or at least of those below a folder."""
        tail = _dotted_path("/".join(parts))
        found = [path for path in self._by_tail.get(tail, ()) if basename(path) != PACKAGE_FILE]
        if len(found) > 1 and folder:
            found = [path for path in found if path.startswith(folder + "/")]
        return found[0] if len(found) == 1 else None

    def _installed_as(self, parts: list[str]) -> str | None:
        """The file at an absolute path of another machine, such as `/app/src/run.py`."""
        for start in range(1, len(parts)):
            rest = parts[start:]
            if "/".join(rest) in self.by_path:
                return "/".join(rest)
            if len(rest) > 1 and (found := self._only_ending(rest)):
                return found
        return None

    def in_folder(self, folder: str, *, deep: bool) -> tuple[str, ...]:
        """The files of a folder, in its folders too when `deep`."""
        start = "" if folder in ("", ".") else folder + "/"
        return tuple(
            path
            for path in self.by_path
            if path.startswith(start) and (deep or "/" not in path[len(start) :])
        )


def _dotted_path(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _nearest(paths: Iterable[str], near: str) -> str | None:
    """The path that shares most folders with `near`; then the shortest."""
    return min(paths, key=lambda path: (-_shared(path, near), len(path), path), default=None)


def _shared(path: str, near: str) -> int:
    count = 0
    for left, right in zip(dirname(path).split("/"), dirname(near).split("/"), strict=False):
        if left != right:
            break
        count += 1
    return count


@dataclass(frozen=True, slots=True)
class ImportGraph:
    """Which file imports which, both ways round. A file that imports itself does not count."""

    modules: Mapping[str, Module]
    imports: Mapping[str, frozenset[str]]
    importers: Mapping[str, frozenset[str]]

    @classmethod
    def of(
        cls, index: CodeIndex, names: ModuleNames, *, type_checking: bool = True
    ) -> "ImportGraph":
        """The graph of an index; `type_checking`: also imports that only a type checker sees."""
        edges: list[tuple[str, str]] = []
        for module in index.modules:
            for each in module.imports:
                if type_checking or each.kind is not ImportKind.TYPE_CHECKING:
                    edges += [(module.path, path) for path in imported_paths(each, module, names)]
        return cls.from_edges(names.by_path, edges)

    @classmethod
    def from_edges(
        cls, modules: Mapping[str, Module], edges: Iterable[tuple[str, str]]
    ) -> "ImportGraph":
        """A graph over these modules."""
        imports: dict[str, set[str]] = {path: set() for path in modules}
        importers: dict[str, set[str]] = {path: set() for path in modules}
        for importer, imported in edges:
            if importer != imported:
                imports[importer].add(imported)
                importers[imported].add(importer)
        return cls(modules, _frozen(imports), _frozen(importers))


def imported_paths(each: Import, module: Module, names: ModuleNames) -> tuple[str, ...]:
    """The files that one import loads, besides the packages around them.

    A name that the index did not find inside the repository may still be a file beside the
    importer: that is how scripts and tests without packages import one another. What lies in a
    package and is no script cannot: `import statistics` there is the one of Python.
    """
    wanted = [each.module] if each.name in (None, "*") else [f"{each.module}.{each.name}"]
    if each.name not in (None, "*"):
        wanted.append(each.module)
    for name in wanted:
        path = names.named(name, module.path) or _beside(name, module, names)
        if path is not None:
            return (path,)
    return ()


def _beside(name: str, module: Module, names: ModuleNames) -> str | None:
    folder = module.path.rpartition("/")[0]
    if f"{folder}/__init__.py" in names.by_path and not module.has_main_block:
        return None
    stem = f"{folder}/{name.replace('.', '/')}" if folder else name.replace(".", "/")
    candidates = (f"{stem}.py", f"{stem}/__init__.py")
    return next((path for path in candidates if path in names.by_path), None)


def _frozen(edges: Mapping[str, set[str]]) -> dict[str, frozenset[str]]:
    return {path: frozenset(others) for path, others in edges.items()}
