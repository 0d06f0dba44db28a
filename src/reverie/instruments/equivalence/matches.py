"""Calls whose tables hold what is looked up in them, under the words of the sources, and empty."""

import ast
import copy
from collections.abc import Iterator, Sequence
from dataclasses import replace

from reverie.instruments.equivalence.changes import ascii_source
from reverie.model.call import Call, Expression

_MOST_WORDS = 10
Word = str | int | float | bytes
_EMPTY: dict[type, Word] = {str: "", int: 0, float: 0.0, bytes: b"", bool: False}


def matched_calls(call: Call, constants: Sequence[Word]) -> Iterator[Call]:
    """The call with a key in a table and the same as another argument, its value empty or not."""
    trees = [_parsed(each) for each in call.args]
    for place, tree in enumerate(trees):
        key = _first_key(tree)
        if tree is None or key is None:
            continue
        askers = [other for other, each in enumerate(trees) if _kind(each) is type(key.value)]
        words = [each for each in constants if type(each) is type(key.value)]
        words = [*(ast.literal_eval(call.args[other].source) for other in askers), *words]
        for word in dict.fromkeys(words[:_MOST_WORDS]):
            for table in _tables(tree, word):
                args = list(call.args)
                args[place] = args[place].replaced(ascii_source(table))
                for other in askers:
                    args[other] = args[other].replaced(ascii(word))
                yield replace(call, args=tuple(args))


def _tables(tree: ast.expr, word: Word) -> Iterator[ast.expr]:
    """The table with the word as its first key or item; its value as it is, and empty."""
    made = copy.deepcopy(tree)
    match made:
        case ast.Dict(keys=keys, values=[value, *_] as values):
            keys[0] = ast.Constant(word)
            yield copy.deepcopy(made)
            empty = _emptied(value)
            if empty is not None:
                values[0] = empty
                yield made
        case ast.List(elts=items) | ast.Set(elts=items) | ast.Tuple(elts=items):
            items[0] = ast.Constant(word)
            yield made


def _emptied(value: ast.expr) -> ast.expr | None:
    match value:
        case ast.Constant(value=known) if type(known) in _EMPTY:
            return ast.Constant(_EMPTY[type(known)])
        case ast.UnaryOp(operand=ast.Constant(value=known)) if type(known) in _EMPTY:
            return ast.Constant(_EMPTY[type(known)])
        case ast.List():
            return ast.List([], ast.Load())
        case ast.Dict():
            return ast.Dict([], [])
    return None


def _first_key(tree: ast.expr | None) -> ast.Constant | None:
    match tree:
        case ast.Dict(keys=[ast.Constant(value=str() | int()) as key, *_]):
            return key
        case ast.List(elts=[first, *_]) | ast.Set(elts=[first, *_]) | ast.Tuple(elts=[first, *_]):
            is_word = isinstance(first, ast.Constant) and type(first.value) in (str, int)
            return first if is_word and isinstance(first, ast.Constant) else None
    return None


def _kind(tree: ast.expr | None) -> type | None:
    return type(tree.value) if isinstance(tree, ast.Constant) else None


def _parsed(argument: Expression) -> ast.expr | None:
    try:
        return ast.parse(argument.source, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
