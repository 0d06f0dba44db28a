"""What a failure is called: its class, its message, and the innermost frame in the repository."""

import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from reverie_pytest.signature import failure_signature

_ASSERTION_CHARACTERS = 100
"""Of a rewritten assertion. Further on, its values are cut as `-v` and the machine say."""

_NOT_THE_REPOSITORY = ("/site-packages/", "/dist-packages/", "/lib/python3")


@dataclass(frozen=True, slots=True)
class Failure:
    """A failure, as its signature sees it."""

    error_class: str
    message: str
    location: str
    root: str

    @property
    def signature(self) -> str:
        """The same on every machine and in every run."""
        told = _without_places(_told_by_pytest(self.error_class, self.message), self.root)
        told = f"{self.error_class}: {told}".rstrip(": ")
        return failure_signature(self.error_class, told, self.location)


def failure_of(error: BaseException, root: Path, fallback: str) -> Failure:
    """Describe an exception; `fallback` is its place when no frame of the repository is in it."""
    told = _doctest_failure(error)
    if isinstance(told, str):
        return Failure(type(error).__name__, told, fallback, str(root))
    error = told or error
    place = _innermost(error.__traceback__, root) or fallback
    return Failure(type(error).__name__, _message(error), place, str(root))


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except Exception as second:  # noqa: BLE001  __str__ belongs to the code under test
        return f"(__str__ raised {type(second).__name__})"


def _innermost(trace: TracebackType | None, root: Path) -> str | None:
    place = None
    roots = {f"{root}/", f"{os.path.realpath(root)}/"}
    while trace is not None:
        code = trace.tb_frame.f_code
        path = os.path.abspath(code.co_filename)
        for folder in roots:
            if path.startswith(folder) and not any(part in path for part in _NOT_THE_REPOSITORY):
                place = f"{path.removeprefix(folder)}:{code.co_qualname}"
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


def _told_by_pytest(error_class: str, message: str) -> str:
    """The message without what pytest adds, which depends on its version and verbosity."""
    if error_class != "AssertionError":
        return message
    own, separator, _ = message.partition("\nassert ")
    if separator:
        return own
    if not message.startswith("assert "):
        return message
    line = message.partition("\n")[0]
    head = line[:_ASSERTION_CHARACTERS]
    quote = max("'\"", key=head.rfind)
    is_open = len(line) > len(head) and head.count(quote) % 2 == 1
    return head[: head.rfind(quote)] if is_open else head


def _without_places(message: str, root: str) -> str:
    """The message without where the repository and temporary files lie on this machine."""
    return message.replace(f"{root}/", "").replace(f"{tempfile.gettempdir()}/", "/tmp/")
