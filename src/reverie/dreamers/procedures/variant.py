"""What a dreamer of procedures makes, and what it is."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Protocol

from reverie.dreamers.procedures.procedure import Procedure
from reverie.model.procedure import DreamType

_NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Variant:
    """A procedure written otherwise."""

    rule: str
    """Which rule made it, `dreamer/rule`."""
    title: str
    function: str
    """The function's source; what it needs besides is the base's."""
    details: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    extra: str = ""
    """Source that goes before it: another function, an import."""

    def code(self, procedure: Procedure) -> str:
        """Source that stands on its own."""
        whole = procedure.slice.with_function(self.function)
        return _future_first(f"{self.extra}\n\n{whole}") if self.extra else whole


class ProcedureDreamer(Protocol):
    """A source of variants. It runs nothing."""

    @property
    def dream_type(self) -> DreamType:
        """How its dreams are imagined."""
        ...

    def imagine(self, procedure: Procedure) -> Iterator[Variant]:
        """Variants of a procedure, the most promising first."""
        ...


def _future_first(source: str) -> str:
    """Imports from the future stand before anything else."""
    lines = source.splitlines(keepends=True)
    future = [line for line in lines if line.startswith("from __future__ import")]
    others = [line for line in lines if line not in future]
    return "".join((*dict.fromkeys(future), *others))


def written(node: ast.AST) -> str:
    """A changed function as source."""
    return ast.unparse(ast.fix_missing_locations(node)) + "\n"


def shown(node: ast.AST, characters: int = 50) -> str:
    """A piece of syntax on one line, for a title."""
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= characters else text[: characters - 1] + "…"
