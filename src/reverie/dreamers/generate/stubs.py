"""Functions of a module that are declared with examples and not written: found, and filled in."""

import ast
import textwrap
from collections.abc import Mapping

from reverie.dreamers.generate.spec import Spec, read_stub
from reverie.errors import UsageError
from reverie.syntax.nodes import is_stub
from reverie.syntax.parsing import NOT_PYTHON, parse_module
from reverie.syntax.unparsing import unparse


def declared_stubs(source: str) -> Mapping[str, Spec]:
    """What each of them is to do, by name: those that examples say enough about."""
    try:
        tree = parse_module(source)
    except NOT_PYTHON:
        return {}
    found = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and is_stub(node) and not node.decorator_list:
            try:
                spec = read_stub(unparse(node))
            except UsageError:
                continue
            if spec.examples:
                found[node.name] = spec
    return found


def filled(source: str, name: str, answer: str) -> str | None:
    """A module with the body of an answer in the place of a stub's.

    None where an answer brings more than its function and imports.
    """
    stub, given = _named(source, name), parse_module(answer)
    written = _named(answer, name)
    others = [each for each in given.body if each is not written]
    if stub is None or written is None or not all(map(_is_import, others)):
        return None
    lines = source.splitlines(keepends=True)
    empty = [each for each in stub.body if not _is_docstring(each)]
    body = "\n".join(unparse(each) for each in written.body if not _is_docstring(each))
    indent = " " * empty[0].col_offset
    new = textwrap.indent(body, indent) + "\n"
    lines[empty[0].lineno - 1 : empty[-1].end_lineno] = [new]
    wanted = [unparse(each) for each in others]
    missing = [each for each in wanted if f"{each}\n" not in source]
    if missing:
        lines.insert(_top(source), "".join(f"{each}\n" for each in missing) + "\n")
    return "".join(lines)


def _named(source: str, name: str) -> ast.FunctionDef | None:
    body = parse_module(source).body
    return next((e for e in body if isinstance(e, ast.FunctionDef) and e.name == name), None)


def _is_import(node: ast.stmt) -> bool:
    return isinstance(node, ast.Import | ast.ImportFrom)


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(getattr(node.value, "value", None), str)


def _top(source: str) -> int:
    """The line before which an import goes: the first that is no docstring and no future."""
    for node in parse_module(source).body:
        is_future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        if not _is_docstring(node) and not is_future:
            return node.lineno - 1
    return 0
