"""From text to the syntax tree: the one place of the house that parses Python.

Many rooms ask about the same file one after the other, so the trees of the latest texts are kept.
A kept tree is shared by all who ask: whoever changes a tree takes a fresh one.
"""

import ast
import warnings
from functools import lru_cache

NOT_PYTHON = (SyntaxError, ValueError, RecursionError, MemoryError)
"""Everything that text can raise which is not Python, or too deep to be read."""

_SHORT = 500
_SHORT_MODULES = 256
_SHORT_EXPRESSIONS = 512
_MOST_CHARACTERS = 200_000
"""A tree takes 48 bytes for each character of a file, 10 MB in all; a short call takes 2 KB.

With three times as much, the tests of the rewrites parse no less and take a tenth longer:
Python's collector looks at all that is kept. The last one is kept in any case: whoever asks about a
large file does so function by function.
"""
_kept: dict[str, ast.Module] = {}


def parse_module(text: str) -> ast.Module:
    """The tree of a module, shared with others: only for reading. Raises what `ast.parse` does."""
    if len(text) <= _SHORT:
        return _short_module(text)
    tree = _kept.pop(text, None)
    if tree is not None:
        _kept[text] = tree  # last asked for, last forgotten
        return tree
    tree = fresh_module(text)
    _kept[text] = tree
    _forget()
    return tree


def parse_expression(text: str) -> ast.expr:
    """The tree of one expression, shared with others. Raises what `ast.parse` does."""
    return _short_expression(text) if len(text) <= _SHORT else fresh_expression(text)


def parse_quietly(text: str) -> ast.Module:
    """The shared tree of a module, whatever warnings Python has about its text."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return parse_module(text)


def fresh_module(text: str | bytes) -> ast.Module:
    """The tree of a module that belongs to the caller alone. Raises what `ast.parse` does."""
    try:
        return ast.parse(text)
    except SystemError:
        # Python 3.11 counts the depth of all threads' trees together (python/cpython#106905).
        return ast.parse(text)


def fresh_quietly(text: str | bytes) -> ast.Module:
    """The tree of a module for the caller alone, whatever warnings Python has about its text."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return fresh_module(text)


def fresh_expression(text: str) -> ast.expr:
    """The tree of one expression that belongs to the caller alone."""
    return ast.parse(text, mode="eval").body


@lru_cache(maxsize=_SHORT_MODULES)
def _short_module(text: str) -> ast.Module:
    return fresh_module(text)


@lru_cache(maxsize=_SHORT_EXPRESSIONS)
def _short_expression(text: str) -> ast.expr:
    return fresh_expression(text)


def _forget() -> None:
    """Drop what was not asked for the longest; another thread may do so at the same time."""
    texts = list(_kept)
    spare = sum(map(len, texts)) - _MOST_CHARACTERS
    for text in texts[:-1]:
        if spare <= 0:
            return
        if _kept.pop(text, None) is not None:
            spare -= len(text)
