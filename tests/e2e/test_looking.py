"""Many calls of one procedure in the real sandbox: shared processes, and time that is enough."""

from collections.abc import Iterator

import pytest

from reverie.instruments.behaviour.instrument import Behaviours
from reverie.model.call import Call, Expression
from reverie.model.measurements.equivalence import Subject
from reverie.model.outcome import TestOutcome
from reverie.sandbox.engine import Sandbox
from reverie.trials.procedures import look_at, look_beside

CALLS = tuple(Call((Expression(str(number)),)) for number in range(12))


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as opened:
        yield opened


def test_what_a_call_leaves_behind_does_not_reach_the_next(sandbox: Sandbox) -> None:
    code = "seen = []\ndef f(n):\n    seen.append(n)\n    return len(seen)\n"
    found = look_at(Behaviours(sandbox, 5), Subject(code, "f"), CALLS)
    assert {each.value for each in found} == {found[0].value}


def test_calls_that_share_processes_are_each_told_of(sandbox: Sandbox) -> None:
    told: list[str] = []
    code = "def f(n):\n    if n == 7:\n        raise KeyError(n)\n    return n * n\n"
    behaviours = Behaviours(sandbox, 5, record=lambda _, execution: told.append(execution.id))
    found = look_at(behaviours, Subject(code, "f"), CALLS)
    assert [each.plain for each in found if each.succeeded] == [n * n for n in range(12) if n != 7]
    assert found[7].value == "KeyError"
    assert len(set(told)) == len(CALLS)


def test_a_call_that_hangs_where_the_base_returns_is_cut_off(sandbox: Sandbox) -> None:
    behaviours = Behaviours(sandbox, 1)
    base = look_at(behaviours, Subject("def f(n):\n    return n\n", "f"), CALLS)
    hangs = Subject("def f(n):\n    while n == 5:\n        pass\n    return n\n", "f")
    found = look_beside(behaviours, hangs, CALLS, base)
    assert [each.outcome for each in found].count(TestOutcome.TIMEOUT) == 1
    assert found[5].outcome is TestOutcome.TIMEOUT


def test_a_slow_call_has_the_time_that_it_may_take(sandbox: Sandbox) -> None:
    behaviours = Behaviours(sandbox, 30)
    base = look_at(behaviours, Subject("def f(n):\n    return n\n", "f"), CALLS)
    lingers = "import time\ndef f(n):\n    if n == 5:\n        time.sleep(0.4)\n    return n\n"
    found = look_beside(behaviours, Subject(lingers, "f"), CALLS, base)
    assert all(each.succeeded for each in found)
