"""What learning can forbid a rule, by name, and what a rule is restrained to."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil

from reverie.dreamers.procedures.variant import Variant

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
