"""From a finished execution to the rows it becomes.

Runs in the caller's thread, so it takes only what is kept: an entry waiting in the buffer
does not hold on to the output of its execution.
"""

import hashlib
import json
import math
from dataclasses import asdict
from functools import lru_cache
from typing import Any, NamedTuple

from reverie import __version__
from reverie.errors import UsageError
from reverie.model.execution import (
    Call,
    Execution,
    Expression,
    Limits,
    Module,
    Policy,
    Pytest,
    Request,
    Script,
    Target,
)
from reverie.model.failure import (
    ERROR_MESSAGE_CHARACTERS,
    ERROR_TYPE_CHARACTERS,
    SNIPPET_CHARACTERS,
    signature_of,
)
from reverie.store.clock import to_microseconds
from reverie.store.text import SOURCE_CHARACTERS, storable

_LARGEST_INTEGER = (1 << 63) - 1


class Terms(NamedTuple):
    """A row of `terms`."""

    terms_hash: str
    policy: str
    limits: str


class Code(NamedTuple):
    """A row of `code`."""

    code_hash: str
    source: str
    characters: int


class Failure(NamedTuple):
    """What one failure adds to a row of `failure_patterns`."""

    signature: str
    category: str
    message: str
    snippet: str
    seen_us: int


class Entry(NamedTuple):
    """Everything one execution adds to the journal."""

    row: tuple[Any, ...]  # in the order of `statements.EXECUTION_COLUMNS`
    terms: Terms
    failure: Failure | None
    code: Code | None

    @property
    def characters(self) -> int:
        """About how much memory it holds while it waits."""
        return len(self.code.source) if self.code is not None else 0


@lru_cache(maxsize=256)
def terms_of(policy: Policy, limits: Limits) -> Terms:
    """The JSON of both, made once for equal objects."""
    policy_json = json.dumps(asdict(policy), sort_keys=True)
    limits_json = json.dumps(asdict(limits), sort_keys=True)
    digest = hashlib.sha256(f"{policy_json}\n{limits_json}".encode()).hexdigest()
    return Terms(digest[:16], policy_json, limits_json)


def source_of(target: Target) -> str | None:
    """The source a target brings along, if any."""
    match target:
        case Expression(code) | Call(code) | Script(code):
            return code
        case Module() | Pytest():
            return None


def make_entry(request: Request, execution: Execution, *, with_code: bool) -> Entry:
    """The rows of one execution."""
    kind, entry = _kind_and_name(request.target)
    usage = execution.usage
    error = execution.error
    started_at_us = to_microseconds(execution.started_at)
    terms = terms_of(request.policy, request.limits)
    failure = _failure(request.target, execution, started_at_us)
    category = execution.error_category
    expected = request.expected_output_type
    row = (
        storable(execution.id),
        started_at_us,
        storable(execution.code_hash),
        terms.terms_hash,
        kind,
        None if entry is None else storable(entry),
        execution.outcome.value,
        None if category is None else category.value,
        None if error is None else _cut(error.type_name, ERROR_TYPE_CHARACTERS),
        None if error is None else _cut(error.message, ERROR_MESSAGE_CHARACTERS),
        None if failure is None else failure.signature,
        _measure(usage.wall_seconds * 1000.0),
        _measure(usage.cpu_seconds),
        _count(usage.peak_rss_bytes),
        execution.isolation.value,
        _count(execution.exit_code),
        execution.output_truncated,
        None if expected is None else storable(expected),
        __version__,
    )
    code = _code(request.target, execution.code_hash) if with_code else None
    return Entry(row, terms, failure, code)


def _kind_and_name(target: Target) -> tuple[str, str | None]:
    match target:
        case Call():
            return "call", target.entry
        case Expression():
            return "expression", None
        case Script():
            return "script", target.path
        case Module():
            return "module", target.name
        case Pytest():
            return "pytest", None


def _failure(target: Target, execution: Execution, seen_us: int) -> Failure | None:
    signature = signature_of(execution)
    if signature is None:
        return None
    error = execution.error
    message = "" if error is None else error.message[:ERROR_MESSAGE_CHARACTERS]
    category = execution.error_category
    return Failure(
        signature,
        "unknown" if category is None else category.value,
        storable(message),
        storable(_snippet(target)),
        seen_us,
    )


def _snippet(target: Target) -> str:
    match target:
        case Expression(code) | Call(code) | Script(code):
            text = code
        case Module(name, argv):
            text = " ".join(("python -m", name, *argv))
        case Pytest(args):
            text = " ".join(("pytest", *args))
    return text[:SNIPPET_CHARACTERS]


def _code(target: Target, code_hash: str) -> Code | None:
    source = source_of(target)
    if source is None:
        return None
    return Code(storable(code_hash), storable(source[:SOURCE_CHARACTERS]), len(source))


def _cut(text: str | None, characters: int) -> str | None:
    return None if text is None else storable(text[:characters])


def _measure(value: float | None) -> float | None:
    # SQLite stores NaN as NULL and PostgreSQL sorts it last: neither is a measure.
    return value if value is not None and math.isfinite(value) else None


def _count(value: int | None) -> int | None:
    # Refused here, where it concerns one execution, rather than in a batch of many.
    if value is not None and not -_LARGEST_INTEGER <= value <= _LARGEST_INTEGER:
        raise UsageError(f"a count that no database can hold: {value}")
    return value
