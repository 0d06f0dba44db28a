"""Size, baseline, ratchet and canary: every answer with its words and its numbers."""

import ast
import json
from dataclasses import FrozenInstanceError, replace

import pytest

from reverie.gates.gate import Gate, Surroundings, not_measured, nothing_to_judge, ruled
from reverie.gates.governance import regression
from reverie.gates.integration import FrontGate
from reverie.gates.paths import PathsGate, SizeGate
from reverie.gates.production.contracts import ComplexityGate, ErrorsGate
from reverie.gates.production.reach import ReachGate
from reverie.gates.production.state import StateGate
from reverie.gates.production.surface import SurfaceGate
from reverie.gates.proof import BaselineGate, Bound, RatchetGate
from reverie.gates.python import Parsed
from reverie.gates.suite.chance import ChanceGate
from reverie.gates.suite.honesty import HonestyGate
from reverie.gates.suite.old_tests import KeptGate
from reverie.gates.suite.oracle import OracleGate
from reverie.gates.suite.reach import TestReachGate
from reverie.model.dream import Stage
from reverie.model.measurements.equivalence import CanaryFigures, CanaryPlan
from reverie.model.outcome import counted
from reverie.model.ruling import PATH, Answer, Baseline, Ruling
from reverie.model.settings.judgement import GuardSection

from .matters import edit, matter, proven

FILES = [edit(f"src/shop/m{n}.py", "a = 1\n", "a = 2\n") for n in range(4)]
LIMITS = GuardSection(test_files=1, files=2, lines=4)
KEPT = Baseline({"coverage.lines": 0.8, "suite.passing": 40.0})
STATIC: list[tuple[Gate, str]] = [
    (PathsGate(), "paths"), (SizeGate(), "size"), (BaselineGate(), "baseline"),
    (RatchetGate(), "ratchet"), (KeptGate(), "kept"), (OracleGate(), "oracle"),
    (HonestyGate(), "honesty"), (TestReachGate(), "test_reach"), (ChanceGate(), "chance"), (ErrorsGate(), "errors"),
    (ReachGate(), "reach"), (SurfaceGate(), "surface"), (StateGate(), "state"),
    (ComplexityGate(), "complexity"), (FrontGate(), "front"),
]  # fmt: skip


@pytest.mark.parametrize(("gate", "name"), STATIC)
def test_a_change_without_edits_is_nothing_to_judge(gate: Gate, name: str) -> None:
    held = Ruling(name, Answer.HOLD, "nothing_to_judge", "the change has no edits", None, None)
    assert gate.judge(matter()) == (held,) == nothing_to_judge(name)


VALUES = [
    *(gate for gate, _ in STATIC), Surroundings(), matter(), Bound("m", "c", "r"),
    Parsed("a.py", "", ast.parse("")),
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=lambda each: type(each).__name__)
def test_what_judges_is_a_value_that_nobody_changes(value: object) -> None:
    name = next(iter(type(value).__dataclass_fields__))  # type: ignore[attr-defined]
    assert not hasattr(value, "__dict__")
    assert value == replace(value)  # type: ignore[type-var]
    with pytest.raises(FrozenInstanceError):
        setattr(value, name, None)


def test_what_nobody_measured_is_named() -> None:
    found = not_measured("speed", "speed.p50")
    said = "nobody measured speed.p50"
    assert found == Ruling("speed", Answer.HOLD, "not_measured", said, None, "speed.p50")


def test_objections_stand_alone_and_without_any_there_is_one_pass() -> None:
    objection = not_measured("a", "b")
    assert ruled("a", [objection, objection], "fine") == (objection, objection)
    assert ruled("a", [], "fine") == (Ruling("a", Answer.PASS, "ok", "fine"),)


def test_a_matter_without_evidence_knows_no_measure_and_no_names() -> None:
    asked = matter(FILES[0])
    assert (asked.measured("a"), asked.named("a")) == (None, ())
    assert asked.baseline is None
    told = proven({"a": 0.0}, {"a": ("x", "y")})
    assert (told.measured("a"), told.measured("b")) == (0.0, None)
    assert (told.named("a"), told.named("b")) == (("x", "y"), ())
    assert Surroundings() == Surroundings(frozenset(), frozenset(), frozenset(), frozenset())


@pytest.mark.parametrize(
    ("stage", "count", "most"),
    [(Stage.A, 2, 1), (Stage.B, 3, 2), (Stage.C, 4, 2), (Stage.INTEGRATION, 3, 2)],
)
def test_files_are_counted_against_the_stage(stage: Stage, count: int, most: int) -> None:
    found = SizeGate().judge(matter(*FILES[:count], stage=stage, section=LIMITS))
    said = f"{stage.word} allows {counted(most, 'file')} in one change"
    assert found[0] == Ruling("size", Answer.FAIL, "too_many_files", said, count, most)
    (alone,) = SizeGate().judge(matter(*FILES[:most], stage=stage, section=LIMITS))
    told = f"{counted(most, 'file')}, {2 * most} lines"
    assert alone == Ruling("size", Answer.PASS, "ok", told)


def test_lines_are_counted_at_stage_b_alone() -> None:
    long = edit("src/shop/a.py", "a\nb\n", "c\nd\ne\n")
    (found,) = SizeGate().judge(matter(long, stage=Stage.B, section=LIMITS))
    said = "refactoring allows 4 changed lines"
    assert found == Ruling("size", Answer.FAIL, "too_many_lines", said, 5, 4)
    for stage in (Stage.A, Stage.C):
        (free,) = SizeGate().judge(matter(long, stage=stage, section=LIMITS))
        assert free.reason == "1 file, 5 lines"


