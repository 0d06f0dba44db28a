"""Arguments for a list of parameters: what must be given, what may be, and in which way."""

import ast
import re
from dataclasses import replace
from enum import StrEnum

from reverie.inputs.classes import fields
from reverie.inputs.evidence import constants_about, evidence_of_items, refined
from reverie.inputs.literals import is_literal
from reverie.inputs.scope import ClassRef, TypeRef
from reverie.inputs.signature import Parameters, ParameterShape
from reverie.inputs.values.forms import Make
from reverie.inputs.values.plain import Draw, Theme, bounds_of, literal
from reverie.model.call import Expression
from reverie.model.repository.code import ParameterKind
from reverie.syntax.unparsing import unparse


class Presence(StrEnum):
    """Which of the optional parameters are given."""

    REQUIRED = "required"
    SOME = "some"
    ALL = "all"


Arguments = tuple[list[Expression], list[tuple[str, Expression]]]
_DEFAULT_TAKEN = 0.4
_NESTED_TAKEN = 0.9
"""In a constructor, where a wrong guess spoils the whole call."""
_CONSTANT_TAKEN = 0.4
_OPEN = frozenset(
    ("Any", "t.Any", "typing.Any", "object", "None", "Optional", "t.Optional", "typing.Optional")
)


def draw_arguments(
    draw: Draw,
    parameters: Parameters,
    presence: Presence,
    make: Make,
    themes: "dict[str, Theme] | None" = None,
) -> Arguments:
    """Arguments that bind to the parameters; `themes` by the parameter's name."""
    args: list[Expression] = []
    kwargs: list[tuple[str, Expression]] = []
    by_position = True
    for each in parameters:
        themed = replace(draw, role=each.name, theme=(themes or {}).get(each.name, draw.theme))
        if each.kind is ParameterKind.VAR_POSITIONAL:
            if by_position:
                args += _rest(themed, each, presence, make)
            continue
        if each.kind is ParameterKind.VAR_KEYWORD:
            kwargs += _named_rest(themed, each, presence, make)
            continue
        if not _is_given(draw, each, presence):
            by_position = False
            continue
        if each.kind is ParameterKind.POSITIONAL_ONLY and not by_position:
            continue
        value = argument(themed, each, make)
        if by_position and each.kind is not ParameterKind.KEYWORD_ONLY:
            args.append(value)
        else:
            kwargs.append((each.name, value))
    return args, kwargs


def _is_given(draw: Draw, parameter: ParameterShape, presence: Presence) -> bool:
    if parameter.is_required or presence is Presence.ALL:
        return True
    if draw.depth and _is_open(parameter):
        return False
    return presence is Presence.SOME and draw.dice.chance(0.5)


def _is_open(parameter: ParameterShape) -> bool:
    """Whether nothing is said about a parameter that may be left out: `codec: Any = None`."""
    default, kind = parameter.default, parameter.annotation
    is_none = isinstance(default, ast.Constant) and default.value is None
    words = "" if kind is None else unparse(kind.node).strip("'\"")
    return is_none and all(each in _OPEN for each in re.split(r"[^\w.]+", words) if each)


def argument(draw: Draw, parameter: ParameterShape, make: Make) -> Expression:
    """A value for one parameter: by its annotation, or else by the evidence."""
    default = parameter.default
    if default is not None and is_literal(default) and draw.theme is Theme.TYPICAL:
        value = ast.literal_eval(default)
        if value not in (None, ...) and draw.dice.chance(
            _NESTED_TAKEN if draw.depth else _DEFAULT_TAKEN
        ):
            return Expression(literal(value))
    kind = refined(parameter)
    known = near_constants(draw, parameter, kind)
    if known is not None:
        return known
    declared = [each for each in (parameter.declaration, default) if each is not None]
    bounds = bounds_of(declared)
    return make(draw, kind, bounds) if bounds.binds else make(draw, kind)


def near_constants(draw: Draw, parameter: ParameterShape, kind: TypeRef) -> Expression | None:
    """A constant that the code compares the parameter with, or its neighbour; None mostly."""
    if draw.theme not in (Theme.TYPICAL, Theme.BOUNDARY):
        return None
    written = unparse(kind.node).strip("'\"")
    fitting = [each for each in constants_about(parameter) if type(each).__name__ == written]
    if not fitting or not draw.dice.chance(_CONSTANT_TAKEN):
        return None
    chosen = draw.dice.pick(fitting)
    if isinstance(chosen, int) and not isinstance(chosen, bool):
        return Expression(str(chosen + draw.dice.pick((0, 0, -1, 1))))
    return Expression(literal(chosen))


def _rest(
    draw: Draw, parameter: ParameterShape, presence: Presence, make: Make
) -> list[Expression]:
    kind = parameter.annotation
    if presence is Presence.REQUIRED or (kind is not None and _is_variadic(kind)):
        return []
    if kind is None or unparse(kind.node) in ("Any", "object", "t.Any", "typing.Any"):
        found = evidence_of_items(parameter)
        if found is None or draw.depth:
            return []
        parameter = replace(parameter, annotation=found)
    count = 2 if presence is Presence.ALL else draw.dice.between(0, 3)
    return [argument(draw, replace(parameter, default=None), make) for _ in range(count)]


def _named_rest(
    draw: Draw, parameter: ParameterShape, presence: Presence, make: Make
) -> list[tuple[str, Expression]]:
    """`**kwargs: Unpack[Options]` are the fields of `Options`; others take a name of ours."""
    kind = parameter.annotation
    if kind is None or _is_variadic(kind):
        return []
    if isinstance(kind.node, ast.Subscript) and "Unpack" in unparse(kind.node.value):
        meaning = kind.scope.find(kind.node.slice)
        if isinstance(meaning, ClassRef):
            _, found = draw_arguments(draw, fields(meaning), presence, make)
            return found
    return []


def _is_variadic(kind: TypeRef) -> bool:
    """`P.args`, `P.kwargs` and `*Ts`: what is passed on to a callable that takes anything."""
    written = unparse(kind.node).strip("'\"")
    if isinstance(kind.node, ast.Subscript) and "Unpack" in unparse(kind.node.value):
        meaning = kind.scope.find(kind.node.slice)
        return isinstance(meaning, TypeRef)  # `Unpack[Ts]`
    return written.endswith((".args", ".kwargs")) or isinstance(kind.node, ast.Starred)
