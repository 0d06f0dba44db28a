"""The program that runs inside, here in one process with this one, which it allows for."""

import collections
import dataclasses
import datetime
import decimal
from pathlib import Path
from typing import Any

import pytest

from reverie.instruments.benchmark.inside import side as one_side
from reverie.instruments.benchmark.inside import watch
from reverie.instruments.benchmark.inside.side import _quick_digest as quick
from reverie.instruments.benchmark.inside.side import _Raised
from reverie.instruments.benchmark.inside.side import _thorough_digest as thorough
from reverie.instruments.benchmark.target import parse_target


@dataclasses.dataclass
class Point:
    x: int
    y: object


NAN = float("nan")
CYCLE: list[Any] = [1]
CYCLE.append(CYCLE)
OTHER_CYCLE: list[Any] = [1]
OTHER_CYCLE.append(OTHER_CYCLE)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ({1, 2, 33, 64}, {64, 33, 2, 1}),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        (NAN, float("nan")),
        (0.0, -0.0),
        (Point(1, [2]), Point(1, [2])),
        (CYCLE, OTHER_CYCLE),
        (collections.Counter("aab"), collections.Counter("aba")),
        (decimal.Decimal("1.50"), decimal.Decimal("1.50")),
        (collections.OrderedDict(a=1), collections.OrderedDict(a=1)),
    ],
)
def test_equal_values_have_equal_digests(left: Any, right: Any) -> None:
    assert thorough(left) == thorough(right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1, True),
        (1, 1.0),
        ([1], (1,)),
        ("1", b"1"),
        (Point(1, 2), Point(2, 1)),
        (Point(1, 2), (1, 2)),
        ([1, 2], [2, 1]),
        (CYCLE, [1, [1]]),
        (datetime.date(2020, 1, 1), datetime.date(2020, 1, 2)),
        (_Raised(ValueError("a")), _Raised(ValueError("b"))),
        (_Raised(ValueError("a")), _Raised(KeyError("a"))),
        (frozenset({1}), {1}),
        (collections.Counter("aab"), collections.Counter("abb")),
    ],
)
def test_unequal_values_have_unequal_digests(left: Any, right: Any) -> None:
    assert thorough(left) != thorough(right)


def test_equal_quick_digests_come_from_equal_values_alone() -> None:
    name = "".join(["in", "terned"])
    assert quick([name, "interned", 1, None]) == quick(["interned", name, 1, None])
    assert quick([1]) != quick([True])
    assert quick([Point(1, 2)]) is None


def test_a_value_that_refuses_to_be_copied_is_compared_by_its_type() -> None:
    assert thorough(open) == thorough(open)
    with open(__file__) as one, open(__file__) as two:
        assert thorough(one) == thorough(two) != thorough([])


SOURCE = """
import functools
def steady(n): return list(range(n))
def other(n): return list(range(n)) + [0]
def sometimes(n): return list(range(n if n % 5 else 3))
def lazy(n): return iter(range(n))
def generated(n): yield from range(n)
def raises(n): raise ValueError(n)
def empties(items): items.clear()
def leaves(items): return None
def endless(n):
    while True: pass
def quits(n): raise SystemExit
class Kept:
    def __init__(self, n): self.n = n
    @functools.cached_property
    def twice(self): return 2 * self.n
def asks(kept): return kept.twice
def counts(kept): return 2 * kept.n
value = 3
"""


def run(  # type: ignore[no-untyped-def]
    tmp_path: Path,
    old: str,
    new: str,
    mode: str,
    call: str | list[str] = "_given(n + seed)",
    **more: int,
):
    (tmp_path / "case_file.py").write_text(SOURCE)
    targets = [parse_target(f"{tmp_path}/case_file.py:{name}").document() for name in (old, new)]
    sources = [call] if isinstance(call, str) else call
    order = {
        "old": targets[0],
        "new": targets[1],
        "inputs": {"kind": "expressions", "sources": sources, "preamble": ""},
        "n": 3,
        "seed": 0,
        "mode": mode,
        "round": 0,
        "first_calls": 1,
        "shared": True,
        "pin": 0,
        "slots": 4,
        "calls": 2,
        "warm": 1,
        "sample_ns": 1,
        "most_ns": 1,
        "least_calls": 1,
        "most_calls": 1,
        "most_sample_ns": 1 << 62,
        **more,
    }
    # Seeds of warm and cold calls are far away; as sizes they would be too large.
    watch._COLD_SEED, watch._WARM_SEED = 50, 70
    return watch._run_benchmark(**order)


@pytest.fixture(autouse=True)
def ordinary_collector() -> Any:
    import gc
    import sys

    yield
    gc.enable()
    for name in ("case_file",):
        sys.modules.pop(name, None)


def test_a_round_times_every_slot_on_both_sides(tmp_path: Path) -> None:
    found = run(tmp_path, "steady", "steady", "round")
    assert found["difference"] is None
    for side in ("old", "new"):
        assert len(found[side]["cpu_ns"]) == len(found[side]["wall_ns"]) == 4
        assert found[side]["raised"] == 0


def test_a_result_that_differs_stops_the_round(tmp_path: Path) -> None:
    found = run(tmp_path, "steady", "other", "round")
    assert found["difference"]["of"] == "results"
    assert found["difference"]["old"]["result"] == "[0, 1, 2]"
    assert found["difference"]["new"]["result"] == "[0, 1, 2, 0]"
    assert len(found["old"]["cpu_ns"]) == 1


