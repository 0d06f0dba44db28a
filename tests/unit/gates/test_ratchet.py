"""The ratchet: what was reached is not taken back, by a change or in the file itself."""

import json

import pytest

from reverie.gates.gate import Matter
from reverie.gates.judge import GUARDRAILS, PROOFS, judge
from reverie.gates.proof import BaselineGate, RatchetGate
from reverie.model.change import Change
from reverie.model.dream import Stage
from reverie.model.outcome import IsolationTier
from reverie.model.ruling import PATH, Answer, Baseline, Evidence, Lowering, Verdict, read_baseline

from .matters import edit, matter

CHANGE = Change((edit("a.py", "x = 1\n", "x = 2\n"),))
KEPT = Baseline({"coverage.lines": 0.8, "suite.passing": 40.0})


def with_baseline(
    measures: dict[str, float], baseline: dict[str, float] | None = None
) -> tuple[Answer, ...]:
    kept = KEPT.measures if baseline is None else baseline
    evidence = Evidence(measures, 0, IsolationTier.NONE, ())
    found = RatchetGate().judge(Matter(Stage.B, CHANGE, evidence, baseline=kept))
    return tuple(each.verdict for each in found)


@pytest.mark.parametrize(
    ("measures", "answers"),
    [
        ({"coverage.lines.after": 0.8, "suite.passing.after": 40}, ("pass",)),
        ({"coverage.lines.after": 0.9, "suite.passing.after": 41}, ("pass",)),
        ({"coverage.lines.after": 0.79, "suite.passing.after": 40}, ("fail",)),
        ({"coverage.lines.after": 0.8, "suite.passing.after": 39}, ("fail",)),
        ({"coverage.lines.after": 0.1, "suite.passing.after": 1}, ("fail", "fail")),
        ({"coverage.lines.after": 0.8}, ("hold",)),
        ({}, ("hold", "hold")),
    ],
)
def test_every_figure_is_held_against_its_baseline(
    measures: dict[str, float], answers: tuple[str, ...]
) -> None:
    assert with_baseline(measures) == answers


def test_a_rounding_is_no_loss() -> None:
    assert with_baseline({"coverage.lines.after": 0.7999999, "suite.passing.after": 40}) == (
        "pass",
    )


def test_where_nothing_is_kept_nothing_is_asked() -> None:
    (found,) = RatchetGate().judge(Matter(Stage.A, CHANGE))
    assert (found.verdict, found.reason) == (Answer.PASS, "there is no baseline to keep")
    assert with_baseline({}, {}) == (Answer.PASS,)


def test_it_stands_before_every_stage_that_can_be_promoted() -> None:
    for stage in (Stage.A, Stage.B, Stage.C):
        assert any(isinstance(gate, BaselineGate) for gate in GUARDRAILS[stage])
        assert any(isinstance(gate, RatchetGate) for gate in PROOFS[stage])


@pytest.mark.parametrize("stage", [Stage.A, Stage.B, Stage.C])
@pytest.mark.parametrize(
    "after",
    [
        pytest.param(Baseline({"coverage.lines": 0.7, "suite.passing": 40.0}).text(), id="lower"),
        pytest.param(Baseline({"coverage.lines": 0.8}).text(), id="left out"),
        pytest.param("{}", id="no baseline any more"),
        pytest.param(None, id="deleted"),
    ],
)
def test_a_change_that_lowers_the_file_is_refused(stage: Stage, after: str | None) -> None:
    found = judge(matter(edit(PATH, KEPT.text(), after), stage=stage))
    assert found.verdict is Verdict.REJECT
    codes = {each.reason_code for each in found.rulings}
    assert {"baseline_lowered", "own_file"} <= codes


def test_a_renamed_file_is_gone() -> None:
    moved = edit("elsewhere.json", KEPT.text(), KEPT.text(), renamed_from=PATH)
    (found,) = BaselineGate().judge(matter(moved, stage=Stage.B))
    assert found.reason_code == "baseline_lowered"


def test_raising_the_file_lowers_nothing_and_is_still_for_people_only() -> None:
    higher = KEPT.raised({"coverage.lines": 0.9})
    change = matter(edit(PATH, KEPT.text(), higher.text()), stage=Stage.B)
    assert [each.verdict for each in BaselineGate().judge(change)] == ["pass"]
    assert judge(change).verdict is Verdict.REJECT


def test_a_baseline_only_rises_by_measuring() -> None:
    risen = KEPT.raised({"coverage.lines": 0.5, "suite.passing": 50.0})
    assert risen.measures == {"coverage.lines": 0.8, "suite.passing": 50.0}
    assert Baseline().raised({"suite.passing": 3.0}).measures == {"suite.passing": 3.0}


def test_the_file_says_the_same_when_it_is_read_again() -> None:
    lowered = Lowering("suite.passing", 50.0, 40.0, "docs/decisions/1.md", ("signed",))
    kept = Baseline({"suite.passing": 40.0}, (lowered,))
    assert read_baseline(kept.text()) == kept


@pytest.mark.parametrize(
    "told",
    [
        [],
        {},
        {"version": 2, "measures": {}},
        {"version": 1},
        {"version": 1, "measures": {"speed": 1}},
        {"version": 1, "measures": {"suite.passing": "40"}},
        {"version": 1, "measures": {"suite.passing": True}},
        {"version": 1, "measures": {"suite.passing": float("nan")}},
        {"version": 1, "measures": {}, "lowered": {}},
        {"version": 1, "measures": {}, "lowered": [{"measure": "suite.passing"}]},
        {"version": 1, "measures": {}, "lowered": [
            {"measure": "a", "before": 1, "after": 0, "decision": "d", "approvals": [1]}
        ]},
    ],
)  # fmt: skip
def test_a_file_of_another_form_is_refused(told: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_baseline(json.dumps(told))
