"""Calls as source, and scenarios: a few lines of Python that a search tries on a module.

A call has arguments that can cross into the sandbox, into a test file and back. It is performed
in four steps, wherever that happens:

    exec(call.preamble)                     # imports and stand-ins that the arguments need
    namespace |= {each: getattr(module, each) for each in call.names}
    result = eval(call.render("module.function"))   # of a property: reads or sets it
    if the function is async, or a generator, drive it

In a test file the preamble goes to the top, `names` become `from module import …`, and the
rendered call is the line under test. Sources are ASCII and the same on every Python.

A scenario has needs, steps that keep their results, and steps under test:

    import datetime                                 # needs
    duration = Duration(years=1, months=2)          # a step that keeps its result
    duration + datetime.date(2020, 2, 29)           # a step that is under test

What was seen is the word of the code under test: it is compared on the host, written into a
test only as a literal that was parsed again, and never trusted.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Expression:
    """A Python expression and all it needs: `decimal.Decimal('1.5')` needs `decimal`."""

    source: str
    modules: frozenset[str] = frozenset()
    """Modules to import under their full dotted name."""
    names: frozenset[str] = frozenset()
    """Names of the module under test: its own classes, enums and functions."""
    definitions: tuple[str, ...] = ()
    """Stand-in classes and functions to define before, as source, in order."""
    shown: str | None = field(default=None, compare=False)
    """How people read it, where the source says nothing to them."""

    def replaced(self, source: str) -> "Expression":
        """Another source with the same needs."""
        return Expression(source, self.modules, self.names, self.definitions)


def combine(source: str, parts: Iterable[Expression], *extra: Expression) -> Expression:
    """A source built from `parts`, needing all that they need."""
    every = (*parts, *extra)
    return Expression(
        source,
        frozenset().union(*(each.modules for each in every)),
        frozenset().union(*(each.names for each in every)),
        tuple(dict.fromkeys(text for each in every for text in each.definitions)),
    )


@dataclass(frozen=True, slots=True)
class Call:
    """One way to call a function. `receiver` makes the instance that a method is called on."""

    args: tuple[Expression, ...] = ()
    kwargs: tuple[tuple[str, Expression], ...] = ()
    receiver: Expression | None = None
    is_property: bool = False
    """No parentheses: without argument it is read from the receiver, with one it is set to it."""

    def expressions(self) -> Iterator[Expression]:
        """Every expression: the receiver, then the arguments in order."""
        if self.receiver is not None:
            yield self.receiver
        yield from self.args
        yield from (value for _, value in self.kwargs)

    @property
    def modules(self) -> frozenset[str]:
        """Modules that the arguments need."""
        return combine("", self.expressions()).modules

    @property
    def names(self) -> frozenset[str]:
        """Names of the module under test that the arguments need."""
        return combine("", self.expressions()).names

    @property
    def preamble(self) -> str:
        """Imports and definitions to execute before the call; empty when it needs none."""
        needs = combine("", self.expressions())
        lines = [f"import {module}" for module in sorted(needs.modules)]
        return "\n".join((*lines, *needs.definitions))

    def render(self, target: str) -> str:
        """The call as an expression; with a receiver, `target`'s last part is the method.

        A property is read, `point.size`, or set, `setattr(point, 'size', 3)`.
        """
        if self.receiver is not None:
            target = f"{self.receiver.source}.{target.rpartition('.')[2]}"
        if not self.is_property:
            return f"{target}({self.arguments})"
        owner, _, name = target.rpartition(".")
        return f"setattr({owner}, {name!a}, {self.arguments})" if self.arguments else target

    @property
    def arguments(self) -> str:
        """What stands between the parentheses."""
        given = [each.source for each in self.args]
        given += [f"{name}={value.source}" for name, value in self.kwargs]
        return ", ".join(given)


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
    with `{}` in the value's place: `{}.major`, `len({})`, `str({})`, `list({})`, `dict({})`."""
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
