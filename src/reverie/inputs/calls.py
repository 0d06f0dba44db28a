"""Calls of a callable, made from its source alone: diverse, valid, the same for the same seed.

    calls = generate_calls("def clamp(x: int, low: int = 0) -> int: ...", "clamp", seed=1, count=20)
    calls[0].render("clamp")  # 'clamp(7)'

The first call gives only what must be given, the second everything; after that optional
parameters come and go, and every third call puts one parameter at an edge.

`SyntheticTestGenerator` is the documents' view of this room: the same values, evaluated, as dicts:

    generator = SyntheticTestGenerator(seed=42)
    generator.generate_test_inputs("def process(items: list, threshold: int = 10) -> dict: ...", 5)

Where a parameter takes an instance of a class of the code itself, the dict holds a plain twin of
it, since that code is not loaded here.
"""

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from reverie.errors import UsageError
from reverie.inputs.dice import Dice
from reverie.inputs.evaluate import evaluate
from reverie.inputs.literals import Literals
from reverie.inputs.rehearsal import refusal
from reverie.inputs.scope import Resolver
from reverie.inputs.signature import (
    VARIADIC,
    CallableKind,
    CallableShape,
    Parameters,
    ParameterShape,
    read,
    shown_calls,
)
from reverie.inputs.values.arguments import Presence, argument, draw_arguments
from reverie.inputs.values.make import make
from reverie.inputs.values.own import instance
from reverie.inputs.values.plain import Draw, Tactic, Theme
from reverie.model.call import Call, Expression
from reverie.syntax.nodes import kind_of_display, own_nodes

EDGES = (Theme.EMPTY, Theme.SINGLE, Theme.BOUNDARY, Theme.UNICODE, Theme.SPECIAL)
_EDGE_EVERY = 3
_TRIES = 8
_REFUSED_ONE_IN = 10
"""So many calls have one that the function is seen to refuse as mistyped: guards are code too."""


def generate_calls(
    source: str,
    qualname: str | None = None,
    *,
    seed: int | str = 42,
    count: int = 20,
    hints: Literals | None = None,
    module: str = "",
    resolver: Resolver | None = None,
    stub: str | None = None,
) -> tuple[Call, ...]:
    """Up to `count` different calls of a callable; fewer when it does not have so many."""
    shape = read(source, qualname, module=module, resolver=resolver, stub=stub)
    return calls_for(shape, seed=seed, count=count, hints=hints)


def calls_for(
    shape: CallableShape,
    *,
    seed: int | str = 42,
    count: int = 20,
    hints: Literals | None = None,
    edges: bool = True,
) -> tuple[Call, ...]:
    """`generate_calls` for a shape that was read already. Without `edges`, typical ones only."""
    known = Literals.from_nodes([shape.node]) + (hints or Literals())
    found: dict[Call, None] = dict.fromkeys(documented_calls(shape)) if edges else {}
    refused: dict[Call, None] = {}
    spared = count // _REFUSED_ONE_IN if edges else 0
    for index in range(count * _TRIES):
        if len(found) + min(len(refused), spared) >= count:
            break
        drawn = draw_call(shape, index, seed=seed, hints=known, edges=edges)
        (refused if refusal(shape, drawn) == "TypeError" else found)[drawn] = None
    kept = tuple(refused)[: spared if found else count]
    return (*tuple(found)[: count - len(kept)], *kept)


def draw_call(
    shape: CallableShape,
    index: int,
    *,
    seed: int | str,
    hints: Literals,
    edges: bool = True,
    tactic: Tactic = Tactic.SPARE,
) -> Call:
    """The call number `index` of a seed, whatever was drawn before."""
    dice = Dice(f"{seed}:{shape.qualname}:{index}")
    parameters = shape.signatures[index % len(shape.signatures)]
    themes = _themes(parameters, index, dice) if edges else {}
    presence = (Presence.REQUIRED, Presence.ALL)[index] if index < 2 else Presence.SOME
    draw = Draw(dice, tactic=tactic, hints=hints, owner=shape.owner)
    return _call(draw, shape, parameters, presence, themes)


def call_with(dice: Dice, shape: CallableShape, hints: Literals) -> Call:
    """A call all of whose choices are the dice's."""
    parameters = dice.pick(shape.signatures)
    at_edge = dice.chance(1 / _EDGE_EVERY) and bool(parameters)
    themes = {dice.pick(parameters).name: dice.pick(EDGES)} if at_edge else {}
    draw = Draw(dice, hints=hints, owner=shape.owner)
    return _call(draw, shape, parameters, Presence.SOME, themes)


def _call(
    draw: Draw,
    shape: CallableShape,
    parameters: Parameters,
    presence: Presence,
    themes: dict[str, Theme],
) -> Call:
    args, kwargs = draw_arguments(draw, parameters, presence, make, themes)
    is_property = shape.kind is CallableKind.PROPERTY
    return Call(tuple(args), tuple(kwargs), _receiver(shape, draw), is_property)


def _themes(parameters: Parameters, index: int, dice: Dice) -> dict[str, Theme]:
    """Every third call has one parameter at an edge, and every ninth all of them."""
    if index % _EDGE_EVERY != _EDGE_EVERY - 1 or not parameters:
        return {}
    theme = EDGES[index // _EDGE_EVERY % len(EDGES)]
    if index % (_EDGE_EVERY * _EDGE_EVERY) == _EDGE_EVERY * _EDGE_EVERY - 1:
        return dict.fromkeys((each.name for each in parameters), theme)
    return {dice.pick(parameters).name: theme}


def _receiver(shape: CallableShape, draw: Draw) -> Expression | None:
    if shape.owner is None or shape.kind not in (CallableKind.METHOD, CallableKind.PROPERTY):
        return None
    if isinstance(shape.node, ast.FunctionDef) and shape.node.name in ("__init__", "__new__"):
        return None
    return instance(draw, shape.owner, [], make)


def documented_calls(shape: CallableShape) -> Iterator[Call]:
    """The calls that the module shows, as far as their arguments are literals."""
    if shape.kind not in (CallableKind.FUNCTION, CallableKind.CONSTRUCTOR):
        return
    name = shape.qualname.rpartition(".")[2]
    yield from shown_calls(shape.scope, name, shape.parameters)


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
