"""Functions of a text: which there are, and what of them others see without calling them."""

import ast
from collections.abc import Iterator
from copy import copy

from reverie.instruments.equivalence.proven.scopes import Function

_QUIET = frozenset(
    {"staticmethod", "classmethod", "property", "abstractmethod", "cached_property", "lru_cache",
     "cache", "wraps", "contextmanager", "setter", "getter", "deleter", "total_ordering"}
)  # fmt: skip
"""Decorators that do not ask for annotations or docstrings."""


def occurrences(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, list[Function]]]:
    """Functions by dotted name, in the order of the text: a property is several of one name."""
    found: dict[str, list[Function]] = {}
    for name, node in _functions(tree, prefix):
        found.setdefault(name, []).append(node)
    yield from found.items()


def _functions(tree: ast.AST, prefix: str) -> Iterator[tuple[str, Function]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Function):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{prefix}{node.name}.")
        elif isinstance(node, ast.If | ast.Try | ast.With):
            yield from _functions(node, prefix)


def front_of(node: Function) -> tuple[str, ...]:
    """How a function is called and wrapped, and what a wrapper may read of it."""
    given = node.args
    words = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    stars = [each and each.arg for each in (given.vararg, given.kwarg)]
    defaults = [*given.defaults, *given.kw_defaults]
    parts = [type(node).__name__, str(len(given.posonlyargs)), str(len(given.args)), *words]
    parts += map(str, stars)
    parts += ["" if each is None else ast.dump(each) for each in (*node.decorator_list, *defaults)]
    if not all(_is_quiet(each) for each in node.decorator_list):
        parts += [ast.dump(given), "" if node.returns is None else ast.dump(node.returns)]
        parts.append(str(ast.get_docstring(node, clean=False)))
    return tuple(parts)


def _is_quiet(node: ast.expr) -> bool:
    called = node.func if isinstance(node, ast.Call) else node
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    return name in _QUIET


def without_words(node: Function) -> Function:
    """A function without its docstring."""
    if ast.get_docstring(node, clean=False) is None:
        return node
    made = copy(node)
    made.body = node.body[1:] or [ast.Pass()]
    return made
