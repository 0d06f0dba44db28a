"""A variant of a procedure, what learning may forbid, and how many variants a run keeps."""

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import ceil
from types import MappingProxyType
from typing import Any, Protocol

from reverie.dreamers.procedures.procedure import Procedure
from reverie.model.procedure import DreamType
from reverie.syntax.unparsing import unparse

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
    return unparse(ast.fix_missing_locations(node)) + "\n"


def shown(node: ast.AST, characters: int = 50) -> str:
    """A piece of syntax on one line, for a title."""
    text = " ".join(unparse(node).split())
    return text if len(text) <= characters else text[: characters - 1] + "…"


_ZEROS = ("0", "0.0")
_EMPTY = ("''", '""', "[]", "{}", "()")


def _no_zero(variant: Variant) -> bool:
    return variant.details.get("after") not in _ZEROS


def _no_empty(variant: Variant) -> bool:
    return variant.details.get("after") not in _EMPTY


def _near_values(variant: Variant) -> bool:
    before, after = variant.details.get("before"), variant.details.get("after")
    try:
        return abs(float(str(after))) <= 2 * abs(float(str(before))) + 1
    except ValueError:
        return True


def _keep_guards(variant: Variant) -> bool:
    return variant.details.get("leaves_by") not in ("Raise", "Return", "Assert")


def _no_refusal(variant: Variant) -> bool:
    return "raise" not in str(variant.details.get("added", ""))


def _skip_unread(variant: Variant) -> bool:
    return variant.details.get("is_read") is not True


def _typed_fallback(variant: Variant) -> bool:
    return variant.details.get("result") != "None"


CONSTRAINTS: Mapping[str, Callable[[Variant], bool]] = {
    "no_zero": _no_zero,
    "no_empty_text": _no_empty,
    "near_values": _near_values,
    "keep_guards": _keep_guards,
    "no_new_refusals": _no_refusal,
    "skip_unread": _skip_unread,
    "typed_fallback": _typed_fallback,
}
"""Each says whether a variant keeps to it."""


@dataclass(frozen=True, slots=True)
class Restraint:
    """How much of its usual number a rule may offer, and what its variants must keep to."""

    share: float = 1.0
    constraints: tuple[str, ...] = ()

    def takes(self, number: int) -> bool:
        """Whether the variant of this number, from 1, is within the share; the first always is."""
        return ceil(number * self.share) > ceil((number - 1) * self.share)

    def admits(self, variant: Variant) -> bool:
        """Whether a variant keeps to every constraint; one that is unknown forbids nothing."""
        kept = (CONSTRAINTS[name](variant) for name in self.constraints if name in CONSTRAINTS)
        return all(kept)


class Strategy(StrEnum):
    """How many variants of a procedure are kept per way of imagining them."""

    LIGHT = "light"
    BALANCED = "balanced"
    DEEP = "deep"

    @property
    def variants(self) -> int:
        """Per category."""
        return {"light": 5, "balanced": 15, "deep": 30}[self.value]
