"""A file of tests with some of them taken out, and the imports that only those needed."""

import ast
from typing import TypeGuard

_WIDTH = 100


def without_tests(source: str, names: frozenset[str]) -> str | None:
    """The file without these test functions; None when no test is left, or none was there."""
    tree = ast.parse(source)
    gone = [node for node in ast.walk(tree) if _is_function(node) and node.name in names]
    tests = [node for node in ast.walk(tree) if _is_function(node) and node.name.startswith("test")]
    if not gone or len(gone) == len(tests):
        return None
    lines = source.splitlines(keepends=True)
    for node in sorted(gone, key=lambda each: each.lineno, reverse=True):
        first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
        while first > 1 and not lines[first - 2].strip():
            first -= 1  # the blank lines in front go with it
        del lines[first - 1 : node.end_lineno]
    return _with_needed_imports("".join(lines))


def _is_function(node: ast.AST) -> TypeGuard[ast.FunctionDef | ast.AsyncFunctionDef]:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


def _with_needed_imports(source: str) -> str:
    tree = ast.parse(source)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    lines = source.splitlines(keepends=True)
    for node in reversed(tree.body):
        if isinstance(node, ast.Import | ast.ImportFrom):
            kept = [each for each in node.names if _bound(each) in used]
            if len(kept) != len(node.names):
                place = node.lineno - 1
                lines[place : node.end_lineno] = _import(node, kept)
                if not kept and not "".join(lines[place - 1 : place + 1]).strip():
                    del lines[place : place + 1]  # one blank line is enough
    return "".join(lines)


def _bound(alias: ast.alias) -> str:
    return alias.asname or alias.name.partition(".")[0]


def _import(node: ast.Import | ast.ImportFrom, kept: list[ast.alias]) -> list[str]:
    if not kept:
        return []
    node.names = kept
    line = ast.unparse(node)
    if len(line) <= _WIDTH or isinstance(node, ast.Import):
        return [f"{line}\n"]
    head = line.partition(" import ")[0]
    return [f"{head} import (\n", *(f"    {ast.unparse(each)},\n" for each in kept), ")\n"]
