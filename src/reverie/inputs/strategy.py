"""The same inputs as a Hypothesis strategy, for those who write properties.

    from hypothesis import given
    from reverie.inputs.strategy import strategy_for

    @given(strategy_for(source, "clamp"))
    def test_clamp(call): ...

Hypothesis decides every choice, so it can shrink and replay what it found. It is an extra:
`pip install reverie[hypothesis]`.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from reverie.errors import UsageError
from reverie.inputs.calls import call_with
from reverie.inputs.dice import Dice
from reverie.inputs.literals import Literals
from reverie.inputs.scope import Resolver
from reverie.inputs.signature import read
from reverie.model.call import Call

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

_T = TypeVar("_T")
_STEPS = 1 << 16


def strategy_for(
    source: str,
    qualname: str | None = None,
    *,
    hints: Literals | None = None,
    module: str = "",
    resolver: Resolver | None = None,
) -> "SearchStrategy[Call]":
    """A strategy of calls of a callable, read from source like everything here."""
    try:
        from hypothesis import strategies
    except ImportError as error:
        raise UsageError(
            "strategy_for needs hypothesis: pip install reverie[hypothesis]"
        ) from error
    shape = read(source, qualname, module=module, resolver=resolver)
    known = Literals.from_nodes([shape.node]) + (hints or Literals())

    @strategies.composite
    def calls(draw: "DrawFn") -> Call:
        return call_with(_DrawnDice(draw), shape, known)

    return calls()


class _DrawnDice(Dice):
    """Dice thrown by Hypothesis. Smaller draws come first among the options."""

    def __init__(self, draw: "DrawFn") -> None:
        super().__init__(0)
        self._draw = draw

    def below(self, bound: int) -> int:
        from hypothesis import strategies

        return self._draw(strategies.integers(0, max(bound - 1, 0)))

    def chance(self, probability: float) -> bool:
        from hypothesis import strategies

        return self._draw(strategies.integers(0, _STEPS - 1)) >= (1 - probability) * _STEPS

    def pick(self, options: Sequence[_T]) -> _T:
        return options[self.below(len(options))]
