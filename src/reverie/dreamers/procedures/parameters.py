"""Parameter exploration: other values for the numbers, texts and flags of a procedure.

Values keep their type and their sense: a count stays a whole number and does not turn negative, a
share of one stays a share, an empty text stays a text.
"""

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.dreamers.procedures.procedure import Procedure
from reverie.dreamers.procedures.variant import Variant, shown, written
from reverie.model.procedure import DreamType

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_RULES: dict[type, str] = {bool: "flag", int: "integer", float: "number", str: "text"}


@dataclass(frozen=True, slots=True)
class ParameterDreamer:
    """Changes one default or one literal at a time."""

    dream_type: DreamType = DreamType.PARAMETER_EXPLORATION

    def imagine(self, procedure: Procedure) -> Iterator[Variant]:
        """Defaults first, then literals; each place has its turn before any has a second."""
        node = procedure.node
        places = [*_defaults(node), *_literals(node)]
        turns = [list(_others(place.value)) for place in places]
        for number in range(max(map(len, turns), default=0)):
            for index, others in enumerate(turns):
                if number < len(others):
                    yield _changed(procedure, index, others[number])


def _changed(procedure: Procedure, index: int, value: object) -> Variant:
    node = procedure.node
    defaults = list(_defaults(node))
    place = [*defaults, *_literals(node)][index]
    kind = _RULES[type(place.value)]
    is_default = index < len(defaults)
    before = copy.copy(place)
    place.value = value  # type: ignore[assignment]
    place.kind = None
    rule = "default" if is_default else kind
    what = f"{shown(before)} becomes {shown(place)}"
    where = "a default" if is_default else f"line {before.lineno}"
    details = {"before": repr(before.value), "after": repr(value), "line": before.lineno}
    return Variant(f"parameters/{rule}", f"In {where} {what}", written(node), details)


def _defaults(node: _Function) -> Iterator[ast.Constant]:
    for each in (*node.args.defaults, *node.args.kw_defaults):
        if isinstance(each, ast.Constant) and type(each.value) in _RULES:
            yield each


def _literals(node: _Function) -> Iterator[ast.Constant]:
    """Literals of the body that decide something; docstrings and messages do not."""
    passed_over = set(_words_for_people(node))
    for statement in node.body:
        for each in ast.walk(statement):
            is_value = isinstance(each, ast.Constant) and type(each.value) in _RULES
            if is_value and id(each) not in passed_over:
                assert isinstance(each, ast.Constant)
                yield each


def _words_for_people(node: _Function) -> Iterator[int]:
    for each in ast.walk(node):
        match each:
            case ast.Expr(value=ast.Constant() as text):
                yield id(text)
            case ast.Raise(exc=ast.Call() as made):
                yield from (id(part) for part in ast.walk(made))
            case ast.JoinedStr() | ast.Assert():
                yield from (id(part) for part in ast.walk(each))
            case ast.arg(annotation=ast.expr() as annotation):
                yield from (id(part) for part in ast.walk(annotation))


def _others(value: object) -> Iterator[object]:
    match value:
        case bool():
            yield not value
        case int():
            yield from _integers(value)
        case float():
            yield from _numbers(value)
        case str():
            yield from _texts(value)


def _integers(value: int) -> Iterator[int]:
    near = [value + 1, value - 1]
    far = [value * 2, value // 2, value * 10]
    allowed = [each for each in (*near, *far) if each >= 0 or value < 0 or value == 0 == each + 1]
    yield from (each for each in dict.fromkeys(allowed) if each != value)


def _numbers(value: float) -> Iterator[float]:
    found = [value * 2, value / 2, value * 1.1, value * 0.9, 0.0] if value else [1.0, 0.5]
    if 0 < value < 1:
        found = [each for each in found if each <= 1] + [1.0, round(1 - value, 6)]
    yield from (each for each in dict.fromkeys(found) if each != value)


def _texts(value: str) -> Iterator[str]:
    options = ["", value.upper(), value.lower(), value.strip(), value * 2]
    swaps = {" ": "_", "_": "-", "-": "_", ",": ";", ".": ",", "/": "-", "\n": " ", ":": "="}
    if value in swaps:
        options.insert(0, swaps[value])
    if value == "":
        options.append(" ")
    yield from (each for each in dict.fromkeys(options) if each != value)
