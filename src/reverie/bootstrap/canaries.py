"""Canaries, wired: versions from files or from a promotion, the journal, and the way back."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.errors import Refused, UsageError
from reverie.model.canary import Canary, CanaryPlan, CanaryState

if TYPE_CHECKING:
    from reverie.instruments.equivalence import Version
    from reverie.model.promotion import Promotion, Rollback
    from reverie.sandbox.engine import Sandbox
    from reverie.settings import Loaded
    from reverie.store import Journal


@dataclass(frozen=True, slots=True)
class Sides:
    """Two versions of one callable."""

    old: Version
    new: Version


@contextmanager
def sides_of_promotion(repository: Path, promotion: Promotion) -> Iterator[list[Sides]]:
    """Old and new version of every callable that a promotion changes, in scratch folders."""
    from reverie.bootstrap import read_change
    from reverie.instruments.equivalence import read_version
    from reverie.trials.changed import changed_code
    from reverie.trials.trees import write_trees

    if promotion.commit is None or promotion.base is None:
        raise UsageError(f"{promotion.dream_id} has no commit of its own: give --old and --new")
    files, change = read_change(repository, promotion.base, promotion.commit, None)
    with tempfile.TemporaryDirectory() as scratch:
        trees = write_trees(files, change, Path(scratch))
        found = []
        for edit in change.edits:
            if not edit.path.endswith(".py") or edit.before is None or edit.after is None:
                continue
            for name in changed_code(edit.before, edit.after).compare:
                if "." in name:
                    continue  # a method needs an object; functions are what traffic is made for
                found.append(
                    Sides(
                        read_version(f"{trees.base / edit.path}:{name}", trees.base),
                        read_version(f"{trees.head / edit.path}:{name}", trees.head),
                    )
                )
        if not found:
            raise UsageError(f"{promotion.dream_id} changes no function that calls can be made for")
        yield found


def run_recorded(
    journal: Journal,
    repository: Path,
    sandbox: Sandbox,
    sides: Sides,
    plan: CanaryPlan,
    *,
    traffic: Path | None,
    seed: int,
    dream_id: str | None = None,
) -> Canary:
    """One canary, from its first row in the journal to its last."""
    from secrets import token_hex

    from reverie.cycle.canarying import generated_traffic, recorded_traffic, run_canary
    from reverie.store.canaries import find_canary, record_canary, update_canary

    calls = generated_traffic(sides.new, seed) if traffic is None else recorded_traffic(traffic)
    now = datetime.now(UTC)
    canary = Canary(token_hex(6), sides.old.label, sides.new.label, dream_id, plan,
                    CanaryState.RUNNING, now)  # fmt: skip
    record_canary(journal, repository, canary)

    def watch(each: Canary) -> CanaryState:
        update_canary(journal, each)
        return find_canary(journal, repository, each.id).state

    ended = run_canary(sandbox, canary, (sides.old, sides.new), calls, watch)
    update_canary(journal, ended)
    return ended


def roll_back_after(
    loaded: Loaded, journal: Journal, cycle_id: str, promotion: Promotion, canary: Canary
) -> Rollback | None:
    """Take back what a canary found worse, and tell; None when somebody did so already."""
    from reverie.promotion.promoter import Promoter
    from reverie.promotion.rollback import roll_back
    from reverie.store.promotions import record_rollback

    why = f"canary {canary.id}: {canary.reason}"
    promoter = Promoter(loaded.repository, loaded.settings.promotion)
    try:
        rollback = roll_back(promoter, promotion, datetime.now(UTC), why)
    except Refused:
        if promotion.status.value == "rolled_back":
            return None
        raise
    record_rollback(journal, cycle_id, rollback, why)
    _tell(loaded, cycle_id, rollback, canary, why)
    return rollback


def _tell(loaded: Loaded, cycle_id: str, rollback: Rollback, canary: Canary, why: str) -> None:
    """Twice: whoever follows promotions hears of it as of any other that is taken back."""
    from reverie.bootstrap.events import open_events
    from reverie.model.codec import pick
    from reverie.model.published import EventName

    undone = {"cycle_id": cycle_id, **pick(rollback, "dream_id branch commit")}
    figures = "figures.compared figures.differences figures.new_errors"
    seen = pick(canary, f"canary=id reason {figures}")
    with open_events(loaded) as publish:
        publish(EventName.CANARY_ROLLED_BACK, {**undone, **seen})
        publish(EventName.PROMOTION_ROLLED_BACK, {**undone, "why": why})
