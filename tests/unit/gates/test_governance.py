"""The foresight gate, the owner's rules, and the decision that follows."""

import math
from datetime import UTC, datetime, timedelta

import pytest

from reverie.errors import ConfigError
from reverie.gates.governance import (
    ExpressionError,
    Outlook,
    Question,
    apply_rules,
    decide_deployment,
    holds,
    parse_condition,
    parse_rules,
    unsafe_reasons,
)
from reverie.model.foresight import CollapseRisk, DeploymentVerdict, Override, ReasonCode, RiskLabel

NOW = datetime(2024, 6, 1, tzinfo=UTC)
STABLE = CollapseRisk(RiskLabel.STABLE, False, 0.1, 0.2, None, 0.9, 10)
KNOWN = {"raroi": 3.0, "tests": {"failed": 0}, "name": "x", "ready": True, "gone": None}


def risk(label: RiskLabel = RiskLabel.STABLE, *, brittle: bool = False, left: int | None = None):  # type: ignore[no-untyped-def]
    return CollapseRisk(label, brittle, 0.0, 0.0, left, 0.9, 10)


@pytest.mark.parametrize(
    ("outlook", "reasons"),
    [
        (Outlook([1.0, 2.0], 0.7, STABLE, {}), ()),
        (Outlook([1.0, 2.0], 0.6, STABLE, {"x": 0.0, "y": None}), ()),
        (Outlook([1.0, -0.1], 0.7, STABLE, {}), (ReasonCode.PROJECTED_ROI,)),
        (Outlook([1.0], 0.59, STABLE, {}), (ReasonCode.LOW_CONFIDENCE,)),
        (Outlook([1.0], 0.7, risk(RiskLabel.IMMEDIATE), {}), (ReasonCode.COLLAPSE,)),
        (Outlook([1.0] * 3, 0.7, risk(left=3), {}), (ReasonCode.COLLAPSE,)),
        (Outlook([1.0] * 3, 0.7, risk(left=4), {}), ()),
        (Outlook([1.0], 0.7, risk(brittle=True), {}), (ReasonCode.COLLAPSE,)),
        (Outlook([1.0], 0.7, STABLE, {"x": -0.1}), (ReasonCode.IMPACT,)),
        (Outlook([], 0.0, STABLE, {}), (ReasonCode.LOW_CONFIDENCE,)),
        (Outlook([], 0.9, STABLE, {}), (ReasonCode.UNKNOWN,)),
        (Outlook([math.nan], 0.9, STABLE, {}), (ReasonCode.UNKNOWN,)),
        (Outlook([1.0], math.nan, STABLE, {}), (ReasonCode.UNKNOWN, ReasonCode.LOW_CONFIDENCE)),
        (Outlook([1.0], 0.9, STABLE, {"x": math.nan}), (ReasonCode.UNKNOWN,)),
    ],
)
def test_each_condition_of_the_foresight_gate(
    outlook: Outlook, reasons: tuple[ReasonCode, ...]
) -> None:
    assert unsafe_reasons(outlook) == reasons


def question(*reasons: ReasonCode, **changes: object) -> Question:
    told = {"alignment": "pass", "lowest": 1.0, "bucket": False, **changes}
    return Question(
        "w", str(told["alignment"]), KNOWN, reasons, told["lowest"], 0.0, bool(told["bucket"])
    )  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("asked", "verdict"),
    [
        (question(), DeploymentVerdict.PROMOTE),
        (question(alignment="fail"), DeploymentVerdict.DEMOTE),
        (question(alignment=""), DeploymentVerdict.DEMOTE),
        (question(ReasonCode.LOW_CONFIDENCE), DeploymentVerdict.PILOT),
        (question(ReasonCode.LOW_CONFIDENCE, bucket=True), DeploymentVerdict.BORDERLINE),
        (question(ReasonCode.PROJECTED_ROI, lowest=-0.05), DeploymentVerdict.PILOT),
        (question(ReasonCode.PROJECTED_ROI, lowest=-0.06), DeploymentVerdict.DEMOTE),
        (question(ReasonCode.PROJECTED_ROI, lowest=None), DeploymentVerdict.DEMOTE),
        (question(ReasonCode.COLLAPSE), DeploymentVerdict.DEMOTE),
        (question(ReasonCode.IMPACT, ReasonCode.LOW_CONFIDENCE), DeploymentVerdict.DEMOTE),
        (question(ReasonCode.UNKNOWN), DeploymentVerdict.HOLD),
    ],
)
def test_each_verdict(asked: Question, verdict: DeploymentVerdict) -> None:
    assert decide_deployment(asked).verdict is verdict


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("raroi > 2", True),
        ("raroi > 2 and tests.failed == 0", True),
        ("not ready or raroi * 2 - 1 < -raroi", False),
        ("1 < raroi <= 3", True),
        ("name == 'x'", True),
        ("ready", True),
    ],
)
def test_conditions(text: str, truth: bool) -> None:
    assert holds(parse_condition(text), KNOWN) is truth


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')", "raroi.__class__.x", "[1]", "raroi ** 9", "lambda: 1", "1 if 1 else 2",
        "f'{raroi}'", "x[0]", "raroi := 1", "raroi in name", "", "1 +", "a" * 501,
        "not " * 60 + "ready",
        "nobody > 1", "gone > 1", "raroi / 0 > 1", "raroi", "name < 3", "tests > 1", "-name < 1",
        "ready + 1 > 1", "not raroi",
    ],
)  # fmt: skip
def test_what_is_not_of_the_language_or_not_known_is_an_error(text: str) -> None:
    with pytest.raises(ExpressionError):
        holds(parse_condition(text), KNOWN)


