"""Whether a promotion survived: what weights are learned from. Pure."""

from collections.abc import Callable, Collection
from datetime import datetime, timedelta

from reverie.model.commit import Commit, History
from reverie.model.promotion import PromotionStatus

WATCHED = timedelta(days=30)
"""How long the files of a promotion are watched, by the dates of commits."""


def survived(
    status: PromotionStatus,
    offered_at: datetime,
    paths: Collection[str],
    history: History | None,
    is_mending: Callable[[Commit], bool],
) -> bool | None:
    """Yes or no; None as long as time has not told: nobody has taken it, or not for long enough.

    What is mended or taken back in its files within the time counts as a failure.
    """
    if status is PromotionStatus.ROLLED_BACK:
        return False
    if status is not PromotionStatus.MERGED or history is None:
        return None
    first, last = offered_at.timestamp(), (offered_at + WATCHED).timestamp()
    failures = [
        commit
        for commit in history.commits
        if first < commit.authored_at <= last
        and any(touch.path in paths for touch in commit.touches)
        and is_mending(commit)
    ]
    if failures:
        return False
    return True if history.head_time >= last else None
