"""Calls of the module's own classes, written as a person would: `Version(2, 0, 0)`.

A `repr` names every argument and leaves none out. Arguments that can go by position do, and
those at the end that say nothing (`None`, `False`, an empty text) are dropped.
"""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from reverie.model.call import Expression

_SAYS_NOTHING = (None, False, "", ())


@dataclass(frozen=True, slots=True)
class Parameter:
    """One that may be given by position, with its default."""

    name: str
    default: ast.expr | None


Constructors = Mapping[str, Sequence[Parameter]]


def constructors_of(tree: ast.Module) -> dict[str, list[Parameter]]:
    """The positional parameters of every class that has an `__init__` or is a dataclass."""
    found: dict[str, list[Parameter]] = {}
    for node in tree.body:
        if not isinstance(node, ast.ClassDef):
            continue
        methods = [each for each in node.body if isinstance(each, ast.FunctionDef)]
        made = [each for each in methods if each.name == "__init__"]
        if made and not made[0].args.vararg:
            found[node.name] = _parameters(made[0].args)[1:]
        elif _is_plain_dataclass(node):
            found[node.name] = [
                Parameter(each.target.id, each.value)
                for each in node.body
                if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
            ]
    return found


def _is_plain_dataclass(node: ast.ClassDef) -> bool:
    """Whether the fields in sight are all, and may go by position."""
    decorators = [ast.unparse(each) for each in node.decorator_list]
    is_dataclass = any("dataclass" in each for each in decorators)
    return is_dataclass and not node.bases and not any("kw_only" in each for each in decorators)


def _parameters(arguments: ast.arguments) -> list[Parameter]:
    given = [*arguments.posonlyargs, *arguments.args]
    missing: list[ast.expr | None] = [None] * (len(given) - len(arguments.defaults))
    defaults = [*missing, *arguments.defaults]
    return [Parameter(each.arg, value) for each, value in zip(given, defaults, strict=True)]


def briefly(statement: ast.stmt, constructors: Constructors) -> ast.stmt:
    """A statement whose calls of the module's classes are all written in one way."""
    return cast(ast.stmt, _Shortening(constructors).visit(statement))


def shortened(expression: Expression, constructors: Constructors) -> Expression:
    """The same value in fewer words."""
    if "=" not in expression.source or not constructors:
        return expression
    try:
        tree = ast.parse(expression.source, mode="eval")
    except (SyntaxError, ValueError):
        return expression
    return expression.replaced(ast.unparse(_Shortening(constructors).visit(tree)))


class _Shortening(ast.NodeTransformer):
    def __init__(self, constructors: Constructors) -> None:
        self.constructors = constructors

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        parameters = self.constructors.get(name, ())
        while node.keywords and len(node.args) < len(parameters):
            if node.keywords[0].arg != parameters[len(node.args)].name:
                break
            node.args.append(node.keywords.pop(0).value)
        while node.args and not node.keywords and len(node.args) <= len(parameters):
            if not _says_nothing(node.args[-1], parameters[len(node.args) - 1].default):
                break
            node.args.pop()
        return node


def _says_nothing(value: ast.expr, default: ast.expr | None) -> bool:
    if default is None or ast.dump(value) != ast.dump(default):
        return False
    return isinstance(value, ast.Constant) and value.value in _SAYS_NOTHING and value.value != 0
