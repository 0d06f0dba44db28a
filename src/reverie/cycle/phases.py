"""The stages that a cycle has gone through, as its journal tells: where it is, and what is left."""

from collections.abc import Mapping, Sequence
from typing import Any

from reverie.cycle.planning import FOR_WANT_OF_TIME
from reverie.cycle.stage_shares import Share
from reverie.model.cycle import CycleDream, CycleHeader, CycleRecord, Step, StepState
from reverie.model.dream import Stage

PHASES = "phases"
"""The key of a baseline that names the stages that were begun."""


def begun(record: CycleRecord) -> tuple[Stage | None, str | None]:
    """The stage that a cycle was last at, and the revision that it stands on there.

    None for a cycle over several stages that has begun none of them.
    """
    phases = _phases(record.header)
    if phases:
        return Stage(phases[-1]["stage"]), phases[-1]["revision"]
    return record.header.wishes.stage, record.header.revision


def stages_left(record: CycleRecord, shares: Sequence[Share]) -> tuple[Stage, ...]:
    """The stage that a cycle is at, and those that it has not come to."""
    now, _ = begun(record)
    stages = [each.stage for each in shares]
    if now is None:
        return tuple(stages)
    later = stages[stages.index(now) + 1 :] if stages else []
    return (now, *(each for each in later if each not in begun_stages(record)))


def begun_stages(record: CycleRecord) -> frozenset[Stage]:
    """The stages that a cycle has begun, the one that it is at among them."""
    return frozenset(Stage(each["stage"]) for each in _phases(record.header))


def left_over(record: CycleRecord) -> Mapping[Stage, Sequence[Step]]:
    """Steps that were left out for want of time, by their stage."""
    found: dict[Stage, list[Step]] = {}
    for step in record.steps:
        phases = [each for each in _phases(record.header) if each["first_step"] <= step.position]
        if phases and step.state is StepState.SKIPPED and step.note in FOR_WANT_OF_TIME:
            found.setdefault(Stage(phases[-1]["stage"]), []).append(step)
    return found


def in_ground(record: CycleRecord) -> frozenset[str]:
    """The promotions of a cycle that the revision has on which its stage stands, by id."""
    phases = _phases(record.header)
    if not phases or phases[-1]["revision"] == record.header.revision:
        return frozenset()
    first = phases[-1]["first_step"]
    return frozenset(each.dream.id for each in record.promotions if each.position < first)


def with_phase(record: CycleRecord, stage: Stage, revision: str | None) -> dict[str, Any]:
    """The baseline of a cycle with one more stage begun."""
    named = {"stage": stage.value, "revision": revision, "first_step": len(record.steps)}
    return {PHASES: [*_phases(record.header), named]}


def _phases(header: CycleHeader) -> Sequence[Mapping[str, Any]]:
    found: Sequence[Mapping[str, Any]] = (header.baseline or {}).get(PHASES, ())
    return found


def tip_of(promotions: Sequence[CycleDream]) -> str | None:
    """The commit with all of these promotions; None where no one commit has them."""
    found = [each.promotion for each in promotions if each.promotion is not None]
    branches = {each.branch for each in found}
    return found[-1].commit if found and len(branches) == 1 else None
