"""The type of a parameter that has no annotation, by evidence."""

import ast

from reverie.inputs.literals import is_literal
from reverie.inputs.roles import type_for
from reverie.inputs.scope import Scope, TypeRef
from reverie.inputs.signature import ParameterShape


def inferred(parameter: ParameterShape) -> TypeRef:
    """The most likely type of a parameter."""
    scope = parameter.home.scope if parameter.home is not None else Scope(ast.Module([], []))
    default = parameter.default
    if default is not None and is_literal(default):
        value = ast.literal_eval(default)
        if value is not None:
            return TypeRef(ast.Name(type(value).__name__), scope)
    written = type_for(parameter.name) or "Any"
    return TypeRef(ast.parse(written, mode="eval").body, scope)
