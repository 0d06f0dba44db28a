"""The value of an expression that was made here, without `eval`.

Only what the makers write is understood: literals, displays, products, calls of a fixed list of
constructors, small lambdas. Classes of the code under test are not loaded; where an expression
makes one of their instances, a plain twin with the same fields stands in.
"""

import ast
import builtins
import importlib
import operator
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

from reverie.inputs.values.catalogue import CATALOGUE, ERRORS, STAND_INS
from reverie.model.call import Expression
from reverie.syntax.parsing import parse_expression
from reverie.syntax.unparsing import unparse

_BUILTINS = frozenset(
    ("list", "dict", "set", "frozenset", "tuple", "range", "iter", "map", "str", "float", "int",
     "bool", "bytes", "bytearray", "memoryview", "slice", "complex", "len", "object", "sorted",
     "compile", "dict.fromkeys")
)  # fmt: skip
_PARTS = frozenset(("items", "values", "keys", "body", "upper", "args"))
"""What the makers take from a value they have made."""
_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}  # fmt: skip
_MODULES = frozenset(each for entry in CATALOGUE.values() for each in entry.modules) | {
    "collections",
    "contextlib",
}
_Env = Mapping[str, Any]


class NotMadeHere(ValueError):
    """An expression that the makers of inputs do not write."""


def evaluate(expression: Expression) -> Any:
    """The value of an expression; `NotMadeHere` when it is none of ours."""
    return _value(parse_expression(expression.source), STAND_INS)


def _value(node: ast.expr, env: _Env) -> Any:
    match node:
        case ast.Constant(value):
            return value
        case ast.List(elts=parts):
            return [_value(each, env) for each in parts]
        case ast.Tuple(elts=parts):
            return tuple(_value(each, env) for each in parts)
        case ast.Set(elts=parts):
            return {_value(each, env) for each in parts}
        case ast.Dict(keys=keys, values=values):
            pairs = zip(keys, values, strict=True)
            return {_value(key, env): _value(value, env) for key, value in pairs if key is not None}
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, env)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _OPERATORS[type(op)](_value(left, env), _value(right, env))
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return _value(body if _value(test, env) else orelse, env)
        case ast.Subscript(value=owner, slice=index):
            return _value(owner, env)[_value(index, env)]
        case ast.Name() | ast.Attribute():
            return _named(node, env)
        case ast.Call():
            return _called(node, env)
        case ast.Lambda():
            return _function(node, env)
        case ast.GeneratorExp(elt=ast.Name(item), generators=[ast.comprehension() as loop]):
            return (each for each in _value(loop.iter, env) if item)
    raise NotMadeHere(unparse(node))


def _named(node: "ast.Name | ast.Attribute", env: _Env) -> Any:
    name = unparse(node)
    if name in env:
        return env[name]
    if name in _BUILTINS or name in ERRORS:
        return operator.attrgetter(name)(builtins)
    module = name.rpartition(".")[0]
    while module:
        if module in _MODULES:
            return operator.attrgetter(name.removeprefix(f"{module}."))(
                importlib.import_module(module)
            )
        module = module.rpartition(".")[0]
    if isinstance(node, ast.Attribute) and node.attr in _PARTS:
        return getattr(_value(node.value, env), node.attr)
    return SimpleNamespace(name=_checked(name).rpartition(".")[2])  # a member of an enum


def _checked(name: str) -> str:
    if not all(part.isidentifier() for part in name.split(".")):
        raise NotMadeHere(name)
    return name


def _twin(name: str) -> Any:
    """What stands for a class of the code under test: it keeps what it is given."""
    return type(name.rpartition(".")[2], (SimpleNamespace,), {"__init__": _take})


def _take(self: SimpleNamespace, *args: Any, **kwargs: Any) -> None:
    SimpleNamespace.__init__(self, **kwargs)
    if args:
        self.args = args


def _called(node: ast.Call, env: _Env) -> Any:
    target = _value(node.func, env)
    if isinstance(target, SimpleNamespace):
        target = _twin(unparse(node.func))
    args = [_value(each, env) for each in node.args]
    kwargs = {str(each.arg): _value(each.value, env) for each in node.keywords}
    return target(*args, **kwargs)


def _function(node: ast.Lambda, env: _Env) -> Callable[..., Any]:
    names = [each.arg for each in node.args.args]

    def answer(*args: Any, **kwargs: Any) -> Any:
        if node.args.vararg is None and len(args) != len(names):
            raise TypeError(f"takes {len(names)} arguments, not {len(args)}")
        given = dict(zip(names, args, strict=False)) | {"args": args, "kwargs": kwargs}
        return _value(node.body, {**env, **given})

    return answer
