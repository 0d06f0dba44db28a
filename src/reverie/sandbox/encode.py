"""Requests on their way in, executions on their way out."""

import os
from datetime import datetime
from json.encoder import encode_basestring_ascii
from typing import Any

from reverie.errors import RequestError
from reverie.model.execution import (
    Call,
    ChangeKind,
    Execution,
    Expression,
    FileChange,
    Limits,
    Module,
    Pytest,
    Request,
    Script,
    Usage,
)
from reverie.model.outcome import IsolationTier
from reverie.sandbox.classify import Ruling
from reverie.sandbox.inside import frames
from reverie.sandbox.observation import Observation

_KINDS = frozenset(ChangeKind)
_ESCAPED_BYTES = 6
_SHORT_ESCAPES = '"\\\b\f\n\r\t'
_CUT_CHARACTERS = 256


def encode(request: Request, **instead: Any) -> bytes:
    """The request as the runner reads it; `RequestError` when JSON cannot carry it."""
    target = request.target
    document: dict[str, Any] = {"limits": _limits(request.limits), "seed": request.policy.seed}
    match target:
        case Expression(code):
            document |= {"kind": "expression", "code": code}
        case Call(code, entry, params):
            document |= {"kind": "call", "code": code, "entry": entry, "params": dict(params)}
        case Script(code, argv, params, path):
            document |= {"kind": "script", "code": code, "argv": argv, "path": path}
            document |= {"params": dict(params)}
        case Module(name, argv):
            document |= {"kind": "module", "name": name, "argv": argv}
        case Pytest(args):
            document |= {"kind": "pytest", "args": args}
    try:
        return frames.encode_request(document | instead)
    except (TypeError, ValueError, RecursionError) as error:
        raise RequestError(f"the request cannot be written as JSON: {error}") from error


def _limits(limits: Limits) -> dict[str, int]:
    return {
        "cpu_seconds": limits.effective_cpu_seconds,
        "memory_bytes": limits.memory_bytes,
        "processes": limits.processes,
        "open_files": limits.open_files,
        "file_bytes": limits.file_bytes,
        "result_bytes": limits.result_bytes,
    }


def conclude(
    request: Request,
    seen: Observation,
    ruling: Ruling,
    tier: IsolationTier,
    started_at: datetime,
) -> Execution:
    """An execution from what was seen and how it was ruled."""
    stdout, stdout_cut = _text(seen.stdout, request.limits.output_bytes)
    stderr, stderr_cut = _text(seen.stderr, request.limits.output_bytes)
    return Execution(
        id=os.urandom(16).hex(),
        outcome=ruling.outcome,
        error_category=ruling.category,
        output=ruling.output,
        error=ruling.error,
        stdout=stdout,
        stderr=stderr,
        usage=Usage(seen.wall_seconds, seen.cpu_seconds, seen.peak_rss_bytes),
        isolation=tier,
        code_hash=request.code_hash,
        started_at=started_at,
        exit_code=ruling.exit_code,
        output_truncated=seen.output_full or stdout_cut or stderr_cut,
        changes=_changes(seen),
        changes_truncated=not seen.changes_complete,
    )


def _text(data: bytes, at_most: int) -> tuple[str, bool]:
    """Output as text, and whether it had to be cut: what is no text grows when it is made some.

    It is counted as JSON carries it, in which a control character or one beyond ASCII takes six
    bytes or twelve, but for the short escapes, of which every text is full.
    """
    text = data.decode("utf-8", "replace")
    if len(data) * _ESCAPED_BYTES <= at_most or _carried_bytes(text) <= at_most:
        return text, False
    kept: list[str] = []
    for start in range(0, len(text), _CUT_CHARACTERS):
        part = text[start : start + _CUT_CHARACTERS]
        at_most -= _carried_bytes(part)
        if at_most < 0:
            break
        kept.append(part)
    return "".join(kept), True


def _carried_bytes(text: str) -> int:
    short = sum(text.count(character) for character in _SHORT_ESCAPES)
    return len(encode_basestring_ascii(text)) - len('""') - short


def _changes(seen: Observation) -> tuple[FileChange, ...]:
    """The zygote has imported foreign code: its list is believed as far as it makes sense."""
    return tuple(
        FileChange(_name(path), ChangeKind(kind)) for kind, path in seen.changes if kind in _KINDS
    )


def _name(path: str) -> str:
    """A file's name as text; two names never become one, as they would by replacing bytes."""
    try:
        return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:  # no name of a file: somebody made it up
        return path.encode("utf-8", "backslashreplace").decode()
