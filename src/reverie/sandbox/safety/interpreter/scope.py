"""Names of the file under check and what they are bound to at the point of reading."""

import builtins
from collections.abc import Mapping
from typing import Literal

from reverie.sandbox.safety.interpreter.values import (
    ANYTHING,
    Class,
    Symbol,
    Value,
    join,
    known,
    symbol,
)

BUILTIN_NAMES = frozenset(dir(builtins)) | {"WindowsError", "reload", "execfile", "unicode"}
_MODULE_NAMES: Mapping[str, Value] = {
    "__builtins__": symbol("builtins"),
    "__file__": known("<here>/module.py"),
    "__name__": known("__main__"),
    "__loader__": symbol("<loader>"),
    "__spec__": symbol("<spec>"),
    "__doc__": ANYTHING,
    "__package__": ANYTHING,
    "__debug__": ANYTHING,
}

ScopeKind = Literal["module", "class", "function", "comprehension"]


class Scope:
    """One block's variables; reading moves outwards the way Python does."""

    __slots__ = ("kind", "owner", "parent", "redirects", "seen", "stars", "variables")

    def __init__(self, kind: ScopeKind, parent: "Scope | None" = None) -> None:
        self.kind = kind
        self.parent = parent
        self.owner: Class | None = None  # for the scope of a class body: that class
        self.variables: dict[str, Value] = {}
        self.redirects: dict[str, Scope] = {}
        self.seen: dict[str, Value] = {}
        self.stars: list[str] = []

    @property
    def module(self) -> "Scope":
        """The outermost scope."""
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope

    def bind(self, name: str, value: Value) -> None:
        """Assign a variable; symbols it ever held are remembered for readers further in."""
        target = self.redirects.get(name, self)
        target.variables[name] = value
        named = tuple(atom for atom in value if isinstance(atom, Symbol))
        if named:
            target.seen[name] = join([target.seen.get(name, ()), named])

    def unbind(self, name: str) -> None:
        """Forget a variable, as `del` does."""
        self.redirects.get(name, self).variables.pop(name, None)

    def lookup(self, name: str) -> Value:
        """What a name may refer to here."""
        scope: Scope | None = self.redirects.get(name, self)
        inner = True
        while scope is not None:
            if inner or scope.kind != "class":
                value = scope.variables.get(name)
                if value is not None:
                    return value if inner else join([value, scope.seen.get(name, ())])
            inner = inner and scope.kind == "comprehension"
            scope = scope.parent
        return self._outside(name)

    def _outside(self, name: str) -> Value:
        if name in _MODULE_NAMES:
            return _MODULE_NAMES[name]
        found = [symbol(f"{star}.{name}") for star in self._all_stars()]
        if name in BUILTIN_NAMES:
            found.append(symbol(f"builtins.{name}"))
        return join(found) if found else ANYTHING

    def _all_stars(self) -> list[str]:
        stars: list[str] = []
        scope: Scope | None = self
        while scope is not None:
            stars += scope.stars
            scope = scope.parent
        return stars

    def snapshot(self) -> dict[str, Value]:
        """The variables as they stand, to run one branch on."""
        return dict(self.variables)

    def merge(self, branches: list[dict[str, Value]]) -> None:
        """Continue with what any of the branches may have left behind."""
        first, *others = branches
        merged = dict(first)
        for branch in others:
            for name, value in branch.items():
                held = merged.get(name)
                if held is None:
                    merged[name] = value
                elif held is not value:
                    merged[name] = join([held, value])
        if self.kind != "function":
            self._restore_builtins(merged, branches)
        self.variables = merged

    @staticmethod
    def _restore_builtins(merged: dict[str, Value], branches: list[dict[str, Value]]) -> None:
        """Outside functions a name that one branch leaves unbound may still be the builtin."""
        for name in BUILTIN_NAMES & merged.keys():
            if not all(name in branch for branch in branches):
                merged[name] = join([merged[name], symbol(f"builtins.{name}")])
