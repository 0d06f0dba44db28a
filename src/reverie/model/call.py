"""A call as source: arguments that can cross into the sandbox, into a test file and back.

A call is performed in four steps, wherever that happens:

    exec(call.preamble)                     # imports and stand-ins that the arguments need
    namespace |= {each: getattr(module, each) for each in call.names}
    result = eval(call.render("module.function"))   # of a property: reads or sets it
    if the function is async, or a generator, drive it

In a test file the preamble goes to the top, `names` become `from module import …`, and the
rendered call is the line under test. Sources are ASCII and the same on every Python.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass


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
