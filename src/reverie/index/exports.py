"""The public names of each module: `__all__`, or else what does not start with an underscore."""

from collections.abc import Mapping

from reverie.index.naming import Named
from reverie.index.reading import FileFacts
from reverie.index.resolution import Resolver
from reverie.model.code import Import, ImportKind

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