def test_a_result_that_differs_once_is_found_where_it_does(tmp_path: Path) -> None:
    found = run(tmp_path, "steady", "sometimes", "round")
    assert found["difference"]["old"]["arguments"] == "((5,), {})"


def test_an_iterator_is_exhausted_and_is_not_a_list(tmp_path: Path) -> None:
    assert run(tmp_path, "generated", "lazy", "round")["difference"] is None
    found = run(tmp_path, "steady", "lazy", "round")
    assert found["difference"]["new"]["result"] == "an iterator over [0, 1, 2]"


def test_what_is_raised_is_a_result(tmp_path: Path) -> None:
    found = run(tmp_path, "raises", "raises", "round")
    assert found["difference"] is None
    assert found["old"]["raised"] == 8
    found = run(tmp_path, "steady", "raises", "round")
    assert found["difference"]["new"]["result"] == "raised ValueError: 3"


def test_arguments_left_differently_are_a_difference(tmp_path: Path) -> None:
    found = run(tmp_path, "leaves", "empties", "calibrate", call="_given([seed])")
    assert found["difference"]["of"] == "arguments"


def test_arguments_that_are_made_by_chance_are_the_same_on_both_sides(tmp_path: Path) -> None:
    call = "_given([__import__('random').random()])"
    assert run(tmp_path, "leaves", "leaves", "calibrate", call=call)["difference"] is None


def test_an_answer_that_an_object_keeps_is_no_difference(tmp_path: Path) -> None:
    call = "_given(Kept(n))"
    assert run(tmp_path, "asks", "counts", "calibrate", call=call)["difference"] is None


def test_the_same_inputs_again_are_counted_once(tmp_path: Path) -> None:
    more = {"sample_ns": 1 << 60, "most_ns": 1 << 60, "most_calls": 8}
    found = run(tmp_path, "steady", "steady", "calibrate", call="_given(n)", **more)
    assert (found["inputs"]["distinct"], found["inputs"]["of"]) == (1, found["calls"])
    found = run(tmp_path, "steady", "steady", "calibrate", **more)
    assert found["inputs"]["distinct"] == found["calls"] >= 8


def test_the_inputs_of_a_slow_callable_are_looked_at_as_well(tmp_path: Path) -> None:
    found = run(tmp_path, "steady", "steady", "calibrate", call="_given(n)")
    assert found["calls"] == 1
    assert found["inputs"] == {"distinct": 1, "of": 8}


def test_old_alone_tells_which_arguments_fit(tmp_path: Path) -> None:
    calls = ["_given(n)", "_given(None)", "_given(1 // 0)", "_given(n + 1)"]
    costs = run(tmp_path, "steady", "raises", "fit", calls=3, call=calls)["costs"]
    assert [each >= 0 for each in costs] == [True, False, False, True]


def test_arguments_that_take_too_long_do_not_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(one_side, "_MOST_FIT_SECONDS", 0.02)
    assert run(tmp_path, "endless", "steady", "fit", calls=1)["costs"] == [-1]


def test_a_batch_has_as_many_calls_as_are_asked_for(tmp_path: Path) -> None:
    found = run(tmp_path, "steady", "steady", "calibrate", least_calls=5)
    assert found["calls"] == 5


def test_memory_of_a_call_is_traced(tmp_path: Path) -> None:
    found = run(tmp_path, "steady", "generated", "trace", n=20_000)
    assert all(peak > 100_000 for peak in found["old"]["peaks"])
    assert len(found["old"]["peaks"]) == 4


@pytest.mark.parametrize(
    ("old", "call", "command", "error"),
    [
        ("nothing", "_given(n)", "load", "AttributeError"),
        ("value", "_given(n)", "load", "TypeError: 'value' is not callable"),
        ("steady", "_given(", "load", "SyntaxError"),
        ("steady", "nobody(n)", "prepare", "NameError"),
        ("steady", "7", "prepare", "TypeError"),
    ],
)
def test_what_cannot_be_done_is_told_with_its_step(
    tmp_path: Path, old: str, call: str, command: str, error: str
) -> None:
    failed = run(tmp_path, old, "steady", "round", call=call)["failed"]
    assert (failed["side"], failed["command"]) == ("old", command)
    assert failed["error"].startswith(error)


def test_the_share_of_what_is_watched_is_counted(tmp_path: Path) -> None:
    file = tmp_path / "deep_file.py"
    file.write_text(
        "def inner(n):\n    return sum(range(n))\n\n\n"
        "def outer(n, is_deep):\n    return inner(n) if is_deep else sum(range(n))\n",
        "utf-8",
    )
    target = {
        "file": str(file), "module": "deep_file", "root": str(tmp_path), "attribute": "outer",
        "watched": [[str(file), "inner"]],
    }  # fmt: skip
    sources = ["_given(n, True)", "_given(n, False)", "_given('n', True)", "_given(0, True)"]
    one = one_side._Side(target, {"kind": "expressions", "sources": sources, "preamble": ""})
    one.load()
    costs = one.fit(0, 3, 5000)["costs"]
    assert costs[1:3] == [-1, -1]
    assert 0 < costs[3] < costs[0] <= 1_000_000