RULES = """
[[rule]]
name = "failing"
when = "tests.failed > 0"
verdict = "demote"
reason = "tests_fail"

[[rule]]
name = "dear"
when = "raroi < 5"
verdict = "pilot"
reason = "little_worth"
"""


def test_rules_only_tighten() -> None:
    rules = parse_rules(RULES)
    assert apply_rules(rules, KNOWN).verdict is DeploymentVerdict.PILOT
    assert decide_deployment(question(), rules).reason_codes == ("little_worth",)
    worse = decide_deployment(question(ReasonCode.COLLAPSE), rules)
    assert worse.verdict is DeploymentVerdict.DEMOTE


def test_a_rule_that_cannot_be_judged_is_a_hold() -> None:
    applied = apply_rules(parse_rules(RULES), {"raroi": 9.0})
    assert applied.verdict is DeploymentVerdict.HOLD
    assert applied.reasons == ("rule failing: nobody measured tests.failed",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rule = 3", "expected"),
        ("x = 1", "expected"),
        ("[[rule]]\nname = 'a'", "exactly"),
        (RULES.replace("demote", "explode"), "verdict 'explode'"),
        (RULES.replace("raroi < 5", "open('x')"), "Call is not part"),
        ("= ", "not valid TOML"),
    ],
)
def test_rules_that_are_none_are_refused_as_they_are_read(text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        parse_rules(text, "rules.toml")


def override(verdict: DeploymentVerdict, *, subject: str = "w", days: int = 1) -> Override:
    return Override(subject, verdict, "Ada", "seen", NOW + timedelta(days=days))


def test_a_persons_word_counts_until_it_expires_and_never_against_alignment() -> None:
    collapse = question(ReasonCode.COLLAPSE)
    word = [override(DeploymentVerdict.PROMOTE)]
    given = decide_deployment(collapse, overrides=word, now=NOW)
    assert (given.verdict, given.overridden_by) == (DeploymentVerdict.PROMOTE, "Ada")
    for other, now in (
        ([override(DeploymentVerdict.PROMOTE, days=-1)], NOW),
        ([override(DeploymentVerdict.PROMOTE, subject="v")], NOW),
        (word, None),
    ):
        assert decide_deployment(collapse, overrides=other, now=now).verdict == "demote"
    unaligned = question(alignment="warn")
    assert decide_deployment(unaligned, overrides=word, now=NOW).verdict == "demote"


SHORT = (ReasonCode.LOW_CONFIDENCE, ReasonCode.PROJECTED_ROI)


@pytest.mark.parametrize(
    ("reasons", "cycles", "verdict"),
    [
        ((), 0, "promote"),
        ((ReasonCode.LOW_CONFIDENCE,), None, "pilot"),
        ((ReasonCode.LOW_CONFIDENCE,), 0, "promote"),
        ((ReasonCode.LOW_CONFIDENCE,), 50, "promote"),
        (SHORT, None, "demote"),
        (SHORT, 4, "promote"),
        (SHORT, 5, "demote"),
        ((ReasonCode.COLLAPSE, ReasonCode.LOW_CONFIDENCE), 0, "demote"),
        ((ReasonCode.IMPACT, ReasonCode.LOW_CONFIDENCE), 3, "demote"),
        ((ReasonCode.UNKNOWN, ReasonCode.LOW_CONFIDENCE), 3, "hold"),
    ],
)
def test_what_a_history_says_against_a_change_that_was_proven_by_itself(
    reasons: tuple[ReasonCode, ...], cycles: int | None, verdict: str
) -> None:
    asked = Question("m", "pass", {"raroi": 1.0}, reasons, -9.0, 0.0, False, cycles)
    found = decide_deployment(asked)
    assert found.verdict == verdict
    assert set(found.reason_codes) == {str(each) for each in reasons}, "all of them are logged"


def test_reasons_that_count_come_first() -> None:
    text = '[[rule]]\nname = "r"\nwhen = "true_ == 1"\nverdict = "hold"\nreason = "wait"\n'
    reasons = (ReasonCode.LOW_CONFIDENCE, ReasonCode.COLLAPSE)
    asked = Question("m", "pass", {"true_": 1}, reasons, None, 0.0, False, 2)
    found = decide_deployment(asked, parse_rules(text))
    assert found.reason_codes == ("roi_collapse_risk", "wait", "low_confidence")
