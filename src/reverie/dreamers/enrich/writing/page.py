"""The test file as text, for pytest and for unittest: header, imports, tests."""

import ast
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reverie.dreamers.enrich.writing.habits import Framework
from reverie.dreamers.enrich.writing.layout import WIDTH, expression_lines, flat, statement_lines
from reverie.dreamers.enrich.writing.wording.grouping import Test
from reverie.dreamers.enrich.writing.wording.naming import camel
from reverie.syntax.nodes import dotted_name, names_in
from reverie.syntax.parsing import fresh_module, parse_module
from reverie.syntax.unparsing import unparse

_INDENT = "    "

_BODY = 2 * _INDENT


def unittest_lines(tests: Sequence[Test], class_name: str, *, is_typed: bool) -> list[str]:
    """The class with all tests."""
    returns = " -> None" if is_typed else ""
    lines = ["", "", f"class {class_name}(unittest.TestCase):"]
    for number, test in enumerate(tests):
        lines += [""] if number else []
        lines += [
            f"{_INDENT}def {test.name}(self){returns}:",
            *_method_lines(test, is_typed),
        ]
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
        copied = fresh_module(unparse(node)).body[0]
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
    return ":" if item.optional_vars is None else f" as {unparse(item.optional_vars)}:"


def _asserting(test: ast.expr) -> ast.expr:
    """An assertion as a call of the test case."""
    if isinstance(test, ast.Call) and dotted_name(test.func) == "isinstance":
        return _call("assertIsInstance", *test.args)
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        right = test.comparators[0]
        if isinstance(test.ops[0], ast.Is):
            return _is(test.left, right)
        if isinstance(right, ast.Call) and dotted_name(right.func) == "pytest.approx":
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
    if not isinstance(manager, ast.Call) or dotted_name(manager.func) != "pytest.raises":
        return manager
    if manager.keywords:
        return _call("assertRaisesRegex", manager.args[0], manager.keywords[0].value)
    return _call("assertRaises", manager.args[0])


def _call(name: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(ast.Attribute(ast.Name("self"), name), list(arguments), [])


@dataclass(frozen=True, slots=True)
class Heading:
    """What a file says of itself: the module it tests, and the command that writes it anew."""

    module: str
    command: str
    framework: Framework = Framework.PYTEST
    is_typed: bool = True
    """Whether the repository annotates its tests."""


@dataclass(frozen=True, slots=True)
class Needs:
    """What the tests of a file may have to import or define; what they do not use is left out."""

    own: frozenset[str]
    modules: frozenset[str]
    definitions: tuple[str, ...] = ()


def render(tests: Sequence[Test], heading: Heading, needs: Needs) -> str:
    """The whole file."""
    if heading.framework is Framework.UNITTEST:
        name = f"{camel(heading.module.rpartition('.')[2])}Test"
        bodies = unittest_lines(tests, name, is_typed=heading.is_typed)
    else:
        bodies = [text for test in tests for text in _test_lines(test, heading.is_typed)]
    code = "\n".join(bodies)
    kept = _used_definitions(needs.definitions, code)
    whole = "\n".join((*kept, code))
    lines = [f'"""{_headline(heading)}"""', ""]
    lines += import_lines(whole, heading.module, needs.own, needs.modules)
    for definition in kept:
        lines += ["", "", *definition.splitlines()]
    return "\n".join((*lines, *bodies)) + "\n"


def _used_definitions(definitions: Sequence[str], code: str) -> list[str]:
    """Those that the code uses, and those that these use."""
    kept: list[str] = []
    used = _names_in(code)
    for definition in reversed(definitions):
        if _defined(definition) in used:
            kept.insert(0, definition)
            used |= _names_in(definition)
    return kept


def _headline(heading: Heading) -> str:
    line = f"Tests of {heading.module}. To write them anew: {heading.command}"
    if len(line) + 6 <= WIDTH:
        return line
    return f"Tests of {heading.module}.\n\nTo write them anew: {heading.command}\n"


def import_lines(code: str, module: str, own: frozenset[str], modules: Iterable[str]) -> list[str]:
    """Imports of what the code uses, in isort's groups."""
    used = _names_in(code)
    dotted = _dotted_in(code)
    wanted = {name for name in modules if _is_used(name, dotted)}
    wanted |= {name for name in ("asyncio", "math", "unittest") if name in used}
    standard = sorted(name for name in wanted if name.partition(".")[0] in sys.stdlib_module_names)
    others = sorted(wanted - set(standard))
    groups = [[f"import {name}" for name in standard]]
    if "Any" in used:
        groups[0].append("from typing import Any")
    groups.append(["import pytest"] if "pytest" in used else [])
    names = sorted(used & own, key=_member_order)
    groups.append([f"import {name}" for name in others])
    if names:
        groups[-1] += _from_lines(module, names)
    return "\n\n".join("\n".join(group) for group in groups if group).split("\n")


def _member_order(name: str) -> tuple[int, str, str]:
    """As isort has it: constants, classes, the rest."""
    kind = 0 if len(name) > 1 and name.isupper() else 1 if name[0].isupper() else 2
    return kind, name.lower(), name


def _from_lines(module: str, names: Sequence[str]) -> list[str]:
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= WIDTH:
        return [line]
    return [f"from {module} import (", *(f"{_INDENT}{name}," for name in names), ")"]


def _names_in(code: str) -> set[str]:
    return names_in(parse_module(code))


def _dotted_in(code: str) -> set[str]:
    return {
        unparse(node) for node in ast.walk(parse_module(code)) if isinstance(node, ast.Attribute)
    }


def _is_used(module: str, dotted: set[str]) -> bool:
    return any(name.startswith(f"{module}.") for name in dotted)


def _defined(definition: str) -> str:
    for node in parse_module(definition).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            return node.name
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            return node.targets[0].id
    return ""


def _test_lines(test: Test, is_typed: bool) -> list[str]:
    lines = ["", ""]
    parameters = ""
    if test.table is not None:
        lines += _table_lines(test)
        pairs = zip(test.table.names, test.table.types, strict=True)
        parameters = ", ".join(f"{name}: {kind}" if is_typed else name for name, kind in pairs)
    lines += _signature(test.name, parameters, " -> None" if is_typed else "")
    for statement in test.body:
        lines += statement_lines(statement, _INDENT)
    return lines


def _signature(name: str, parameters: str, returns: str) -> list[str]:
    line = f"def {name}({parameters}){returns}:"
    if len(line) <= WIDTH:
        return [line]
    return [f"def {name}(", f"{_INDENT}{parameters}", f"){returns}:"]


def _table_lines(test: Test) -> list[str]:
    table = test.table
    if table is None:
        return []
    if len(table.names) == 1:
        lines = [f'@pytest.mark.parametrize("{table.names[0]}", [']
        rows: list[ast.expr] = [row[0] for row in table.rows]
        joined = f"{lines[0]}{', '.join(flat(row) for row in rows)}])"
        if len(joined) <= WIDTH:
            return [joined]
    else:
        rows = [ast.Tuple(list(row), ast.Load()) for row in table.rows]
    names = ", ".join(f'"{name}"' for name in table.names)
    names = names if len(table.names) == 1 else f"({names})"
    lines = ["@pytest.mark.parametrize(", f"{_INDENT}{names},", f"{_INDENT}["]
    for row in rows:
        lines += expression_lines(row, 2 * _INDENT, "", ",")
    return [*lines, f"{_INDENT}],", ")"]
