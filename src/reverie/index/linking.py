"""From what each file says by itself to the index of the whole repository."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from reverie.index.exports import Exports
from reverie.index.naming import Layout, Named, name_files, prefixes
from reverie.index.paths import is_test_path
from reverie.index.reading import FileFacts, RawImport
from reverie.index.resolution import Resolver, edges_of
from reverie.index.surroundings import Surroundings
from reverie.index.symbols import Symbols
from reverie.model.code import CallSite, CodeIndex, Import, Module


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file and what it says."""

    path: str
    content_hash: str
    facts: FileFacts


def link(files: Iterable[ReadFile], around: Surroundings) -> CodeIndex:
    """Name the modules, resolve imports and calls, and find the public names."""
    read = {file.path: file for file in files}
    imports_of = {path: file.facts.imports for path, file in read.items()}
    named = name_modules(imports_of, around.layout)
    resolver = Resolver(named)
    facts = {each.name: (each, read[path].facts) for path, each in named.items()}
    imports = {
        name: tuple(resolver.resolve(raw, module) for raw in said.imports)
        for name, (module, said) in facts.items()
    }
    linker = _Linker(around, imports, resolver, facts)
    edges, checking = edges_of(imports.items())
    modules = tuple(linker.module(named[path], read[path]) for path in sorted(read))
    return CodeIndex(around.repository, modules, edges, checking, around.notes)


def name_modules(imports: Mapping[str, Iterable[RawImport]], layout: Layout) -> dict[str, Named]:
    """The names of all files, by path; imports decide where folders leave a choice."""

    def imported() -> set[str]:
        return prefixes(
            each.module if each.name in (None, "*") else f"{each.module}.{each.name}"
            for found in imports.values()
            for each in found
            if each.level == 0
        )

    return name_files(imports.keys(), layout, imported)


class _Linker:
    def __init__(
        self,
        around: Surroundings,
        imports: Mapping[str, tuple[Import, ...]],
        resolver: Resolver,
        facts: Mapping[str, tuple[Named, FileFacts]],
    ) -> None:
        self._around = around
        self._imports = imports
        self._resolver = resolver
        self._symbols = Symbols(facts, imports, resolver)
        self._exports = Exports(facts, imports, resolver)

    def module(self, named: Named, file: ReadFile) -> Module:
        said = file.facts
        return Module(
            name=named.name,
            path=named.path,
            content_hash=file.content_hash,
            loc=said.loc,
            is_package=named.is_package,
            tier=self._around.tier_of(named.path),
            docstring=said.docstring,
            functions=said.functions,
            classes=said.classes,
            imports=self._imports[named.name],
            calls=tuple(self._calls(named, said)),
            literals=said.literals,
            exports=tuple(sorted(self._exports.of(named.name))),
            has_main_block=said.has_main_block,
            error=said.error,
            mentions=tuple(self._mentions(named, said)),
            distribution=self._distribution(named.path),
            root=named.root,
            is_test=is_test_path(named.path),
        )

    def _calls(self, named: Named, said: FileFacts) -> Iterator[CallSite]:
        for raw in said.calls:
            callee = self._symbols.callee(raw.target, named.name, raw.caller)
            if callee is not None:
                yield CallSite(callee, raw.line, raw.literals, raw.caller, raw.in_doctest)

    def _mentions(self, named: Named, said: FileFacts) -> Iterable[str]:
        found: dict[str, None] = {}
        for text in said.strings:
            name = text.partition(":")[0]
            level = len(name) - len(name.lstrip("."))
            module = self._nearest(name.lstrip("."), level, named)
            if module is not None and module.name != named.name:
                found[module.name] = None
        return found

    def _nearest(self, name: str, level: int, named: Named) -> Named | None:
        """The module that a text names, or whose class or function it names."""
        parts = name.split(".")
        for length in range(len(parts), max(len(parts) - 2, 0), -1):
            if length == 1 and len(parts) > 1:
                return None
            found = self._resolver.find(".".join(parts[:length]), level, named)
            if found is not None:
                return found
        return None

    def _distribution(self, path: str) -> str | None:
        folder = path.rpartition("/")[0]
        while folder:
            if folder in self._around.distributions:
                return self._around.distributions[folder]
            folder = folder.rpartition("/")[0]
        return self._around.distributions.get(".")
