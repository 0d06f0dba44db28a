import errno
import signal
from typing import Any

import pytest

from reverie.model.execution import Call, Expression, Limits, Policy, Pytest, Request, Script
from reverie.model.outcome import ErrorCategory, TestOutcome
from reverie.sandbox.classify import classify, judge_claim
from reverie.sandbox.observation import Ending, Observation

CALL = Request(Call("def f(x): return x", "f", {"x": 1}))
RETURNED = {"claim": "returned", "value": 7, "type": "int"}


def observed(ending: Ending = Ending.ANSWERED, **facts: Any) -> Observation:
    return Observation(ending, 0.01, **facts)


def error(kind: str, *ancestors: str, **more: Any) -> dict[str, Any]:
    return {
        "claim": "raised",
        "error": {"type": kind, "ancestors": [kind, *ancestors], "message": "words", **more},
    }


HOME = [["/usr/lib/python3/json.py", 3, "dumps"], ["<dream>", 2, "f"]]
AWAY = [["<dream>", 2, "f"], ["/usr/lib/python3/json.py", 3, "dumps"]]


@pytest.mark.parametrize(
    ("seen", "outcome", "category"),
    [
        pytest.param(observed(claim=RETURNED), "success", None, id="it returned"),
        pytest.param(
            observed(Ending.WALL, claim=RETURNED), "timeout", "timeout", id="the wall beats a claim"
        ),
        pytest.param(
            observed(Ending.WALL, oom_killed=True, memory_exceeded=True),
            "timeout",
            "timeout",
            id="what we did beats what the kernel did",
        ),
        pytest.param(
            observed(claim=RETURNED, oom_killed=True),
            "resource_exhaustion",
            "resource",
            id="the kernel killed for memory, whatever is claimed",
        ),
        pytest.param(
            observed(claim=RETURNED, memory_exceeded=True),
            "resource_exhaustion",
            "resource",
            id="the watch killed for memory, whatever is claimed",
        ),
        pytest.param(
            observed(Ending.GARBLED, claim=RETURNED, garble="junk"),
            "output_validation_failed",
            "validation",
            id="junk beats a claim",
        ),
        pytest.param(
            observed(Ending.GARBLED, oom_killed=True),
            "resource_exhaustion",
            "resource",
            id="memory beats junk",
        ),
        pytest.param(
            observed(Ending.SILENT, claim=RETURNED, wait_status=0),
            "unknown_error",
            "unknown",
            id="silence is not success",
        ),
        pytest.param(
            observed(Ending.ANSWERED), "unknown_error", "unknown", id="an answer without a claim"
        ),
        pytest.param(
            observed(Ending.SILENT), "unknown_error", "unknown", id="silence without a status"
        ),
        pytest.param(
            observed(Ending.SILENT, wait_status=3 << 8), "unknown_error", "unknown", id="exit 3"
        ),
        pytest.param(
            observed(Ending.SILENT, wait_status=signal.SIGSEGV),
            "runtime_error",
            "runtime",
            id="a crash",
        ),
        pytest.param(
            observed(Ending.SILENT, wait_status=signal.SIGSEGV | 0x80),
            "runtime_error",
            "runtime",
            id="a crash with a core",
        ),
        pytest.param(
            observed(Ending.SILENT, wait_status=40), "runtime_error", "runtime", id="odd signal"
        ),
        pytest.param(
            observed(Ending.SILENT, wait_status=signal.SIGKILL),
            "unknown_error",
            "unknown",
            id="killed by nobody known",
        ),
        pytest.param(
            observed(Ending.SILENT, wait_status=signal.SIGKILL, cpu_seconds=62.5),
            "resource_exhaustion",
            "resource",
            id="killed beyond the CPU limit",
        ),
        pytest.param(
            observed(Ending.SILENT, wait_status=signal.SIGXCPU),
            "resource_exhaustion",
            "resource",
            id="CPU limit",
        ),
    ],
)
def test_what_was_seen_decides_before_what_is_claimed(
    seen: Observation, outcome: str, category: str | None
) -> None:
    ruling = classify(CALL, seen)
    assert (ruling.outcome, ruling.category) == (outcome, category)
    if outcome != "success":
        assert ruling.output is None
        assert ruling.error is not None
        assert ruling.error.message


