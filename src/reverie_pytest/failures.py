"""What a failure is called: its class, its message, and the innermost frame in the repository."""

import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

from reverie_pytest.signature import failure_signature

_TEMPORARY = tempfile.gettempdir()  # asked now: a test may replace what it takes to find out
_NOT_THE_REPOSITORY = ("/site-packages/", "/dist-packages/", "/lib/python3")


@dataclass(frozen=True, slots=True)
class Failure:
    """A failure, as people read it and as its signature sees it."""

    error_class: str
    message: str
    signature: str


def failure_of(excinfo: pytest.ExceptionInfo[BaseException], root: Path, fallback: str) -> Failure:
    """Describe an exception; `fallback` is its place when no frame of the repository is in it."""
    error = excinfo.value
    if type(error).__name__ == "CollectError" and error.__cause__ is not None:
        error = error.__cause__
    told = _doctest_failure(error)
    if isinstance(told, str):
        return named_failure(type(error).__name__, told, fallback, root)
    error = told or error
    message = _message(error)
    place = _innermost(error.__traceback__, root) or fallback
    about = _statement(excinfo) if _is_told_by_pytest(error, message) else message
    name = type(error).__name__
    return Failure(name, message, named_failure(name, about, place, root).signature)


def named_failure(error_class: str, message: str, place: str, root: Path) -> Failure:
    """A failure without an exception, or whose message says it all."""
    told = message.replace(f"{root}/", "").replace(f"{_TEMPORARY}/", "/tmp/")
    told = f"{error_class}: {told}".rstrip(": ")
    return Failure(error_class, message, failure_signature(error_class, told, place))


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except Exception as second:  # noqa: BLE001  __str__ belongs to the code under test
        return f"(__str__ raised {type(second).__name__})"


def _is_told_by_pytest(error: BaseException, message: str) -> bool:
    """Whether the message shows the values of an assertion.

    How many of them it shows depends on pytest's version, its verbosity and the machine.
    """
    return isinstance(error, AssertionError) and (
        message.startswith("assert ") or "\nassert " in message
    )


def _statement(excinfo: pytest.ExceptionInfo[BaseException]) -> str:
    """The assertion as it is written: the same whatever the values were."""
    return " ".join(str(excinfo.traceback[-1].statement).split())


def _innermost(trace: TracebackType | None, root: Path) -> str | None:
    place = None
    roots = {f"{root}/", f"{os.path.realpath(root)}/"}
    while trace is not None:
        code = trace.tb_frame.f_code
        path = os.path.abspath(code.co_filename)
        for folder in roots:
            if path.startswith(folder) and not any(part in path for part in _NOT_THE_REPOSITORY):
                place = f"{path.removeprefix(folder)}:{getattr(code, 'co_qualname', code.co_name)}"
        trace = trace.tb_next
    return place


def _doctest_failure(error: BaseException) -> BaseException | str | None:
    """What a doctest expected, or the error its example raised; None for other errors."""
    doctest: Any = sys.modules.get("doctest")
    failures = getattr(error, "failures", None)
    if type(error).__name__ == "MultipleDoctestFailures" and failures:
        error = failures[0]
    if doctest is None:
        return None
    if isinstance(error, doctest.UnexpectedException):
        raised: BaseException = error.exc_info[1]
        return raised
    if isinstance(error, doctest.DocTestFailure):
        source, want, got = (
            " ".join(text.split()) for text in (error.example.source, error.example.want, error.got)
        )
        return f"{source}: expected {want}, got {got}"
    return None
