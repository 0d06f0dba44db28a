"""The JSON contract of `reverie exec`: requests read strictly, executions written plainly.

With `--stream` a request comes per line and an answer goes out per line, in order.
"""

import json
import queue
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from reverie.bootstrap import open_sandbox
from reverie.errors import RequestError, ReverieError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.output import emit_json
from reverie.model.codec import pick
from reverie.model.execution import MIB, Call, Execution, Limits, Policy, Request, Script
from reverie.sandbox.engine import Sandbox

_FIELDS = {"code", "entry", "params", "timeout_s", "memory_mb", "expected_output_type"}


def parse_request(text: str, limits: Limits, policy: Policy) -> Request:
    """A request from one JSON object; `RequestError` names what is wrong with it."""
    document = _load(text)
    unknown = sorted(document.keys() - _FIELDS)
    if unknown:
        raise RequestError(f"unknown key in the request: {unknown[0]!r}")
    code = _field(document, "code", str, None)
    if code is None:
        raise RequestError("the request has no 'code'")
    entry = _field(document, "entry", str, None)
    params = _field(document, "params", dict, None) or {}
    wall = _number(document, "timeout_s", limits.wall_seconds)
    memory = _number(document, "memory_mb", limits.memory_bytes / MIB)
    expected = _field(document, "expected_output_type", str, None)
    target = Script(code, params=params) if entry is None else Call(code, entry, params)
    bounds = replace(limits, wall_seconds=wall, memory_bytes=int(memory * MIB))
    return Request(target, bounds, policy, expected)


def execution_document(execution: Execution) -> dict[str, Any]:
    """An execution with the keys of the contract first, and the rest of what is known."""
    return pick(
        execution,
        "outcome error_category output error=error.message stdout stderr duration_ms:3 isolation "
        "id traceback=error.traceback exit_code usage.cpu_seconds usage.peak_rss_bytes "
        "output_truncated changes changes_truncated code_hash",
        output=execution.output,
        changes=[pick(each, "path kind") for each in execution.changes],
    )


def failure_document(message: str, isolation: str) -> dict[str, Any]:
    """The answer when there is no execution to speak of: a bad request, or our own failure."""
    return {
        "outcome": "unknown_error",
        "error_category": "unknown",
        "output": None,
        "error": message,
        "stdout": "",
        "stderr": "",
        "duration_ms": 0,
        "isolation": isolation,
    }


def _load(text: str) -> dict[str, Any]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RequestError(f"the request is not JSON: {error}") from error
    if not isinstance(document, dict):
        raise RequestError(f"the request is a JSON {type(document).__name__}, not an object")
    return document


def _field(document: dict[str, Any], name: str, kind: type, default: Any) -> Any:
    value = document.get(name)
    if value is None:
        return default
    if not isinstance(value, kind):
        raise RequestError(f"{name!r} must be a {kind.__name__}, not {value!r:.60}")
    return value


def _number(document: dict[str, Any], name: str, default: float) -> float:
    value = document.get(name)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e9:
        raise RequestError(f"{name!r} must be a positive number, not {value!r:.60}")
    return float(value)


_Answer = tuple[dict[str, Any], int]
_AHEAD_PER_SLOT = 4


def serve_stream(app: App, policy: Policy, journal_url: str | None) -> int:
    """Answer until standard input ends; the exit code is the worst of the answers' own."""
    section = app.settings.sandbox
    answers: queue.Queue[Future[_Answer] | None] = queue.Queue(_AHEAD_PER_SLOT * section.slots)
    worst = [0]
    with open_sandbox(section, journal_url) as sandbox:
        printer = threading.Thread(target=_print_in_order, args=(answers, worst))
        printer.start()
        try:
            with ThreadPoolExecutor(section.slots) as workers:
                for line in sys.stdin.buffer:
                    if line.strip():
                        answers.put(workers.submit(_answer, sandbox, line, policy))
        finally:
            answers.put(None)
            printer.join()
    return worst[0]


def _answer(sandbox: Sandbox, line: bytes, policy: Policy) -> _Answer:
    try:
        text = line.decode("utf-8", "strict")
        execution = sandbox.run(parse_request(text, sandbox.section.limits(), policy))
    except UnicodeDecodeError as error:
        return failure_document(f"the request is not UTF-8: {error}", sandbox.section.tier), 2
    except ReverieError as error:
        return failure_document(str(error), sandbox.section.tier), error.exit_code
    return execution_document(execution), 0


def _print_in_order(answers: "queue.Queue[Future[_Answer] | None]", worst: list[int]) -> None:
    take: Callable[[], Future[_Answer] | None] = answers.get
    while (future := take()) is not None:
        document, code = future.result()
        worst[0] = max(worst[0], code)
        emit_json(document, on_one_line=True)
        sys.stdout.flush()