@pytest.mark.parametrize(
    ("claim", "outcome", "category"),
    [
        (RETURNED, "success", None),
        ({"claim": "not_compiled", "error": {"type": "SyntaxError"}}, "syntax_error", "syntax"),
        ({"claim": "not_plain", "error": {}}, "output_validation_failed", "validation"),
        ({"claim": "too_large"}, "output_validation_failed", "validation"),
        ({"claim": "died", "status": 0}, "unknown_error", "unknown"),
        ({"claim": "died", "status": int(signal.SIGSEGV)}, "runtime_error", "runtime"),
        ({"claim": "died", "status": int(signal.SIGXCPU)}, "resource_exhaustion", "resource"),
        (error("ValueError", "Exception"), "runtime_error", "runtime"),
        (error("Mine", "ValueError"), "runtime_error", "runtime"),
        (error("SyntaxError"), "runtime_error", "runtime"),
        (error("TimeoutError", "OSError"), "runtime_error", "runtime"),
        (error("TypeError", frames=HOME), "type_error", "type"),
        (error("Mine", "TypeError", frames=HOME), "type_error", "type"),
        (error("TypeError", frames=AWAY), "runtime_error", "runtime"),
        (error("TypeError", frames=AWAY, at_call=True), "type_error", "type"),
        (error("TypeError", frames=[], at_call=True), "type_error", "type"),
        (error("TypeError", frames=[]), "runtime_error", "runtime"),
        (error("TypeError", frames=AWAY, at_call="yes"), "runtime_error", "runtime"),
        (error("ModuleNotFoundError", "ImportError"), "runtime_error", "dependency"),
        (error("AssertionError"), "runtime_error", "logic"),
        (error("MemoryError"), "resource_exhaustion", "resource"),
        (error("RecursionError", "RuntimeError"), "runtime_error", "runtime"),
        (error("OSError", errno=errno.ENOSPC), "resource_exhaustion", "resource"),
        (error("OSError", errno=errno.EDQUOT), "resource_exhaustion", "resource"),
        (error("OSError", errno=errno.EFBIG), "resource_exhaustion", "resource"),
        (error("OSError", errno=errno.EMFILE), "resource_exhaustion", "resource"),
        (error("OSError", errno=errno.ENFILE), "resource_exhaustion", "resource"),
        (
            error("BlockingIOError", "OSError", errno=errno.EAGAIN),
            "resource_exhaustion",
            "resource",
        ),
        (error("OSError", errno=errno.ENOMEM), "resource_exhaustion", "resource"),
        (error("OSError", errno=errno.EPERM), "runtime_error", "runtime"),
        (error("OSError", errno=errno.ENOENT), "runtime_error", "runtime"),
        (error("ValueError", errno=errno.ENOSPC), "runtime_error", "runtime"),
        (
            error("RuntimeError", message="can't start new thread"),
            "resource_exhaustion",
            "resource",
        ),
        (error("ValueError", message="can't start new thread"), "runtime_error", "runtime"),
    ],
)
def test_a_claim_is_sorted(claim: dict[str, Any], outcome: str, category: str | None) -> None:
    ruling = classify(CALL, observed(claim=claim))
    assert (ruling.outcome, ruling.category) == (outcome, category)


def test_being_refused_is_the_output_limit_only_when_output_was_full() -> None:
    refused = error("PermissionError", "OSError", errno=errno.EPERM)
    assert classify(CALL, observed(claim=refused)).outcome == "runtime_error"
    full = classify(CALL, observed(claim=refused, output_full=True))
    assert full.outcome == "resource_exhaustion"
    assert full.error is not None
    assert full.error.message.startswith("output limit:")


def test_one_input_of_many_that_was_killed_for_memory_is_exhausted() -> None:
    claim = {"claim": "died", "status": int(signal.SIGKILL)}
    assert judge_claim(CALL, claim, observed()).outcome == "unknown_error"
    assert judge_claim(CALL, claim, observed(oom_killed=True)).outcome == "resource_exhaustion"


@pytest.mark.parametrize(
    "claim",
    [
        {},
        {"claim": None},
        {"claim": 7},
        {"claim": True},
        {"claim": ["returned"]},
        {"claim": {"claim": "returned"}},
        {"claim": "success"},
        {"claim": "Returned"},
        {"claim": "died"},
        {"claim": "died", "status": "0"},
        {"claim": "died", "status": -1},
        {"claim": "died", "status": 1 << 16},
        {"claim": "died", "status": 10**400},
        {"claim": "died", "status": 9.0},
        {"claim": "died", "status": True},
        {"claim": "returned", "exit_code": "0"},
        {"claim": "returned", "exit_code": 256},
        {"claim": "returned", "exit_code": -1},
        {"claim": "returned", "exit_code": True},
        {"claim": "returned", "exit_code": 10**400},
    ],
)
def test_a_claim_of_no_known_kind_is_unknown(claim: dict[str, Any]) -> None:
    assert classify(CALL, observed(claim=claim)).outcome == "unknown_error"


