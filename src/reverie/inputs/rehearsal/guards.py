"""The verdict of a rehearsal about arguments that were made."""

import ast
from collections.abc import Sequence
from functools import lru_cache

from reverie.inputs.classes import ClassKind, ancestors, kind_of
from reverie.inputs.rehearsal.expressions import Lost, Refused
from reverie.inputs.rehearsal.plain import OPAQUE, Instance, value_of
from reverie.inputs.rehearsal.statements import Rehearsal
from reverie.inputs.scope import ClassRef, FunctionNode
from reverie.inputs.signature import CallableKind, CallableShape, Home
from reverie.model.call import Call, Expression

_UNBOUND = (CallableKind.FUNCTION, CallableKind.STATIC_METHOD)


def refusal(shape: CallableShape, call: Call) -> str | None:
    """The error that a callable is certain to raise for a call; None when none is."""
    if isinstance(shape.node, ast.ClassDef):
        found = ClassRef(shape.node, shape.scope, shape.qualname)
        return constructor_refusal(found, call.args, dict(call.kwargs))
    if call.is_property or not _can_refuse(shape.node):
        return None
    first = [] if shape.kind in _UNBOUND else [_receiver(shape)]
    home = Home(shape.node, shape.scope, shape.owner)
    return _verdict(home, first, call.args, dict(call.kwargs))


def constructor_refusal(
    found: ClassRef, args: Sequence[Expression], kwargs: dict[str, Expression]
) -> str | None:
    """The error that a class is certain to raise when it is called like this."""
    for home in _constructors(found):
        verdict = _verdict(home, [Instance(found)], args, kwargs)
        if verdict is not None:
            return verdict
    return None


def _verdict(
    home: Home, first: list[object], args: Sequence[Expression], kwargs: dict[str, Expression]
) -> str | None:
    given = [*first, *map(value_of, args)]
    named = {name: value_of(each) for name, each in kwargs.items()}
    try:
        Rehearsal(home.scope, {}, [0]).performed(home, given, named)
    except Refused as refused:
        return str(refused)
    except (Lost, RecursionError):
        return None
    return None


def _receiver(shape: CallableShape) -> object:
    is_instance = shape.kind is CallableKind.METHOD and shape.owner is not None
    return Instance(shape.owner) if is_instance and shape.owner is not None else OPAQUE


@lru_cache(maxsize=1024)
def _constructors(found: ClassRef) -> tuple[Home, ...]:
    """What may refuse to make an instance: the metaclass's `__call__`, the class's `__init__`."""
    if kind_of(found) is not ClassKind.PLAIN:
        return ()
    line = [each for each in ancestors(found) if isinstance(each, ClassRef)]
    makers = [found.scope.find(each) for each in _metaclasses(line)]
    homes = [
        *(_method(each, "__call__") for each in makers if isinstance(each, ClassRef)),
        next(filter(None, (_method(each, "__init__") for each in line)), None),
    ]
    concerned = [*line, *(each for each in makers if isinstance(each, ClassRef))]
    can_refuse = any(_can_refuse(each.node) for each in concerned)
    return tuple(each for each in homes if each is not None and can_refuse)


def _metaclasses(line: Sequence[ClassRef]) -> list[ast.expr]:
    keywords = (each for found in line for each in found.node.keywords)
    return [each.value for each in keywords if each.arg == "metaclass"]


def _method(found: ClassRef, name: str) -> Home | None:
    for node in reversed(found.node.body):
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return Home(node, found.scope, found)
    return None


@lru_cache(maxsize=1024)
def _can_refuse(node: FunctionNode | ast.ClassDef) -> bool:
    return any(isinstance(each, ast.Raise | ast.Assert | ast.Call) for each in ast.walk(node))
