"""The moves of a dream from status to status. No others exist."""

from collections.abc import Mapping
from types import MappingProxyType

from reverie.errors import UsageError
from reverie.model.dream import DreamStatus

MOVES: Mapping[DreamStatus, frozenset[DreamStatus]] = MappingProxyType(
    {
        DreamStatus.PENDING_EVALUATION: frozenset({DreamStatus.EVALUATED}),
        DreamStatus.EVALUATED: frozenset({DreamStatus.PENDING_TEST}),
        DreamStatus.PENDING_TEST: frozenset({DreamStatus.TESTED}),
        DreamStatus.TESTED: frozenset(
            {
                DreamStatus.PROMOTED,
                DreamStatus.BORDERLINE,
                DreamStatus.REJECTED,
                DreamStatus.ARCHIVED,
            }
        ),
        DreamStatus.PROMOTED: frozenset({DreamStatus.ROLLED_BACK}),
        DreamStatus.BORDERLINE: frozenset(),
        DreamStatus.REJECTED: frozenset(),
        DreamStatus.ARCHIVED: frozenset(),
        DreamStatus.ROLLED_BACK: frozenset(),
    }
)

EVALUABLE = (DreamStatus.PENDING_EVALUATION, DreamStatus.EVALUATED)
"""Where a dream may be evaluated, also once more."""


def check_move(before: DreamStatus, after: DreamStatus) -> None:
    """Raise `UsageError` when a dream cannot go from one status to the other; staying is free."""
    if after is before or after in MOVES[before]:
        return
    allowed = ", ".join(sorted(MOVES[before])) or "what it is"
    raise UsageError(f"a dream that is {before} cannot become {after}, only {allowed}")
