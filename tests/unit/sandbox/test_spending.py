import time
from dataclasses import replace
from pathlib import Path

import pytest

from reverie.model.execution import Execution, Expression, Request
from reverie.sandbox import observation as spending_module
from reverie.sandbox.engine import Sandbox
from reverie.sandbox.observation import IMPATIENT, PATIENCE, Spending


def test_executions_are_told_to_both_recorders() -> None:
    first: list[Execution] = []
    spending = Spending()
    with Sandbox(recorder=lambda request, execution: first.append(execution)) as sandbox:
        door = sandbox.also_telling(spending)
        door.run(Request(Expression("sum(range(2_000_000))")))
        used = spending.seconds
        sandbox.run(Request(Expression("1")))
    assert len(first) == 2
    assert used > 0


def test_waiting_counts_only_beyond_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    monkeypatch.setattr(spending_module, "_stalled_seconds", lambda: 0.0)
    spending = Spending()
    now = 130.0
    assert spending.seconds == 30.0 / PATIENCE
    with Sandbox() as sandbox:
        execution = sandbox.run(Request(Expression("1")))
    busy = replace(execution, usage=replace(execution.usage, cpu_seconds=25.0))
    spending(Request(Expression("1")), busy)
    assert spending.seconds == 25.0


def test_a_crowded_machine_is_given_more_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    now, stalled = 100.0, 7.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    monkeypatch.setattr(spending_module, "_stalled_seconds", lambda: stalled)
    patient, impatient = Spending(), Spending(IMPATIENT)
    now, stalled = 130.0, 22.0
    assert patient.seconds == 30.0 / (2.5 * PATIENCE)
    stalled = 37.0
    assert patient.seconds == 30.0 / (4 * PATIENCE)
    assert impatient.seconds == 30.0


def test_pressure_that_nobody_counts_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = tmp_path / "cpu"
    monkeypatch.setattr(spending_module, "_PRESSURE", told)
    assert spending_module._stalled_seconds() == 0.0
    told.write_text("some avg10=1.00 avg60=0.00 avg300=0.00 total=2500000\nfull avg10=0.00\n")
    assert spending_module._stalled_seconds() == 2.5
