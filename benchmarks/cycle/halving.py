"""Takes every second test out of a package."""

import ast
from pathlib import Path

_NAMES = ("test_*.py", "*_test.py")


def halve_tests(folder: Path) -> int:
    """Remove every second test function and method; how many are gone."""
    files = sorted({path for name in _NAMES for path in folder.rglob(name)})
    return sum(_halve(path) for path in files)


def _halve(path: Path) -> int:
    text = path.read_text("utf-8")
    tree = ast.parse(text)
    tests = [node for node in ast.walk(tree) if _is_test(node)]
    tests.sort(key=lambda node: node.lineno)
    lines = text.splitlines(keepends=True)
    gone = tests[1::2]
    for node in reversed(gone):
        first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
        indent = " " * node.col_offset
        lines[first - 1 : node.end_lineno] = [f"{indent}pass\n"] if node.col_offset else []
    path.write_text("".join(lines), "utf-8")
    ast.parse(path.read_text("utf-8"))
    return len(gone)


def _is_test(node: ast.AST) -> bool:
    is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    return is_function and node.name.startswith("test")
