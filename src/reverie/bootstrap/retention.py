"""Branches, wired: which of ours have nothing left to offer, by git, journal and settings."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from reverie.errors import ReverieError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reverie.promotion.pruning import BranchPruner, Removed
    from reverie.settings import Loaded
    from reverie.store import Journal

_log = logging.getLogger(__name__)


def prune_branches(
    loaded: Loaded, journal: Journal, names: Sequence[str] = ()
) -> tuple[Removed, ...]:
    """Remove our branches that are old and have nothing left to offer, and those named."""
    pruner = _pruner(loaded, journal)
    if pruner is None:
        return ()
    named = pruner.remove_named(names) if names else ()
    before = datetime.now(UTC) - timedelta(days=loaded.settings.promotion.branch_days)
    return (*named, *pruner.remove_spent(before))


def prune_after_cycle(loaded: Loaded, journal: Journal) -> None:
    """The same at the end of a cycle, where the settings ask for it; a failure is only logged."""
    if not loaded.settings.promotion.prune_branches:
        return
    try:
        for each in prune_branches(loaded, journal):
            _log.info("removed the branch %s at %s: %s", each.branch, each.commit, each.why)
    except ReverieError as error:
        _log.warning("branches are left as they are: %s", error)


def _pruner(loaded: Loaded, journal: Journal) -> BranchPruner | None:
    from reverie.model.promotion import PromotionStatus
    from reverie.promotion.branches import Branches
    from reverie.promotion.git import Git
    from reverie.promotion.pruning import BranchPast, BranchPruner
    from reverie.store.promotions import commits_by_branch

    git = Git.find(loaded.repository)
    if git is None or git.find_commit("HEAD") is None:
        return None
    section = loaded.settings.promotion
    past = {}
    for branch, commits in commits_by_branch(journal, loaded.repository).items():
        standing = {each.status for each in commits} - {None}
        past[branch] = BranchPast(
            frozenset(each.commit for each in commits if each.commit is not None),
            standing == {PromotionStatus.ROLLED_BACK},
        )
    return BranchPruner(Branches(git, section.branch_prefix), past, section.lock_seconds)
