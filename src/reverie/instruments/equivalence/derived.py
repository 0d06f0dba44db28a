"""Calls with values of derived classes, where one version asks for the very type of something."""

import ast
import copy
from collections.abc import Iterator
from dataclasses import replace

from reverie.instruments.equivalence.changes import ascii_source
from reverie.instruments.equivalence.edges import Swap
from reverie.model.call import Call, Expression

_MOST_PLACES = 8
_FORMS: dict[type[ast.expr], str] = {
    ast.List: "type('Items', (list,), {{}})({0})",
    ast.Tuple: "type('Pair', (tuple,), {{}})({0})",
    ast.Dict: "type('Table', (dict,), {{}})({0})",
    ast.Set: "type('Group', (set,), {{}})({0})",
}
_TEXT = "type('Text', (str,), {{}})({0})"
_NUMBER = "type('Number', (int,), {{}})({0})"


def asks_for_types(old: ast.AST, new: ast.AST) -> bool:
    """Whether one version asks for the exact type of something, and the other does not."""
    return set(_type_questions(old)) != set(_type_questions(new))


def derived_calls(call: Call) -> Iterator[Call]:
    """The call with one value, wherever it stands, of a class that is derived from its own."""
    for place, argument in enumerate(call.args):
        for changed in _derived(argument):
            yield replace(call, args=(*call.args[:place], changed, *call.args[place + 1 :]))


def _type_questions(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="type"), args=[_], keywords=[]):
                yield ast.dump(node)
            case ast.Attribute(attr="__class__"):
                yield ast.dump(node)


def _derived(argument: Expression) -> Iterator[Expression]:
    try:
        tree = ast.parse(argument.source, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    places = [(each, form) for each in ast.walk(tree) if (form := _form(each)) is not None]
    for node, form in places[:_MOST_PLACES]:
        if isinstance(node, ast.expr):
            made = ast.parse(form.format(ascii_source(node)), mode="eval").body
            yield argument.replaced(ascii_source(Swap(node, made).visit(copy.deepcopy(tree))))


def _form(node: ast.AST) -> str | None:
    match node:
        case ast.Constant(value=str()):
            return _TEXT
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            return _NUMBER
        case ast.expr():
            return _FORMS.get(type(node))
    return None
