"""What governance says, word for word, and where exactly its bounds lie."""

import importlib
import math
import pkgutil
from collections.abc import Iterator
from dataclasses import is_dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

import reverie.gates
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
from reverie.model.codec import plain
from reverie.model.foresight import CollapseRisk, DeploymentVerdict, Override, ReasonCode, RiskLabel

NOW = datetime(2026, 6, 1, tzinfo=UTC)
KNOWN: dict[str, Any] = {
    "raroi": 3.0, "n": 0, "name": "x", "ready": True, "gone": None, "odd": math.nan,
    "far": math.inf, "some": {"deep": 2}, "list": [1],
}  # fmt: skip


def rule(**changed: str) -> str:
    table = {"name": "r", "when": "raroi < 5", "verdict": "hold", "reason": "wait", **changed}
    return "[[rule]]\n" + "".join(f"{key} = {value!r}\n" for key, value in table.items())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 +", "not an expression: '1 +'"),
        ("a" * 501, "longer than 500 characters"),
        ("f(1)", "Call is not part of the language"),
        ("a[0]", "Subscript is not part of the language"),
        ("f(1).x", "Call is not part of a name"),
        ("a if b else c", "IfExp is not part of the language"),
        ("a is b", "Compare is not part of the language"),
        ("a ** b", "BinOp is not part of the language"),
        ("~a", "UnaryOp is not part of the language"),
        ("None", "Constant is not part of the language"),
        ("not " * 26 + "a", "nested too deeply"),
    ],
)
def test_a_bad_condition_says_what_is_wrong(text: str, said: str) -> None:
    with pytest.raises(ExpressionError) as told:
        parse_condition(text)
    assert str(told.value) == said


def test_the_bounds_of_a_condition() -> None:
    assert holds(parse_condition("ready" + " " * 495), KNOWN)
    assert holds(parse_condition("not " * 24 + "ready"), KNOWN)
    assert not holds(parse_condition("not " * 25 + "ready"), KNOWN)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("raroi", "a condition has to be true or false"),
        ("gone > 1", "nobody measured gone"),
        ("odd > 1", "nobody measured odd"),
        ("odd != 1", "nobody measured odd"),
        ("far > 1", "nobody measured far"),
        ("some.other > 1", "nobody measured some.other"),
        ("raroi.x > 1", "nobody measured raroi.x"),
        ("some == 1", "some is no single value"),
        ("list == 1", "list is no single value"),
        ("name + 1 > 2", "'x' is no number"),
        ("-name > 2", "'x' is no number"),
        ("ready + 1 > 1", "True is no number"),
        ("raroi / n > 1", "float division by zero"),
        ("name > 1", "'x' and 3.0 are not compared".replace("3.0", "1")),
        ("1 < name", "1 and 'x' are not compared"),
        ("ready and raroi", "a condition has to be true or false"),
    ],
)
def test_what_cannot_be_said_is_not_guessed(text: str, said: str) -> None:
    with pytest.raises(ExpressionError) as told:
        holds(parse_condition(text), KNOWN)
    assert str(told.value) == said


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("raroi > -3", True),
        ("-raroi < -2.9", True),
        ("-raroi < 3.1 and -raroi > 0", False),
        ("1 < raroi < 5", True),
        ("1 < raroi < 2", False),
        ("raroi - 1 == 2", True),
        ("raroi + 1 == 4", True),
        ("raroi * 2 == 6", True),
        ("raroi / 2 == 1.5", True),
        ("some.deep >= 2", True),
        ("some.deep <= 1", False),
        ("name != 'y'", True),
        ("ready or gone > 1", True),
        ("not ready and gone > 1", False),
    ],
)
def test_a_condition_holds_or_not(text: str, answer: bool) -> None:
    assert holds(parse_condition(text), KNOWN) is answer


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = ", "f: not valid TOML: "),
        ("other = 1", "f: expected [[rule]] tables and nothing else"),
        ("rule = 1", "f: expected [[rule]] tables and nothing else"),
        ("[[rule]]\nname = 'a'", "f: rule 1: expected exactly name, reason, verdict, when"),
        (rule() + rule(verdict="x"), "f: rule 2: verdict 'x' is none of promote, pilot, "
                                     "borderline, hold, demote"),
        (rule(reason=" "), "f: rule 1: every value is a text that is not empty"),
        (rule().replace("'wait'", "3"), "f: rule 1: every value is a text that is not empty"),
        (rule(when="f()"), "f: rule 1: when = 'f()': Call is not part of the language"),
    ],
)  # fmt: skip
def test_bad_rules_say_where_and_what(text: str, said: str) -> None:
    with pytest.raises(ConfigError) as told:
        parse_rules(text, "f")
    assert str(told.value).startswith(said)
    assert not str(told.value).endswith("XX")


