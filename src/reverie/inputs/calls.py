"""Calls of a callable, made from its source alone: diverse, valid, the same for the same seed.

    calls = generate_calls("def clamp(x: int, low: int = 0) -> int: ...", "clamp", seed=1, count=20)
    calls[0].render("clamp")  # 'clamp(7)'

The first call gives only what must be given, the second everything; after that optional
parameters come and go, and every third call puts one parameter at an edge.
"""

import ast
from collections.abc import Iterator

from reverie.inputs.dice import Dice
from reverie.inputs.examples import shown_calls
from reverie.inputs.literals import Literals
from reverie.inputs.rehearsal import refusal
from reverie.inputs.scope import Resolver
from reverie.inputs.signature import CallableKind, CallableShape, Parameters, read
from reverie.inputs.values.arguments import Presence, draw_arguments
from reverie.inputs.values.draw import Draw, Tactic, Theme
from reverie.inputs.values.make import make
from reverie.inputs.values.own import instance
from reverie.model.call import Call, Expression

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
