import time
from dataclasses import replace

import pytest

from reverie.model.execution import Execution, Expression, Request
from reverie.sandbox.engine import Sandbox
from reverie.sandbox.spending import PATIENCE, Spending


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
    spending = Spending()
    now = 130.0
    assert spending.seconds == 30.0 / PATIENCE
    with Sandbox() as sandbox:
        execution = sandbox.run(Request(Expression("1")))
    busy = replace(execution, usage=replace(execution.usage, cpu_seconds=25.0))
    spending(Request(Expression("1")), busy)
    assert spending.seconds == 25.0
