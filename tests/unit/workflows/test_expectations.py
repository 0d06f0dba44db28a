from datetime import UTC, datetime
from typing import Any

import pytest

from reverie.errors import UsageError
from reverie.model.execution import Execution, Usage
from reverie.model.outcome import IsolationTier, TestOutcome
from reverie.model.workflow import StepRun
from reverie.workflows.answers import first_difference, first_unmet


def step(name: str, output: Any, text: str | None = None) -> StepRun:
    execution = Execution(
        id="1",
        outcome=TestOutcome.SUCCESS,
        error_category=None,
        output=output,
        error=None,
        stdout="",
        stderr="",
        usage=Usage(0.1),
        isolation=IsolationTier.NAMESPACES,
        code_hash="",
        started_at=datetime(2024, 1, 1, tzinfo=UTC),
    )
    return StepRun(name, execution, output_text=text)


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        (1, 1),
        (1, 1.0),
        ((1, (2, "x")), [1, [2, "x"]]),
        ({"a": (1,)}, {"a": [1]}),
        (None, None),
        (True, True),
    ],
)
def test_equal_values_have_no_difference(expected: Any, found: Any) -> None:
    assert first_difference(expected, found) is None


@pytest.mark.parametrize(
    ("expected", "found", "difference"),
    [
        (1, 2, "result: expected 1, got 2"),
        (1, True, "result: expected 1, got True"),
        ([1, 2], [1, 3], "result[1]: expected 2, got 3"),
        ([1, 2], [1], "result: expected 2 items, got 1"),
        ({"a": {"b": 1}}, {"a": {"b": None}}, "result['a']['b']: expected 1, got None"),
        ({"a": 1}, {}, "result: key 'a' is missing"),
        ({}, {"z": 1, "y": 2}, "result: key 'y' was not expected"),
        ("x" * 500, "y", f"result: expected '{'x' * 98}…, got 'y'"),
        ([], {}, "result: expected [], got {}"),
    ],
)
def test_the_first_difference_is_named(expected: Any, found: Any, difference: str) -> None:
    assert first_difference(expected, found) == difference


STEPS = [step("load", [1]), step("shop.orders:total", 20)]
FILES = {"out.txt": b"one\ntwo\n", "deep/x.bin": b"\xff"}


@pytest.mark.parametrize(
    "expected",
    [
        {},
        {"load": [1], "shop.orders:total": 20, "total": 20},
        {"out.txt": "one\ntwo\n", "/deep/x.bin": b"\xff", "gone.txt": None},
    ],
)
def test_met(expected: dict[str, Any]) -> None:
    assert first_unmet(expected, STEPS, FILES) is None


@pytest.mark.parametrize(
    ("expected", "unmet"),
    [
        ({"load": [2]}, "load: result[0]: expected 2, got 1"),
        ({"total": 21}, "shop.orders:total: result: expected 21, got 20"),
        ({"out.txt": "one\n2\n"}, "out.txt: line 2: expected '2', got 'two'"),
        ({"out.txt": b"one\ntwo"}, "out.txt: line 3: expected no such line, got ''"),
        ({"deep/x.bin": "y"}, "deep/x.bin: line 1: expected 'y', got '\ufffd'"),
        ({"out.txt": None}, "out.txt: expected no such file"),
        ({"missing.txt": ""}, "missing.txt: no such file"),
    ],
)
def test_the_first_that_is_not_met(expected: dict[str, Any], unmet: str) -> None:
    assert first_unmet(expected, STEPS, FILES) == unmet


def test_a_value_that_json_cannot_hold_meets_nothing() -> None:
    odd = [step("make", None, text="<Thing at 0x1>")]
    assert first_unmet({"make": None}, odd, {}) == "make: expected None, got <Thing at 0x1>"


def test_a_key_that_is_no_step_needs_the_content_of_a_file() -> None:
    with pytest.raises(UsageError, match="'lod' is no step"):
        first_unmet({"lod": [1]}, STEPS, FILES)
