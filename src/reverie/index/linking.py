"""From what each file says by itself to the index of the whole repository.

A dotted name in a file is resolved to the function of the repository that it stands for.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from reverie.index.discovery import Surroundings
from reverie.index.naming import Layout, Named, name_files, prefixes
from reverie.index.paths import is_test_path
from reverie.index.reading import FileFacts, RawImport
from reverie.index.resolution import Exports, Resolver, edges_of
from reverie.model.repository.code import CallSite, Class, CodeIndex, Import, ImportKind, Module

_DEEPEST = 12


@dataclass(slots=True)
class _Scope:
    """What names mean at the level of one module."""

    module: Named
    functions: frozenset[str]
    classes: dict[str, Class]
    methods: dict[str, frozenset[str]]
    bindings: dict[str, tuple[str, str | None]] = field(default_factory=dict)
    """Imported names: the module they come from and the name they have there."""
    stars: list[str] = field(default_factory=list)


class Symbols:
    """Follows names through imports and re-exports to the definition."""

    def __init__(
        self,
        facts: Mapping[str, tuple[Named, FileFacts]],
        imports: Mapping[str, tuple[Import, ...]],
        resolver: Resolver,
    ) -> None:
        self._facts = facts
        self._imports = imports
        self._resolver = resolver
        self._scopes: dict[str, _Scope] = {}

    def callee(self, target: str, module: str, caller: str) -> str | None:
        """`package.module:qualname` of what a call names; None when it is not the repository's."""
        parts = target.split(".")
        if parts[0] in ("self", "cls"):
            return self._method_of_own_class(parts[1:], module, caller)
        found = self._follow(module, parts, _DEEPEST)
        return found or self._from_absolute(parts)

    def _scope(self, name: str) -> _Scope | None:
        scope = self._scopes.get(name)
        if scope is None and name in self._facts:
            scope = self._scopes[name] = self._make_scope(name)
        return scope

    def _make_scope(self, name: str) -> _Scope:
        module, facts = self._facts[name]
        functions = frozenset(each.name for each in facts.functions if "." not in each.qualname)
        classes = {each.qualname: each for each in facts.classes}
        methods = {key: frozenset(m.name for m in each.methods) for key, each in classes.items()}
        scope = _Scope(module, functions, classes, methods)
        for raw, resolved in zip(facts.imports, self._imports[name], strict=True):
            if raw.name == "*":
                scope.stars.append(resolved.module)
            elif raw.name is None and raw.bound == raw.module:
                scope.bindings.setdefault(raw.bound.partition(".")[0], ("", None))
            elif raw.kind is ImportKind.LOCAL:
                scope.bindings.setdefault(raw.bound, (resolved.module, resolved.name))
            else:
                scope.bindings[raw.bound] = (resolved.module, resolved.name)
        return scope

    def _follow(self, module: str, parts: list[str], depth: int) -> str | None:
        scope = self._scope(module)
        if scope is None or not parts or depth == 0:
            return None
        first, rest = parts[0], parts[1:]
        if first in scope.functions:
            return f"{module}:{first}" if not rest else None
        if first in scope.classes:
            return self._in_class(module, first, rest, depth)
        if first in scope.bindings:
            return self._through_import(scope, first, rest, depth)
        submodule = self._resolver.submodule(scope.module, first)
        if submodule is not None and rest:
            return self._follow(submodule.name, rest, depth - 1)
        for star in scope.stars:
            found = self._follow(star, parts, depth - 1)
            if found is not None:
                return found
        return None

    def _through_import(self, scope: _Scope, first: str, rest: list[str], depth: int) -> str | None:
        module, name = scope.bindings[first]
        if not module:
            return self._from_absolute([first, *rest], scope.module)
        parts = rest if name is None else [name, *rest]
        return self._follow(module, parts, depth - 1)

    def _from_absolute(self, parts: list[str], importer: Named | None = None) -> str | None:
        """`a.b.c.function`: the longest start that is a module, and what is left."""
        for length in range(len(parts) - 1, 0, -1):
            name = ".".join(parts[:length])
            if importer is None:
                found = self._resolver.named(name)
            else:
                found = self._resolver.find(name, 0, importer)
            if found is not None:
                return self._follow(found.name, parts[length:], _DEEPEST - 1)
        return None

    def _in_class(self, module: str, qualname: str, rest: list[str], depth: int) -> str | None:
        if not rest:
            return f"{module}:{qualname}"
        scope = self._scope(module)
        if scope is None or len(rest) > 1 or depth == 0:
            return None
        if rest[0] in scope.methods[qualname]:
            return f"{module}:{qualname}.{rest[0]}"
        for base in scope.classes[qualname].bases:
            if base.replace(".", "").isidentifier() and base != qualname:
                found = self._follow(module, [*base.split("."), *rest], depth - 1)
                if found is not None:
                    return found
        return None

    def _method_of_own_class(self, rest: list[str], module: str, caller: str) -> str | None:
        scope = self._scope(module)
        owner = caller.partition(".<locals>")[0].rpartition(".")[0]
        if scope is None or owner not in scope.classes:
            return None
        return self._in_class(module, owner, rest, _DEEPEST)


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
