"""Which function of the repository a dotted name in a file stands for."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from reverie.index.naming import Named
from reverie.index.reading import FileFacts
from reverie.index.resolution import Resolver
from reverie.model.code import Class, Import, ImportKind

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
