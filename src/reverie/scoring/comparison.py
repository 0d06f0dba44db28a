"""Two procedures on the same calls: where they did the same, and who got by where."""

from collections.abc import Sequence
from dataclasses import dataclass

from reverie.model.behaviour import Seen
from reverie.model.output_type import Mismatch, validate_output


@dataclass(frozen=True, slots=True)
class Comparison:
    """Counts over the calls that said something."""

    calls: int
    same: int = 0
    different: int = 0
    more_robust: int = 0
    less_robust: int = 0

    @property
    def effectiveness(self) -> float | None:
        """The share of calls on which it did at least as well; None without calls."""
        return None if self.calls == 0 else 1 - self.less_robust / self.calls


def compare(base: Sequence[Seen], other: Sequence[Seen]) -> Comparison:
    """What `other` does beside `base`, call by call."""
    pairs = [(a, b) for a, b in zip(base, other, strict=True) if a.is_made and b.is_made]
    words = [_word(a, b) for a, b in pairs]
    return Comparison(
        len(pairs),
        *(words.count(word) for word in ("same", "different", "more_robust", "less_robust")),
    )


def _word(base: Seen, other: Seen) -> str:
    if base.succeeded and other.succeeded:
        return "same" if base.behaviour == other.behaviour else "different"
    if base.succeeded:
        return "less_robust"
    return "more_robust" if other.succeeded else "same"


def misfit(seen: Seen, declared: str | None) -> Mismatch | None:
    """Where a result is not of the declared type; None when it is, or cannot be told."""
    if declared is None or not seen.succeeded or not seen.is_plain:
        return None
    return validate_output(seen.plain, declared, seen.type_name)
