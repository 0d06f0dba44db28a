"""Near-duplicates: modules whose code is, names aside, in another module too.

A module is read as the tokens of its syntax tree, without imports, docstrings, annotations and
the names that a person would change in a copy. Overlapping runs of tokens are hashed and
winnowed (Schleimer, Wilkerson and Aiken, 2003): a copied stretch of `_RUN + _WINDOW - 1` tokens
always leaves a common mark. Whether two modules also *behave* alike is not asked here.
"""

import ast
import builtins
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from zlib import crc32

from reverie.syntax.nodes import Function

_RUN, _WINDOW, _SHORT = 7, 4, 24
_FEWEST_MARKS, _FEW_MARKS = 2, 10
"""Below the first, modules are alike by chance; below the second, only a whole copy counts."""
_COMMONPLACE = 25
"""A mark in more modules than this says nothing about any two of them."""
_BUILTINS = frozenset(dir(builtins))
_SHOWN_OF_A_CONSTANT = 60
_SKIPPED_FIELDS = {"annotation", "returns", "type_comment", "ctx", "type_params", "type_ignores"}


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The marks that the code of a module leaves. Without functions there is no behaviour."""

    marks: frozenset[int] = frozenset()
    functions: int = 0


@dataclass(frozen=True, slots=True)
class Cover:
    """How much of one module's code is in another."""

    covered: str
    by: str
    share: float
    is_small: bool = False
    """Too little code to be sure of anything but a whole copy that nothing uses."""


def fingerprint_of(tree: ast.Module) -> Fingerprint:
    """The fingerprint of a module; the order of its definitions does not matter."""
    marks: set[int] = set()
    functions = 0
    own = _own_names(tree)
    for statement in _units(tree):
        if not isinstance(statement, ast.Import | ast.ImportFrom):
            marks.update(
                _winnowed(
                    [
                        crc32(token.encode("utf-8", "surrogatepass"))
                        for token in _tokens(statement, own)
                    ]
                )
            )
        functions += isinstance(statement, Function)
    return Fingerprint(frozenset(marks), functions)


def covers(fingerprints: Mapping[str, Fingerprint], least_share: float) -> list[Cover]:
    """Every pair in which one module has at least so much of another, in a fixed order."""
    marked = {
        path: each.marks
        for path, each in fingerprints.items()
        if each.functions and len(each.marks) >= _FEWEST_MARKS
    }
    holders: dict[int, list[str]] = defaultdict(list)
    for path, marks in sorted(marked.items()):
        for mark in marks:
            holders[mark].append(path)
    found = []
    for path, marks in sorted(marked.items()):
        shared = Counter(
            other
            for mark in marks
            if len(holders[mark]) <= _COMMONPLACE
            for other in holders[mark]
            if other != path
        )
        for other in sorted(name for name, count in shared.items() if count * 3 >= len(marks)):
            share = len(marks & marked[other]) / len(marks)
            is_small = len(marks) < _FEW_MARKS
            if share >= (1.0 if is_small else least_share):
                found.append(Cover(path, other, round(share, 4), is_small))
    return found


def _units(tree: ast.Module) -> Iterator[ast.stmt]:
    """Top-level statements, classes taken apart into their own."""
    stack = list(reversed(tree.body))
    while stack:
        statement = stack.pop()
        if isinstance(statement, ast.ClassDef):
            stack += reversed(statement.body)
        else:
            yield statement


def _own_names(tree: ast.Module) -> frozenset[str]:
    """Attributes that the module itself makes: whoever copies it may call them otherwise."""
    names = set()
    for statement in _units(tree):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            names.add(statement.target.id)
    for node in _walk(tree):
        if isinstance(node, Function):
            names.add(node.name)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.add(node.attr)
    return frozenset(names)


def _tokens(root: ast.AST, own: frozenset[str]) -> Iterator[str]:
    for node in _walk(root):
        yield from _tokens_of(node, own)


def _walk(root: ast.AST) -> Iterator[ast.AST]:
    """Nodes from the top down and left to right, without what does not count."""
    stack = [root]
    while stack:
        node = stack.pop()
        if _is_docstring(node):
            continue
        yield node
        for name in _counted_fields(node._fields):
            value = getattr(node, name, None)
            if isinstance(value, list):
                stack += [each for each in reversed(value) if isinstance(each, ast.AST)]
            elif isinstance(value, ast.AST):
                stack.append(value)


@cache
def _counted_fields(fields: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in reversed(fields) if name not in _SKIPPED_FIELDS)


def _tokens_of(node: ast.AST, own: frozenset[str]) -> Iterator[str]:
    yield type(node).__name__
    match node:
        case ast.Constant(value=value):
            shown = hex(value) if isinstance(value, int) else str(value)  # decimals have a limit
            yield f"{type(value).__name__} {shown[:_SHOWN_OF_A_CONSTANT]}"
        case ast.Name(id=name) if name in _BUILTINS:
            yield name
        case ast.Attribute(attr=name) if name not in own:
            yield name


def _is_docstring(node: ast.AST) -> bool:
    match node:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
    return False


def _winnowed(tokens: list[int]) -> Iterator[int]:
    """Marks of one statement; a short one has a mark as a whole too, for winnowing skips some."""
    if len(tokens) <= _SHORT:
        yield hash(tuple(tokens))
    runs = [hash(tuple(tokens[at : at + _RUN])) for at in range(max(1, len(tokens) - _RUN + 1))]
    for at in range(max(1, len(runs) - _WINDOW + 1)):
        yield min(runs[at : at + _WINDOW])
