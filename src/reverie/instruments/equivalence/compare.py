"""The first difference between what two versions did. Pure: texts in, a difference out."""

from dataclasses import dataclass

from reverie.instruments.equivalence.scenario import Trace
from reverie.model.equivalence import DifferenceKind, Observation

_QUICK_SHARE = 0.2
"""The old version has ended well within the time limit that the new one does not keep."""

CHANNELS = (
    (DifferenceKind.VALUE, "value"),
    (DifferenceKind.ARGUMENTS, "arguments"),
    (DifferenceKind.STDOUT, "stdout"),
    (DifferenceKind.STDERR, "stderr"),
    (DifferenceKind.EFFECTS, "effects"),
    (DifferenceKind.FILES, "files"),
    (DifferenceKind.GLOBALS, "globals"),
    (DifferenceKind.ALIASING, "aliases"),
)
_ENDED = ("returned", "raised")
_AT_ONCE_SHARE = 0.05
"""So quick, within the time limit, that little memory can have been filled."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two traces part."""

    kind: DifferenceKind
    step: int
    old: Observation
    new: Observation
    failed: tuple[int, ...] = ()
    """Steps before it that raised, in both."""


@dataclass(frozen=True, slots=True)
class Lens:
    """What counts as a difference between these two versions."""

    excuses_misfits: bool = True
    """Arguments that the old version chokes on by their shape are outside of its contract."""
    ignored: frozenset[DifferenceKind] = frozenset()
    """Kinds in which the old version differs from itself."""
    step_seconds: float = 1.0


def first_difference(old: Trace, new: Trace, lens: Lens) -> Difference | None:
    """The first step at which the versions part, if they do so within the old one's contract."""
    for number, (before, after) in enumerate(zip(old.steps, new.steps, strict=False)):
        if not is_conclusive(before, after, lens):
            return None
        kind = _kind(before, after, lens)
        if kind is not None:
            failed = (n for n, step in enumerate(old.steps[:number]) if step.outcome == "raised")
            return Difference(kind, number, before, after, tuple(failed))
        if "timeout" in (before.outcome, after.outcome):
            return None
    return None


def is_conclusive(old: Observation, new: Observation, lens: Lens) -> bool:
    """Whether a difference here would say anything about the versions."""
    if "unmade" in (old.outcome, new.outcome) or _is_out_of_memory(old):
        return False
    if lens.excuses_misfits and old.is_misfit:
        return False
    return not _is_out_of_memory(new) or _ended_at_once(old, lens)


def _is_out_of_memory(seen: Observation) -> bool:
    is_refused = seen.outcome == "raised" and seen.value == "MemoryError"
    return is_refused or seen.outcome == "lost"


def _ended_at_once(seen: Observation, lens: Lens) -> bool:
    return seen.outcome in _ENDED and seen.seconds <= _AT_ONCE_SHARE * lens.step_seconds


def _kind(old: Observation, new: Observation, lens: Lens) -> DifferenceKind | None:
    found = _outcome_kind(old, new, lens)
    if found is None and old.outcome in _ENDED and old.outcome == new.outcome:
        found = next(
            (
                kind
                for kind, channel in CHANNELS
                if kind not in lens.ignored and getattr(old, channel) != getattr(new, channel)
            ),
            None,
        )
    return None if found in lens.ignored else found


def _outcome_kind(old: Observation, new: Observation, lens: Lens) -> DifferenceKind | None:
    if _is_out_of_memory(new):
        return DifferenceKind.MEMORY
    if "timeout" in (old.outcome, new.outcome):
        if old.outcome == "timeout":
            return None  # it is slow, or it hangs; a new version that ends may well be better
        has_ended = old.seconds <= _QUICK_SHARE * lens.step_seconds
        return DifferenceKind.TERMINATION if has_ended else None
    if old.outcome != new.outcome:
        return DifferenceKind.EXCEPTION
    if old.outcome == "raised" and old.value != new.value:
        return DifferenceKind.EXCEPTION
    return None
