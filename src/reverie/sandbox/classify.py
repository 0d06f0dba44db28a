"""Whose fault was it? The one place that turns what was seen into an outcome.

The argument, in the order in which it is made; the first that applies decides:

1. *What we did* beats what it says. We stopped it at the wall: `timeout`, although it may
   have answered a moment before. A `TimeoutError` that the code raises is its own affair.
2. *What the kernel did* comes next. It had to kill for memory (the cgroup's OOM killer, or
   the zygote's watch over the whole tree), be it a child of something that answered later;
   or it killed at the CPU limit, with the warning signal or, where that was ignored, without:
   `resource_exhaustion`.
3. *An answer that is no answer* is never believed. Bytes on the channel without the nonce,
   a second answer, an endless or malformed one: the code wrote there itself, so the claim
   is dropped: `output_validation_failed`.
4. *Silence is not success.* A process that ended without an answer did not return, whatever
   its exit status. A signal that nobody here sent is its own crash (`runtime_error`);
   SIGKILL could also be a limit nobody can prove any more, and exit without a word explains
   nothing: `unknown_error`.
5. Only now *its claim* is read. Compilation failed: `syntax_error`. That includes source
   nested too deeply for the compiler; a `SyntaxError` raised while running is not one.
   A raised error is sorted by its class: memory, processes, files, disk and output are
   `resource_exhaustion`; a `TypeError` is a `type_error` if its innermost frame is in the
   code under test or the call itself did not fit; everything else is `runtime_error`.
   A result that JSON cannot carry unchanged is `output_validation_failed`.
6. A program (script, module, pytest) that ends with a status other than 0 failed.

The claim can lie about all of point 5. Nothing may be promoted because of it: comparisons
with expected values happen on the host, on what came back.
"""

import errno
import math
import os
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reverie.model.execution import ErrorReport, Pytest, Request
from reverie.model.measurements.output_type import mismatch
from reverie.model.outcome import ErrorCategory, TestOutcome
from reverie.sandbox.observation import Ending, Observation

DREAM_FILE = "<dream>"
_EXHAUSTED = {
    errno.ENOMEM: "memory",
    errno.ENOSPC: "disk",
    errno.EDQUOT: "disk",
    errno.EFBIG: "file size",
    errno.EMFILE: "open files",
    errno.ENFILE: "open files",
    errno.EAGAIN: "processes",
}
_THREAD_MESSAGE = "can't start new thread"
_MESSAGE_CHARACTERS = 4000
_DEEPEST = 300
"""Of lists and tables in one another, in a result."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the code did, and its error in words."""

    outcome: TestOutcome
    category: ErrorCategory | None
    error: ErrorReport | None = None
    output: Any = None
    exit_code: int | None = None


def classify(request: Request, seen: Observation) -> Ruling:
    """Whose fault it was, argued in the module's docstring."""
    if seen.ending is Ending.WALL:
        return _timeout(request)
    if seen.memory_exceeded or seen.oom_killed:
        return _exhausted("memory limit exceeded by the process tree")
    if seen.ending is Ending.GARBLED:
        return _fault(
            TestOutcome.OUTPUT_VALIDATION_FAILED,
            ErrorCategory.VALIDATION,
            f"not a valid answer: {seen.garble}",
        )
    if seen.ending is Ending.SILENT or seen.claim is None:
        return _died(request, seen.wait_status or 0, seen.cpu_seconds)
    return judge_claim(request, seen.claim, seen)


def judge_claim(request: Request, claim: Mapping[str, Any], seen: Observation) -> Ruling:
    """What the execution, or one input of many, says of itself, read with suspicion."""
    match claim.get("claim"):
        case "returned":
            return _returned(request, claim)
        case "not_compiled":
            return _errored(request, claim, TestOutcome.SYNTAX_ERROR, ErrorCategory.SYNTAX)
        case "raised":
            return _raised(request, claim, seen.output_full)
        case "not_plain":
            outcome = TestOutcome.OUTPUT_VALIDATION_FAILED
            return _errored(request, claim, outcome, ErrorCategory.VALIDATION)
        case "too_large":
            return _fault(
                TestOutcome.OUTPUT_VALIDATION_FAILED,
                ErrorCategory.VALIDATION,
                f"result larger than {request.limits.result_bytes} bytes",
            )
        case "died" if type(claim.get("status")) is int and 0 <= claim["status"] <= 0xFFFF:
            if seen.oom_killed and claim["status"] == signal.SIGKILL:
                return _exhausted("memory limit exceeded by the process tree")
            return _died(request, claim["status"])
        case _:
            return _fault(
                TestOutcome.UNKNOWN_ERROR, ErrorCategory.UNKNOWN, "an answer of no known kind"
            )


