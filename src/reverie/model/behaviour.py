"""What a function was seen to do on a call: what can be compared, and what it cost."""

from dataclasses import dataclass
from typing import Any

from reverie.model.outcome import ErrorCategory, TestOutcome

CUT_OFF = (TestOutcome.TIMEOUT, TestOutcome.RESOURCE_EXHAUSTION)
"""Outcomes that a limit brought about: they say nothing about what would have come."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A function to look at: source that stands on its own, and where it imports from."""

    code: str
    entry: str
    import_roots: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Seen:
    """One call of one function. All but the outcome is the code's own claim."""

    outcome: TestOutcome
    value: str
    """Canonical text of the result; the class of the error when it raised."""
    arguments: tuple[str, ...] = ()
    """The arguments after the call."""
    stdout: str = ""
    steps: int | None = None
    """Lines of the function's own source that ran; None when nobody counted."""
    cpu_seconds: float | None = None
    wall_seconds: float | None = None
    category: ErrorCategory | None = None
    error: str | None = None
    signature: str | None = None
    type_name: str | None = None
    plain: Any = None
    """The result as JSON, where JSON can hold it."""
    is_plain: bool = False
    duration_ms: float = 0.0
    """Wall time of the execution, as the sandbox saw it."""
    is_made: bool = True
    """Whether the arguments could be made at all."""

    @property
    def succeeded(self) -> bool:
        """Whether it returned."""
        return self.outcome is TestOutcome.SUCCESS

    @property
    def behaviour(self) -> tuple[str, ...]:
        """What two functions have to share to have done the same."""
        how = "returned" if self.succeeded else "raised"
        return (how, self.value, self.stdout, *self.arguments)

    @property
    def is_conclusive(self) -> bool:
        """Whether it says anything: a call that was not made, or was cut off, does not."""
        return self.is_made and self.outcome not in CUT_OFF