def test_both_limits_are_told_at_once() -> None:
    found = SizeGate().judge(matter(*FILES[:3], stage=Stage.B, section=LIMITS))
    assert [each.reason_code for each in found] == ["too_many_files", "too_many_lines"]


def lowered(*pairs: tuple[str, str | None, str | None], moved: bool = False) -> list[Ruling]:
    edits = [edit(path, before, after, PATH if moved else None) for path, before, after in pairs]
    return list(BaselineGate().judge(matter(*edits, stage=Stage.B)))


GONE = Ruling(
    "baseline", Answer.FAIL, "baseline_lowered",
    "the baseline is gone, or cannot be read any more", PATH, None,
)  # fmt: skip
KEPT_WELL = Ruling("baseline", Answer.PASS, "ok", "the baseline is not lowered")


@pytest.mark.parametrize("after", [None, "{}", "[" * 100_000, "no json"])
def test_a_baseline_that_cannot_be_read_any_more_is_gone(after: str | None) -> None:
    assert lowered((PATH, KEPT.text(), after)) == [GONE]


def test_a_baseline_that_is_moved_is_gone_whatever_it_says() -> None:
    assert lowered(("other.json", KEPT.text(), KEPT.text()), moved=True) == [GONE]


def test_every_figure_that_is_lowered_or_left_out_is_told_by_name() -> None:
    less = Baseline({"coverage.lines": 0.7}).text()
    assert lowered((PATH, KEPT.text(), less)) == [
        Ruling("baseline", Answer.FAIL, "baseline_lowered", "coverage.lines is lowered", 0.7, 0.8),
        Ruling("baseline", Answer.FAIL, "baseline_lowered", "suite.passing is lowered", None, 40.0),
    ]


def test_a_baseline_as_high_as_before_is_not_lowered() -> None:
    assert lowered((PATH, KEPT.text(), KEPT.text())) == [KEPT_WELL]
    assert lowered((PATH, None, KEPT.text())) == [KEPT_WELL]
    assert lowered((PATH, "no json", "{}")) == [KEPT_WELL]


def test_other_files_beside_the_baseline_hide_nothing() -> None:
    others = [("src/a.py", "1", "2"), ("src/b.py", None, "1"), ("src/c.py", "1", None)]
    assert lowered(*others) == [KEPT_WELL]
    assert lowered(*others, (PATH, KEPT.text(), None)) == [GONE]
    twice = (PATH, KEPT.text(), None)
    assert lowered((PATH, "no json", None), twice, twice) == [GONE, GONE]


def test_a_figure_below_its_baseline_is_told_with_both_numbers() -> None:
    asked = proven({"a.after": 0.7, "b.after": 3.0}, baseline={"b": 3.0, "a": 0.8, "c": 1.0})
    assert list(RatchetGate().judge(asked)) == [
        Ruling(
            "ratchet", Answer.FAIL, "below_baseline",
            "a is below the baseline of the repository", 0.7, 0.8,
        ),
        not_measured("ratchet", "c.after"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("baseline", "value", "said"),
    [
        (None, 0.0, "there is no baseline to keep"),
        ({}, 0.0, "no figure is below its baseline"),
        ({"a": 0.8}, 0.8 - 5e-7, "no figure is below its baseline"),
    ],
)
def test_what_is_not_below_passes(
    baseline: dict[str, float] | None, value: float, said: str
) -> None:
    found = RatchetGate().judge(proven({"a.after": value}, baseline=baseline))
    assert found == (Ruling("ratchet", Answer.PASS, "ok", said),)


def test_a_loss_greater_than_rounding_is_a_loss() -> None:
    (found,) = RatchetGate().judge(proven({"a.after": 0.8 - 2e-6}, baseline={"a": 0.8}))
    assert found.verdict is Answer.FAIL


SLOW = CanaryFigures(1000, 100, 0, 0, 2.0, 2.5, 4.0, 5.0, 0.75)
PLAN = CanaryPlan(slower=1.25)


def test_a_canary_says_what_is_worse() -> None:
    assert regression(replace(SLOW, new_errors=3, differences=2), PLAN) == (
        "new_error: only the new version raises on 3 calls"
    )
    assert regression(replace(SLOW, differences=2), PLAN) == (
        "difference: 2 calls have different results"
    )
    told = "latency: 1.25 times the old median, 1.25 times the old p95"
    assert regression(SLOW, PLAN) == told
    slower_still = replace(SLOW, p95_new_ms=6.0)
    assert regression(slower_still, PLAN) == (
        "latency: 1.25 times the old median, 1.50 times the old p95"
    )


@pytest.mark.parametrize(
    "change",
    [
        {"compared": 99}, {"slower_share": 0.74}, {"slower_share": None}, {"p50_new_ms": 2.49},
        {"p95_new_ms": 4.99}, {"p50_old_ms": None}, {"p50_old_ms": 0.0}, {"p50_new_ms": None},
        {"p95_old_ms": None}, {"p95_old_ms": 0.0}, {"p95_new_ms": None},
    ],
)  # fmt: skip
def test_a_canary_needs_all_of_it_to_call_a_version_slow(change: dict[str, float | None]) -> None:
    assert regression(replace(SLOW, **change), PLAN) is None  # type: ignore[arg-type]


def test_a_baseline_is_read_from_the_text_of_the_change() -> None:
    text = json.dumps({"version": 1, "measures": {"suite.passing": 41}})
    assert lowered((PATH, text, KEPT.text()))[0].measured == 40.0
