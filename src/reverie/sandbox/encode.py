"""Requests on their way in, executions on their way out; and which function a source means."""

import ast
import os
from collections.abc import Iterable, Sequence
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
from reverie.syntax.nodes import Function
from reverie.syntax.parsing import NOT_PYTHON, parse_quietly

RESULT_NAME = "_result"
"""A script's output; assigned at the top level it says that the source is a script."""


def find_entry(code: str, names: Iterable[str]) -> str | None:
    """The function to call with these keyword arguments; None: run the source as a script.

    The one top-level function whose parameters fit; of several the last public one. When none
    fits, the last public one: the call then fails where its author can see it. A source
    without a function, or with a `_result` of its own, is a script, and so is one that does
    not parse: whoever runs it finds out why.
    """
    body = _parse(code)
    if any(_assigns_result(statement) for statement in body):
        return None
    functions = {each.name: each for each in body if isinstance(each, Function)}
    given = frozenset(names)
    fitting = [name for name, each in functions.items() if _fits(each.args, given)]
    return _last_public(fitting) or _last_public(list(functions))


def _parse(code: str) -> Sequence[ast.stmt]:
    try:
        return parse_quietly(code).body
    except NOT_PYTHON:
        return ()


def _assigns_result(statement: ast.stmt) -> bool:
    match statement:
        case ast.Assign(targets=targets):
            return any(_is_result(target) for target in targets)
        case ast.AnnAssign(target=target) | ast.AugAssign(target=target):
            return _is_result(target)
    return False


def _is_result(target: ast.expr) -> bool:
    return isinstance(target, ast.Name) and target.id == RESULT_NAME


def _fits(arguments: ast.arguments, given: frozenset[str]) -> bool:
    """Whether a call with exactly these keywords would bind."""
    by_position = [*arguments.posonlyargs, *arguments.args]
    required = by_position[: len(by_position) - len(arguments.defaults)]
    keyword_only = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    needed = {each.arg for each in required}
    needed |= {each.arg for each, default in keyword_only if default is None}
    accepted = {each.arg for each in (*arguments.args, *arguments.kwonlyargs)}
    if not needed <= given & accepted:
        return False
    return arguments.kwarg is not None or given <= accepted


def _last_public(names: list[str]) -> str | None:
    public = [name for name in names if not name.startswith("_")]
    return next(reversed(public or names), None)


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
