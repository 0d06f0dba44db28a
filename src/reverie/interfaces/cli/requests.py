"""The JSON contract of `reverie exec`: requests read strictly, executions written plainly."""

import json
from dataclasses import replace
from typing import Any

from reverie.errors import RequestError
from reverie.model.codec import pick
from reverie.model.execution import MIB, Call, Execution, Limits, Policy, Request, Script

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
