"""The same tests for unittest: methods of one class, tables as loops over `subTest`."""

import ast
from collections.abc import Sequence

from reverie.dreamers.enrich.writing.admission import dotted
from reverie.dreamers.enrich.writing.grouping import Test
from reverie.dreamers.enrich.writing.layout import expression_lines, statement_lines

_INDENT = "    "
_BODY = 2 * _INDENT


def unittest_lines(tests: Sequence[Test], class_name: str, *, is_typed: bool) -> list[str]:
    """The class with all tests."""
    returns = " -> None" if is_typed else ""
    lines = ["", "", f"class {class_name}(unittest.TestCase):"]
    for number, test in enumerate(tests):
        lines += [""] if number else []
        lines += [f"{_INDENT}def {test.name}(self){returns}:", *_method_lines(test, is_typed)]
    return lines


def _method_lines(test: Test, is_typed: bool) -> list[str]:
    table = test.table
    if table is None:
        return [line for each in test.body for line in _statement(each, _BODY)]
    lines = [f"{_BODY}cases{': list[Any]' if is_typed else ''} = ["]
    for row in table.rows:
        value = row[0] if len(row) == 1 else ast.Tuple(list(row), ast.Load())
        lines += expression_lines(value, _BODY + _INDENT, "", ",")
    names = ", ".join(table.names)
    told = ", ".join(f"{name}={name}" for name in table.names if name != "expected")
    lines += [f"{_BODY}]", f"{_BODY}for {names} in cases:"]
    lines += [f"{_BODY}{_INDENT}with self.subTest({told or f'{table.names[0]}={table.names[0]}'}):"]
    inner = _BODY + 2 * _INDENT
    return lines + [line for each in table.body for line in _statement(each, inner)]


def _statement(node: ast.stmt, indent: str) -> list[str]:
    if isinstance(node, ast.Assert):
        return expression_lines(_asserting(node.test), indent, "", "")
    if isinstance(node, ast.With):
        copied = ast.parse(ast.unparse(node)).body[0]
        if isinstance(copied, ast.With):
            copied.items[0].context_expr = _raising(copied.items[0].context_expr)
            head = expression_lines(
                copied.items[0].context_expr, indent, "with ", _alias(copied.items[0])
            )
            return head + [
                line for each in node.body for line in _statement(each, indent + _INDENT)
            ]
    return statement_lines(node, indent)


def _alias(item: ast.withitem) -> str:
    return ":" if item.optional_vars is None else f" as {ast.unparse(item.optional_vars)}:"


def _asserting(test: ast.expr) -> ast.expr:
    """An assertion as a call of the test case."""
    if isinstance(test, ast.Call) and dotted(test.func) == "isinstance":
        return _call("assertIsInstance", *test.args)
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        right = test.comparators[0]
        if isinstance(test.ops[0], ast.Is):
            return _is(test.left, right)
        if isinstance(right, ast.Call) and dotted(right.func) == "pytest.approx":
            return _call("assertAlmostEqual", test.left, right.args[0])
        if isinstance(test.ops[0], ast.Eq):
            return _call("assertEqual", test.left, right)
    return _call("assertTrue", test)


def _is(left: ast.expr, right: ast.expr) -> ast.expr:
    names = {None: "assertIsNone"}
    if isinstance(right, ast.Constant) and right.value is None:
        return _call(names[None], left)
    return _call("assertIs", left, right)


def _raising(manager: ast.expr) -> ast.expr:
    if not isinstance(manager, ast.Call) or dotted(manager.func) != "pytest.raises":
        return manager
    if manager.keywords:
        return _call("assertRaisesRegex", manager.args[0], manager.keywords[0].value)
    return _call("assertRaises", manager.args[0])


def _call(name: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(ast.Attribute(ast.Name("self"), name), list(arguments), [])
