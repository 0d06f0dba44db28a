import json
import math
from typing import Any

import pytest

from reverie.sandbox.inside import report


class Text(str):
    pass


@pytest.mark.parametrize(
    "value",
    [None, True, 0, -(10**50), 1.5, -0.0, "", "é😀\0", [], {}, [1, [2, {"a": None}]], {"": []}],
)
def test_plain_values_pass_unchanged(value: Any) -> None:
    assert report.plain(value) == value
    assert json.loads(json.dumps(report.plain(value))) == value


def test_a_tuple_becomes_a_list() -> None:
    assert report.plain((1, (2,))) == [1, [2]]


def deep(levels: int) -> Any:
    value: Any = 0
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    [
        math.nan,
        math.inf,
        [-math.inf],
        {1},
        b"x",
        1j,
        object(),
        len,
        Text("x"),
        {Text("x"): 1},
        {1: 2},
        {None: 1},
        "\ud800",
        {"\udfff": 1},
        type("I", (int,), {})(1),
        type("D", (dict,), {})(a=1),
        type("L", (list,), {})(),
        deep(250),
        deep(5000),
    ],
)
def test_what_json_would_change_is_refused(value: Any) -> None:
    with pytest.raises(report.NotPlain):
        report.plain(value)


def test_two_hundred_levels_are_deep_enough() -> None:
    assert report.plain(deep(200)) == deep(200)


class Hostile(Exception):
    @property
    def errno(self) -> int:
        raise SystemExit

    def __str__(self) -> str:
        raise MemoryError

    def __getattribute__(self, name: str) -> Any:
        if name in ("__traceback__", "__class__"):
            raise ZeroDivisionError
        return super().__getattribute__(name)


def raised(error: BaseException) -> dict[str, Any]:
    try:
        raise error
    except BaseException as caught:  # noqa: BLE001  whatever it is, it is described
        return report.describe(caught)


def test_an_error_is_described_in_json() -> None:
    told = raised(FileNotFoundError(2, "nothing there"))
    assert told["type"] == "FileNotFoundError"
    assert told["ancestors"][:2] == ["FileNotFoundError", "OSError"]
    assert told["errno"] == 2
    assert told["frames"][-1][0] == __file__
    assert told["frames"][-1][2] == "raised"
    assert told["at_call"] is False
    json.dumps(told)


def test_a_hostile_error_is_described_all_the_same() -> None:
    told = raised(Hostile())
    assert told["type"] == "Hostile"
    assert told["errno"] is None
    assert told["message"] == "(no memory to format the message)"
    assert told["frames"]
    json.dumps(told)


def test_texts_and_frames_are_bounded() -> None:
    def dive(depth: int) -> None:
        if depth:
            dive(depth - 1)
        raise ValueError("x" * 100_000)

    with pytest.raises(ValueError, match="x") as caught:
        dive(300)
    told = report.describe(caught.value)
    assert len(told["message"]) == report.MESSAGE_CHARACTERS
    assert len(told["frames"]) == 20


def test_a_class_with_a_strange_name() -> None:
    told = raised(type("é" * 1000, (Exception,), {})("\ud800"))
    assert told["type"] == "é" * 200
    assert told["message"] == "?"


def test_many_ancestors_are_cut() -> None:
    kind: type = Exception
    for number in range(50):
        kind = type(f"E{number}", (kind,), {})
    assert len(raised(kind())["ancestors"]) == 20


def test_an_errno_that_is_no_number_is_left_out() -> None:
    class Odd(Exception):
        errno = "12"

    assert raised(Odd())["errno"] is None