def _returned(request: Request, claim: Mapping[str, Any]) -> Ruling:
    code = claim.get("exit_code")
    if code is not None and not (type(code) is int and 0 <= code <= 0xFF):
        return _fault(TestOutcome.UNKNOWN_ERROR, ErrorCategory.UNKNOWN, "no exit status")
    if code:
        failed_tests = isinstance(request.target, Pytest) and code == 1
        category = ErrorCategory.LOGIC if failed_tests else ErrorCategory.RUNTIME
        message = "tests failed" if failed_tests else f"exit status {code}"
        ruling = _fault(TestOutcome.RUNTIME_ERROR, category, message)
        return Ruling(ruling.outcome, category, ruling.error, exit_code=code)
    wrong = None
    try:
        value = _clean(claim.get("value"))
        if request.expected_output_type is not None:
            wrong = mismatch(value, request.expected_output_type, _text(claim.get("type")))
    except (RecursionError, OverflowError):
        value, wrong = None, "a result nested too deeply, or with a number too large"
    if wrong is not None:
        return _fault(TestOutcome.OUTPUT_VALIDATION_FAILED, ErrorCategory.VALIDATION, wrong)
    return Ruling(TestOutcome.SUCCESS, None, None, value, code)


def _raised(request: Request, claim: Mapping[str, Any], output_full: bool) -> Ruling:
    error = _mapping(claim.get("error"))
    ancestors = _texts(error.get("ancestors"))
    resource = _resource_of(error, ancestors, output_full)
    if resource is not None:
        report = _report(request, error)
        message = f"{resource} limit: {report.message}"[:_MESSAGE_CHARACTERS]
        report = ErrorReport(message, report.type_name, report.location, report.traceback)
        return Ruling(TestOutcome.RESOURCE_EXHAUSTION, ErrorCategory.RESOURCE, report)
    if "TypeError" in ancestors and _is_at_home(request, error):
        return _errored(request, claim, TestOutcome.TYPE_ERROR, ErrorCategory.TYPE)
    if "ImportError" in ancestors:
        return _errored(request, claim, TestOutcome.RUNTIME_ERROR, ErrorCategory.DEPENDENCY)
    if "AssertionError" in ancestors:
        return _errored(request, claim, TestOutcome.RUNTIME_ERROR, ErrorCategory.LOGIC)
    return _errored(request, claim, TestOutcome.RUNTIME_ERROR, ErrorCategory.RUNTIME)


def _resource_of(error: Mapping[str, Any], ancestors: list[str], output_full: bool) -> str | None:
    """Which limit the error tells of, if any."""
    if "MemoryError" in ancestors:
        return "memory"
    if "OSError" in ancestors:
        number = error.get("errno")
        if number == errno.EPERM and output_full:
            return "output"
        if isinstance(number, int) and number in _EXHAUSTED:
            return _EXHAUSTED[number]
    if "RuntimeError" in ancestors and _THREAD_MESSAGE in _text(error.get("message")):
        return "processes"
    return None


def _is_at_home(request: Request, error: Mapping[str, Any]) -> bool:
    """Whether the innermost frame is the code under test, or our call of it did not fit."""
    if error.get("at_call") is True:
        return True
    frames = _frames(error)
    return bool(frames) and _is_under_test(request, frames[-1][0])


def _is_under_test(request: Request, file: str) -> bool:
    own = getattr(request.target, "path", DREAM_FILE)
    folders = _folders_under_test(request)
    return file in (DREAM_FILE, own) or any(file.startswith(f"{folder}/") for folder in folders)