def test_rules_need_no_place_and_may_be_none() -> None:
    assert parse_rules("") == ()
    with pytest.raises(ConfigError, match=r"^the rules: expected"):
        parse_rules("x = 1")


def test_a_rule_that_cannot_be_judged_says_so() -> None:
    found = apply_rules(parse_rules(rule(when="gone > 1")), KNOWN)
    assert (found.verdict, found.reasons) == ("hold", ("rule r: nobody measured gone",))


CALM = CollapseRisk(RiskLabel.STABLE, False, 0.0, 0.0, None, 0.9, 10)


def test_a_projection_on_the_bar_is_good_enough() -> None:
    assert unsafe_reasons(Outlook([0.0], 0.6, CALM, {})) == ()
    assert unsafe_reasons(Outlook([0.5], 0.6, CALM, {})) == ()
    assert unsafe_reasons(Outlook([0.5], 0.6, CALM, {}), 0.5) == ()
    assert unsafe_reasons(Outlook([0.4], 0.6, CALM, {}), 0.5) == (ReasonCode.PROJECTED_ROI,)


QUESTION = Question("m", "pass", {"raroi": 1.0}, (), None, 0.0, False)


def test_a_decision_carries_what_it_rests_on() -> None:
    found = decide_deployment(QUESTION)
    assert plain(found) == {
        "verdict": "promote",
        "reason_codes": [],
        "figures": {"raroi": 1.0, "alignment": "pass"},
        "overridden_by": None,
    }
    failed = decide_deployment(replace(QUESTION, alignment="fail"))
    assert (failed.verdict, failed.reason_codes) == ("demote", ("alignment_not_passed",))
    assert failed.figures == {"raroi": 1.0}


def test_what_is_near_the_bar_is_on_the_border() -> None:
    both = (ReasonCode.LOW_CONFIDENCE, ReasonCode.PROJECTED_ROI)
    for lowest, verdict in ((-0.05, "pilot"), (-0.06, "demote"), (None, "demote"),
                            (math.nan, "demote")):  # fmt: skip
        asked = replace(QUESTION, reasons=both, lowest_projected=lowest)
        assert decide_deployment(asked).verdict == verdict
    near = replace(QUESTION, reasons=both, lowest_projected=-0.05, has_bucket=True)
    assert decide_deployment(near).verdict == "borderline"


def test_the_last_word_counts_until_the_moment_it_expires() -> None:
    first = Override("m", DeploymentVerdict.HOLD, "Ada", "x", NOW + timedelta(days=1))
    second = replace(first, verdict=DeploymentVerdict.DEMOTE, name="Eve")
    found = decide_deployment(QUESTION, overrides=(first, second), now=NOW)
    assert (found.verdict, found.overridden_by) == ("demote", "Eve")
    over = replace(first, expires_at=NOW)
    assert decide_deployment(QUESTION, overrides=(over,), now=NOW).verdict == "promote"
    assert decide_deployment(QUESTION, overrides=(first,)).verdict == "promote"


def dataclasses_of(package: Any) -> Iterator[type]:
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        module = importlib.import_module(found.name)
        for value in vars(module).values():
            if isinstance(value, type) and is_dataclass(value) and value.__module__ == found.name:
                yield value


def test_values_are_frozen_and_have_slots() -> None:
    loose = [
        each.__qualname__
        for each in dataclasses_of(reverie.gates)
        if "__slots__" not in vars(each) or not each.__dataclass_params__.frozen  # type: ignore[attr-defined]
    ]
    assert loose == ["ReadFile"], "it remembers what it has read"
