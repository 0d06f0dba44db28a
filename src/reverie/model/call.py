"""A call as source: arguments that can cross into the sandbox, into a test file and back."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Expression:
    """A Python expression and the modules it needs: `decimal.Decimal('1.5')` needs `decimal`."""

    source: str
    modules: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Call:
    """One way to call a function. `receiver` makes the instance that a method is called on."""

    args: tuple[Expression, ...] = ()
    kwargs: tuple[tuple[str, Expression], ...] = ()
    receiver: Expression | None = None
