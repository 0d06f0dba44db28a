"""What a search tries on a module: a few lines of Python, and what each of them came to.

    import datetime                                 # needs
    duration = Duration(years=1, months=2)          # a step that keeps its result
    duration + datetime.date(2020, 2, 29)           # a step that is under test

What was seen is the word of the code under test: it is compared on the host, written into a
test only as a literal that was parsed again, and never trusted.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from reverie.model.call import Expression


class StepForm(StrEnum):
    """How a step uses the code under test."""

    MAKE = "make"
    """Sets up: makes an object that later steps use."""
    CALL = "call"
    """Calls a function or a method."""
    OPERATE = "operate"
    """An operator, a subscript, `len`, `in`, `str`, a comparison, an iteration."""
    READ = "read"
    """Reads an attribute or a property."""
    CHANGE = "change"
    """A statement: sets an attribute or an item, deletes one."""
    ENTER = "enter"
    """Enters a context manager; the steps after it run inside."""


@dataclass(frozen=True, slots=True)
class Step:
    """One line. Its source may use the names of earlier steps."""

    line: Expression
    """An expression; for `CHANGE`, a statement."""
    form: StepForm
    callee: str | None = None
    """What it exercises, qualified within the module: `Version.bump_major`."""
    name: str | None = None
    """What later steps call its result."""
    is_awaited: bool = False


@dataclass(frozen=True, slots=True)
class Seen:
    """What one step came to."""

    type_name: str
    """Of the result, or of the exception: `builtins.dict`, `semver.version.Version`."""
    literal: Expression | None = None
    """Makes an equal value of the same type; None where the value has no faithful source."""
    raised: str | None = None
    """The message, when it raised; then `type_name` is the exception's."""
    raised_in: str | None = None
    """Innermost frame of the repository, `file:function:line`."""
    parts: Mapping[str, Expression] = field(default_factory=dict)
    """Of a value without a literal: what can be asserted of it, by the expression that reads it
    with `{}` in the value's place: `{}.major`, `len({})`, `str({})`, `list({})`."""
    printed: str = ""

    @property
    def is_exception(self) -> bool:
        """Whether the step raised."""
        return self.raised is not None


@dataclass(frozen=True, slots=True)
class Scenario:
    """Steps in order, what each came to, and which ways through the module they took."""

    steps: tuple[Step, ...]
    seen: tuple[Seen, ...]
    """As long as `steps`; shorter by what was not reached when a step raised."""
    arcs: frozenset[tuple[int, int]]
    """Lines from and to, as coverage.py numbers them, in the module under test."""
    origin: str = "search"
    """`doctest`, `test`, `call_site` or `search`: where the first form of it came from."""
