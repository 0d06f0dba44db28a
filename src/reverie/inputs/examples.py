"""Calls with literal arguments that a module shows: in its own code and in its docstrings."""

import ast
from collections.abc import Iterator
from functools import lru_cache

from reverie.inputs.literals import arguments_of, doctest_trees, is_literal
from reverie.inputs.scope import ClassRef, FunctionNode, Scope
from reverie.inputs.signature import Parameters
from reverie.inputs.values.write import literal
from reverie.model.call import Call, Expression
from reverie.model.code import ParameterKind

_MOST_EACH = 12


def shown_calls(scope: Scope, name: str, parameters: Parameters) -> list[Call]:
    """Calls of `name` that the module shows and that would bind to the parameters."""
    return [_as_call(each) for each in _by_name(scope).get(name, ()) if binds(each, parameters)]


def shown_instances(found: ClassRef, parameters: Parameters) -> list[Call]:
    """Constructor calls of a class that its own module shows."""
    name = found.qualname.rpartition(".")[2]
    return [each for each in shown_calls(found.scope, name, parameters) if each.args or each.kwargs]


@lru_cache(maxsize=256)
def _by_name(scope: Scope) -> dict[str, tuple[ast.Call, ...]]:
    found: dict[str, list[ast.Call]] = {}
    for call in _calls(scope.tree):
        name = ast.unparse(call.func).rpartition(".")[2] if _is_name(call.func) else ""
        known = found.setdefault(name, [])
        has_stars = any(each.arg is None for each in call.keywords)
        if len(known) < _MOST_EACH and not has_stars and all(map(is_literal, arguments_of(call))):
            known.append(call)
    return {name: tuple(calls) for name, calls in found.items() if name}


def _is_name(node: ast.expr) -> bool:
    return isinstance(node, ast.Name | ast.Attribute)


def _calls(tree: ast.Module) -> Iterator[ast.Call]:
    """Those of the docstrings first: they are meant to be shown."""
    for node in ast.walk(tree):
        if isinstance(node, FunctionNode | ast.ClassDef | ast.Module):
            for shown in doctest_trees(ast.get_docstring(node)):
                yield from (each for each in ast.walk(shown) if isinstance(each, ast.Call))
    yield from (each for each in ast.walk(tree) if isinstance(each, ast.Call))


def binds(call: ast.Call, parameters: Parameters) -> bool:
    """Whether a call would bind to the parameters."""
    by_name = {each.name: each for each in parameters}
    by_place = [each for each in parameters if each.kind in _BY_PLACE]
    takes_rest = any(each.kind is ParameterKind.VAR_POSITIONAL for each in parameters)
    if len(call.args) > len(by_place) and not takes_rest:
        return False
    given = {each.name for each in by_place[: len(call.args)]}
    named = {str(each.arg) for each in call.keywords}
    required = {each.name for each in parameters if each.is_required}
    return named <= set(by_name) and not named & given and required <= given | named


_BY_PLACE = (ParameterKind.POSITIONAL_ONLY, ParameterKind.POSITIONAL_OR_KEYWORD)


def _as_call(node: ast.Call) -> Call:
    args = tuple(_expression(each) for each in node.args)
    return Call(args, tuple((str(each.arg), _expression(each.value)) for each in node.keywords))


def _expression(node: ast.expr) -> Expression:
    return Expression(literal(ast.literal_eval(node)))
