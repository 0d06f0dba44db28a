"""What authors have earned and cost, read back from the journal."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from reverie.model.cycle import (
    CycleBudget,
    CycleHeader,
    CycleState,
    CycleWishes,
    Step,
    StepState,
)
from reverie.store.cycles.cycles import CycleWriter
from reverie.store.cycles.worth import earned_by_dreamer
from reverie.store.journal import Journal


def test_tokens_and_money_of_an_author_are_summed_over_its_steps(tmp_path: Path) -> None:
    header = CycleHeader(
        id="20260101-000000-abcd",
        repository=str(tmp_path),
        started_at=datetime(2026, 1, 1, tzinfo=UTC),
        state=CycleState.RUNNING,
        wishes=CycleWishes(CycleBudget()),
    )
    steps = tuple(
        Step(position, dreamer, "m", "m.py", str(position))
        for position, dreamer in enumerate(("tests", "smol@A", "smol@A"))
    )
    with Journal.open(f"sqlite:///{tmp_path}/journal.db") as journal:
        writer = CycleWriter(journal, header.id)
        writer.begin(header)
        writer.plan(replace(header, baseline={}), steps)
        for step in steps:
            costs = {"tokens": 100.0, "money": 0.25} if "@" in step.dreamer else {}
            done = replace(step, seconds=10.0, figures=costs, state=StepState.DONE)
            writer.dreamt(done, (), ())
        found = earned_by_dreamer(journal, tmp_path)
    assert (found["smol@A"].seconds, found["smol@A"].tokens, found["smol@A"].money) == (
        20,
        200,
        0.5,
    )
    assert (found["tests"].tokens, found["tests"].money) == (0, 0.0)