@pytest.mark.parametrize(
    "told",
    [
        None,
        7,
        [],
        "text",
        {"type": 7, "ancestors": {}, "message": [], "frames": 7, "errno": "x", "at_call": 1},
        {"ancestors": [7, None, ["TypeError"]], "frames": [[1, 2, 3], ["a", "b", "c"], [], "abc"]},
        {"frames": [["a", True, "b"], ["a", 1.5, "b"], ["a", 1], ["a", 1, "b", 2]]},
        {"type": "\ud800", "message": "\udfff" * 10, "frames": [["\ud800", 1, "\udfff"]]},
        {"type": "x" * 10_000, "message": "y" * 1_000_000},
        {"errno": 10**300, "ancestors": ["OSError"]},
        {"errno": True, "ancestors": ["OSError"]},
    ],
)
@pytest.mark.parametrize("claim", ["raised", "not_compiled", "not_plain"])
def test_an_error_described_in_any_way_is_described_in_bounds(claim: str, told: Any) -> None:
    ruling = classify(CALL, observed(claim={"claim": claim, "error": told}))
    assert ruling.outcome != "success"
    assert ruling.error is not None
    for text in (ruling.error.message, ruling.error.type_name, ruling.error.location):
        if text is not None:
            text.encode()
            assert len(text) <= 4000
    assert ruling.error.message


def test_a_value_is_made_encodable() -> None:
    value = {"\ud800": ["\udfff", {"x": "é"}], "n": [1, 2.5, None, True]}
    ruling = classify(CALL, observed(claim={"claim": "returned", "value": value}))
    assert ruling.output == {"?": ["?", {"x": "é"}], "n": [1, 2.5, None, True]}


def nested(depth: int) -> Any:
    value: Any = 0
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("value", [float("inf"), [float("nan")], nested(100_000), nested(301)])
def test_a_forged_value_that_json_cannot_carry_is_refused(value: Any) -> None:
    ruling = classify(CALL, observed(claim={"claim": "returned", "value": value}))
    assert ruling.outcome == "output_validation_failed"
    assert ruling.output is None


def test_the_declared_type_is_checked_here() -> None:
    wants_text = Request(CALL.target, expected_output_type="str")
    assert classify(wants_text, observed(claim=RETURNED)).outcome == "output_validation_failed"
    as_claimed = {"claim": "returned", "value": [1], "type": ["not", "text"]}
    wants_list = Request(CALL.target, expected_output_type="list[int]")
    assert classify(wants_list, observed(claim=as_claimed)).outcome == "success"


def test_a_program_fails_by_its_exit_code() -> None:
    def ruled(request: Request, code: int) -> tuple[str, str | None, int | None]:
        claim = {**RETURNED, "exit_code": code}
        ruling = classify(request, observed(claim=claim))
        return ruling.outcome, ruling.category, ruling.exit_code

    script, tests = Request(Script("")), Request(Pytest())
    assert ruled(script, 0) == ("success", None, 0)
    assert ruled(script, 1) == ("runtime_error", "runtime", 1)
    assert ruled(tests, 1) == ("runtime_error", "logic", 1)
    assert ruled(tests, 5) == ("runtime_error", "runtime", 5)


def test_the_place_of_an_error_is_named_without_the_checkout() -> None:
    request = Request(Expression("1"), Limits(), Policy(import_paths=("/checkout/src",)))
    frames = [["/checkout/src/pkg/mod.py", 3, "run"], ["/usr/lib/json.py", 9, "dumps"]]
    ruling = classify(request, observed(claim=error("ValueError", frames=frames)))
    assert ruling.error is not None
    assert ruling.error.location == "pkg/mod.py:run"
    assert ruling.error.traceback is not None
    assert ruling.error.traceback.count("\n") == 1


def test_every_outcome_can_be_reached() -> None:
    reached = {
        classify(CALL, seen).outcome
        for seen in (
            observed(claim=RETURNED),
            observed(Ending.WALL),
            observed(Ending.GARBLED),
            observed(Ending.SILENT, wait_status=0),
            observed(claim=error("TypeError", at_call=True)),
            observed(claim=error("ValueError")),
            observed(claim=error("MemoryError")),
            observed(claim={"claim": "not_compiled"}),
        )
    }
    assert reached == set(TestOutcome)


def test_every_category_can_be_reached() -> None:
    reached = {
        classify(CALL, observed(claim=claim)).category
        for claim in (
            error("TypeError", at_call=True),
            error("ValueError"),
            error("MemoryError"),
            error("ImportError"),
            error("AssertionError"),
            {"claim": "not_compiled"},
            {"claim": "too_large"},
            {"claim": "what?"},
        )
    }
    reached.add(classify(CALL, observed(Ending.WALL)).category)
    assert reached == set(ErrorCategory)
