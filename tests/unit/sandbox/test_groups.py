"""Who answered and who is to blame, in a group that the test has made up."""

from datetime import UTC, datetime
from typing import Any

import pytest

from reverie.model.execution import Call, Execution, Request
from reverie.model.outcome import IsolationTier
from reverie.sandbox.batch import GROUP_INPUTS, Group, groups_of
from reverie.sandbox.observation import Ending, Observation

REQUEST = Request(Call("def f(n): return n", "f"))
START = datetime(2025, 1, 1, tzinfo=UTC)


class FakeExchange:
    def __init__(self, claims: list[dict[str, Any]], **facts: Any) -> None:
        self.claims = claims
        ending = facts.pop("ending", Ending.ANSWERED)
        self.seen = Observation(ending, facts.pop("wall_seconds", 1.0), **facts)


def read(exchange: FakeExchange, inputs: int = 4) -> dict[int, Execution]:
    indexes = tuple(range(10, 10 + inputs))
    group = Group(REQUEST, indexes, tuple({"n": n} for n in range(inputs)))
    found = dict(group.read(exchange, IsolationTier.NAMESPACES, START))  # type: ignore[arg-type]
    return {index: execution for index, (_, execution) in found.items()}


def returned(index: Any, **more: Any) -> dict[str, Any]:
    return {"claim": "returned", "value": index, "type": "int", "index": index, **more}


def test_every_answer_has_its_execution() -> None:
    found = read(FakeExchange([returned(n) for n in range(4)], cpu_seconds=0.4))
    assert {index: execution.output for index, execution in found.items()} == {
        10: 0,
        11: 1,
        12: 2,
        13: 3,
    }
    assert found[10].usage.wall_seconds == 0.25
    assert found[10].usage.cpu_seconds == pytest.approx(0.1)


def test_the_first_without_an_answer_is_blamed_and_the_rest_are_left() -> None:
    claims = [returned(0), returned(1)]
    found = read(FakeExchange(claims, ending=Ending.SILENT, wait_status=11))
    assert sorted(found) == [10, 11, 12]
    assert (found[12].outcome, found[12].output) == ("runtime_error", None)


def test_the_one_that_hangs_is_blamed() -> None:
    found = read(FakeExchange([returned(0)], ending=Ending.WALL))
    assert [found[index].outcome for index in (10, 11)] == ["success", "timeout"]


def test_an_input_that_was_skipped_is_blamed() -> None:
    found = read(FakeExchange([returned(0), returned(2), returned(3)]))
    assert found[11].outcome == "unknown_error"
    assert [found[index].output for index in (10, 12, 13)] == [0, 2, 3]


@pytest.mark.parametrize("index", [None, "0", 1.0, True, -1, 4, 10**30, [0]])
def test_an_answer_for_nobody_is_dropped(index: Any) -> None:
    found = read(FakeExchange([returned(index), returned(0)]))
    assert sorted(found) == [10, 11]
    assert found[11].outcome == "unknown_error"


def test_the_first_of_two_answers_counts() -> None:
    again = returned(0, value="again")
    found = read(FakeExchange([returned(0), again, returned(1), returned(2), returned(3)]))
    assert found[10].output == 0
    assert sorted(found) == [10, 11, 12, 13]


def test_output_is_cut_at_the_answers() -> None:
    claims = [returned(n, position=[2 * n + 2, n + 1]) for n in range(3)]
    seen = {"stdout": b"aabbcc", "stderr": b"xyz"}
    found = read(FakeExchange(claims, **seen), 3)
    assert [(each.stdout, each.stderr) for each in found.values()] == [
        ("aa", "x"),
        ("bb", "y"),
        ("cc", "z"),
    ]


@pytest.mark.parametrize(
    "position",
    [None, 7, [], [1], [1, 2, 3], ["1", "2"], [-5, -5], [True, True], [10**30, 10**30], {}],
)
def test_a_position_that_makes_no_sense_does_no_harm(position: Any) -> None:
    claims = [returned(0, position=position), returned(1, position=[4, 0])]
    found = read(FakeExchange(claims, stdout=b"abcd"), 2)
    assert len(found[10].stdout) + len(found[11].stdout) <= 4


def test_groups_are_bounded_by_count_and_size() -> None:
    inputs = [{"n": n} for n in range(200)]
    sizes = [len(group.indexes) for group in groups_of(REQUEST, range(200), inputs)]
    assert sizes == [GROUP_INPUTS] * 3 + [200 - 3 * GROUP_INPUTS]
    large = [{"x": "y" * 600_000} for _ in range(3)]
    assert [group.indexes for group in groups_of(REQUEST, range(3), large)] == [(0,), (1,), (2,)]
    alone = [group.indexes for group in groups_of(REQUEST, [5, 7], inputs, at_most=1)]
    assert alone == [(5,), (7,)]


def test_no_inputs_are_no_groups() -> None:
    assert list(groups_of(REQUEST, [], [])) == []
