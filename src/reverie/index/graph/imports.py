"""The import graph of a repository. Its nodes are paths: two files of one name stay apart."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from reverie.index.graph.names import ModuleNames
from reverie.model.code import CodeIndex, Import, ImportKind, Module


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
