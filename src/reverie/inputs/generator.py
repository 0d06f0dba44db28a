"""`SyntheticTestGenerator`: inputs for a function as dicts of Python values.

    generator = SyntheticTestGenerator(seed=42)
    generator.generate_test_inputs("def process(items: list, threshold: int = 10) -> dict: ...", 5)

It is the documents' view of this room: the same values as `generate_calls`, evaluated. Where a
parameter takes an instance of a class of the code itself, the dict holds a plain twin of it,
since that code is not loaded here.
"""

import ast
from dataclasses import replace
from typing import Any

from reverie.errors import UsageError
from reverie.inputs.dice import Dice
from reverie.inputs.evaluate import evaluate
from reverie.inputs.literals import Literals
from reverie.inputs.signature import VARIADIC, CallableShape, ParameterShape, own_nodes, read
from reverie.inputs.values.arguments import argument
from reverie.inputs.values.draw import Draw, Theme
from reverie.inputs.values.make import make
from reverie.model.call import Expression
from reverie.syntax.displays import kind_of_display

_EDGE_THEMES = (Theme.EMPTY, Theme.LARGE, None, Theme.SINGLE, Theme.BOUNDARY, Theme.UNICODE,
                Theme.SPECIAL)  # fmt: skip

_MADE_BY = {"len": "int", "sorted": "list"} | {
    name: name for name in ("int", "str", "list", "dict", "set", "tuple", "float", "bool")
}


class SyntheticTestGenerator:
    """Makes inputs from a signature. The same seed gives the same inputs everywhere."""

    def __init__(self, seed: int = 42) -> None:
        self.seed = seed

    def generate_test_inputs(self, code: str, num_variants: int = 5) -> list[dict[str, Any]]:
        """So many sets of arguments by name; a function without parameters has one, empty."""
        if num_variants < 1:
            raise UsageError(f"num_variants must be at least 1, not {num_variants!r}")
        shape = read(code)
        if not _named(shape):
            return [{}]
        return [self._values(shape, index, Theme.TYPICAL) for index in range(num_variants)]

    def generate_edge_case_inputs(self, code: str) -> list[dict[str, Any]]:
        """Everything empty, large, null, single, at a boundary, beyond ASCII, not a number.

        Cases that come out the same are given once.
        """
        shape = read(code)
        cases = [self._expressions(shape, index, theme) for index, theme in enumerate(_EDGE_THEMES)]
        different = {tuple(each.items()): each for each in cases}
        return [_evaluated(each) for each in different.values()]

    def get_expected_output_type(self, code: str) -> str | None:
        """The declared type of the result, or else the one that its `return`s agree on."""
        shape = read(code)
        return shape.returns_source or _returned_type(shape.node)

    def _values(self, shape: CallableShape, index: int, theme: Theme) -> dict[str, Any]:
        return _evaluated(self._expressions(shape, index, theme))

    def _expressions(
        self, shape: CallableShape, index: int, theme: Theme | None
    ) -> dict[str, Expression]:
        hints = Literals.from_nodes([shape.node])
        dice = Dice(f"{self.seed}:{shape.qualname}:{index}")
        draw = Draw(dice, theme or Theme.TYPICAL, hints=hints)
        return {
            each.name: Expression("None") if theme is None else _draw(draw, each)
            for each in _named(shape)
        }


def _named(shape: CallableShape) -> list[ParameterShape]:
    return [each for each in shape.parameters if each.kind not in VARIADIC]


def _draw(draw: Draw, parameter: ParameterShape) -> Expression:
    return argument(replace(draw, role=parameter.name), parameter, make)


def _evaluated(drawn: dict[str, Expression]) -> dict[str, Any]:
    return {name: evaluate(each) for name, each in drawn.items()}


def _returned_type(node: ast.AST) -> str | None:
    """The type of the literals that a function returns, when all returns are of one type."""
    kinds = {_display_type(each.value) for each in own_nodes(node) if isinstance(each, ast.Return)}
    return kinds.pop() if len(kinds) == 1 else None


def _display_type(node: ast.expr | None) -> str | None:
    match node:
        case None:
            return "None"
        case ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return "bool"
        case ast.Call(func=ast.Name(name)) if name in _MADE_BY:
            return _MADE_BY[name]
    return kind_of_display(node)
