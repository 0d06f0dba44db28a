"""What a stressed run and a scenario come to."""

from collections.abc import Mapping
from typing import Any

import pytest

from reverie.model.measurements.stress import Preset, Survival
from reverie.model.outcome import TestOutcome as Outcome
from reverie.model.workflow import StepRun
from reverie.testing.fakes import finished
from reverie.workflows.scenarios.runs import Faults, StressedRun, read_claim
from reverie.workflows.scenarios.stress import Baseline, conclude, judge, judge_burst, output_of

PRESET = Preset("any", "high")
HOSTILE = {"kind": "none", "turn": 0, "source": "None"}
ACCIDENT = {"type": "KeyError", "message": "'price'", "where": "shop.py:f:3", "refused": False}
REFUSAL = {**ACCIDENT, "type": "ValueError", "refused": True}
BASELINE = Baseline("42", (0.1,) * 20, is_repeatable=True, expected={})


def stressed(
    claim: Mapping[str, Any], *, change: Mapping[str, Any] | None = None, **told: Any
) -> StressedRun:
    _, execution = finished(1, **told)
    step = read_claim(StepRun("shop:f", execution, "int", "42"), claim)
    return StressedRun(Faults(0, PRESET, 1, change), (step,), {})


def baseline_of(run: StressedRun, **changes: Any) -> Baseline:
    given = {"output": output_of(run), "seconds": (0.1,), "is_repeatable": True, "expected": {}}
    return Baseline(**{**given, **changes})


def test_a_refusal_is_an_answer_to_changed_input() -> None:
    assert judge(stressed({"raised": REFUSAL}, change=HOSTILE), BASELINE).passed
    assert judge(stressed({"raised": REFUSAL, "fired": {"dropped": 1}}), BASELINE).passed


def test_a_refusal_of_good_input_is_a_failure() -> None:
    found = judge(stressed({"raised": REFUSAL, "fired": {"delayed": 1}}), BASELINE)
    assert found.why == "ValueError: 'price' at shop.py:f:3"


def test_an_accident_is_no_answer() -> None:
    assert not judge(stressed({"raised": ACCIDENT}, change=HOSTILE), BASELINE).passed


def test_harm_fails_whatever_was_returned() -> None:
    found = judge(stressed({"raised": None, "harm": ["opened '/etc/passwd'"]}), BASELINE)
    assert found.why == "opened '/etc/passwd'"


def test_what_the_sandbox_ended_failed() -> None:
    run = stressed({}, outcome=Outcome.TIMEOUT, message="wall time")
    assert not judge(run, baseline_of(run)).passed


def test_another_result_is_told_and_an_expected_one_demanded() -> None:
    run = stressed({"raised": None})
    assert judge(run, baseline_of(run)).is_changed is False
    assert judge(run, baseline_of(run, output="other")).is_changed
    assert not judge(run, baseline_of(run, output="other", is_repeatable=False)).is_changed
    assert not judge(run, baseline_of(run, expected={"shop:f": 43})).passed


def burst(results: Mapping[str, int], errors: int = 0, **more: Any) -> StressedRun:
    return stressed({"results": results, "errors": errors, "fired": {"threads": 4}, **more})


def test_a_burst_is_compared_with_the_same_calls_in_turn() -> None:
    in_turn = burst({"a": 1, "b": 1, "c": 1, "d": 1})

    assert judge_burst(burst({"a": 1, "b": 1, "c": 1, "d": 1}), in_turn, BASELINE).passed
    found = judge_burst(burst({"a": 3, "b": 1}), in_turn, BASELINE)
    assert found.why == "2 of the results are not those of calls in turn"
    shaky = Baseline("42", (0.1,), is_repeatable=False, expected={})
    assert judge_burst(burst({"a": 3, "b": 1}), in_turn, shaky).passed
    broken = burst({"a": 3}, errors=1, raised=ACCIDENT)
    assert not judge_burst(broken, in_turn, shaky).passed


def test_a_scenario_without_proof_is_not_exercised() -> None:
    run = stressed({"raised": None})
    found = conclude(Preset("slow", "low", latency_ms=200), [run], [judge(run, BASELINE)], BASELINE)

    assert found.survival is Survival.NOT_EXERCISED
    assert found.degradation is None
    assert found.note == "there is no loopback network for the workflow to use"


def test_one_call_that_fails_fails_the_scenario() -> None:
    good = stressed({"raised": None, "fired": {"none": 1}, "seconds": 0.2}, change=HOSTILE)
    bad = stressed({"raised": ACCIDENT, "fired": {"none": 1}, "seconds": 0.2}, change=HOSTILE)
    runs = [good, good, good, bad]
    found = conclude(PRESET, runs, [judge(each, BASELINE) for each in runs], BASELINE)

    assert found.survival is Survival.FAILED
    assert (found.passed, found.calls, found.proof) == (3, 4, 4)
    assert found.degradation == pytest.approx(1 - 0.75 * 0.1 / 0.2)
    assert found.failed_step == "shop:f"


@pytest.mark.parametrize(
    "claim",
    [
        {"fired": [1], "harm": "no", "raised": 3, "exchanges": -1, "seconds": "soon"},
        {"fired": {"delayed": True, "lost": -3, "reset": 1e9}, "need": None, "results": 7},
    ],
)
def test_a_claim_that_makes_no_sense_claims_nothing(claim: dict[str, Any]) -> None:
    step = stressed(claim).steps[0]
    assert step.fired == {}
    assert step.harm == ()
    assert step.raised is None
    assert (step.exchanges, step.need_bytes, step.seconds) == (0, 0, None)