def _folders_under_test(request: Request) -> tuple[str, ...]:
    return (*request.policy.import_paths, *request.policy.private_copies)


def _died(request: Request, status: int, cpu_seconds: float | None = None) -> Ruling:
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        allowed = request.limits.effective_cpu_seconds
        ignored_the_warning = number == signal.SIGKILL and (cpu_seconds or 0) >= allowed
        if number == signal.SIGXCPU or ignored_the_warning:
            return _exhausted(f"CPU limit of {allowed} s exceeded")
        name = signal.Signals(number).name if number in set(signal.Signals) else str(number)
        outcome, category = TestOutcome.RUNTIME_ERROR, ErrorCategory.RUNTIME
        if number == signal.SIGKILL:
            outcome, category = TestOutcome.UNKNOWN_ERROR, ErrorCategory.UNKNOWN
        return _fault(outcome, category, f"ended by signal {name} without an answer")
    code = os.WEXITSTATUS(status)
    message = f"ended with exit status {code} without an answer"
    return _fault(TestOutcome.UNKNOWN_ERROR, ErrorCategory.UNKNOWN, message)


def _timeout(request: Request) -> Ruling:
    message = f"stopped after {request.limits.wall_seconds:.3g} s of wall time"
    return _fault(TestOutcome.TIMEOUT, ErrorCategory.TIMEOUT, message)


def _exhausted(message: str) -> Ruling:
    return _fault(TestOutcome.RESOURCE_EXHAUSTION, ErrorCategory.RESOURCE, message)


def _fault(outcome: TestOutcome, category: ErrorCategory, message: str) -> Ruling:
    return Ruling(outcome, category, ErrorReport(message))


def _errored(
    request: Request, claim: Mapping[str, Any], outcome: TestOutcome, category: ErrorCategory
) -> Ruling:
    return Ruling(outcome, category, _report(request, _mapping(claim.get("error"))))


def _report(request: Request, error: Mapping[str, Any]) -> ErrorReport:
    kind = _scrub(_text(error.get("type"))[:200] or "Error")
    message = f"{kind}: {_text(error.get('message'))}".rstrip(": ")[:_MESSAGE_CHARACTERS]
    frames = _frames(error)
    lines = [f'  File "{file}", line {line}, in {name}' for file, line, name in frames]
    location = _location(request, frames)
    return ErrorReport(_scrub(message), kind, location, _scrub("\n".join(lines)) or None)


def _location(request: Request, frames: list[tuple[str, int, str]]) -> str | None:
    """The innermost frame under test, or else the innermost of all.

    A file is named from its import path on: the same bug has the same place in every checkout.
    """
    own = [frame for frame in frames if _is_under_test(request, frame[0])]
    if not own and not frames:
        return None
    file, _, name = (own or frames)[-1]
    for folder in _folders_under_test(request):
        file = file.removeprefix(f"{folder}/")
    return _scrub(f"{file}:{name}")


def _frames(error: Mapping[str, Any]) -> list[tuple[str, int, str]]:
    raw = error.get("frames")
    return [
        (frame[0], frame[1], frame[2])
        for frame in (raw if isinstance(raw, list) else [])
        if isinstance(frame, list) and [type(part) for part in frame] == [str, int, str]
    ]


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _scrub(text: str) -> str:
    """Text that every encoder can write."""
    return text.encode("utf-8", "replace").decode()


def _clean(value: Any, left: int = _DEEPEST) -> Any:
    """The claimed value with every string made encodable; it came from JSON, so it is a tree.

    A forged one can be as deep as the parser goes, and `1e999` is read as infinity. How deep
    Python itself goes differs from version to version, and a verdict may not.
    """
    if not left:
        raise RecursionError
    if isinstance(value, str):
        return value if value.isascii() else _scrub(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise OverflowError(value)
    if isinstance(value, list):
        return [_clean(item, left - 1) for item in value]
    if isinstance(value, dict):
        return {_scrub(key): _clean(item, left - 1) for key, item in value.items()}
    return value
