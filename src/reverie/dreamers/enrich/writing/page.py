"""The test file as text: header, imports of what is used, tests."""

import ast
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reverie.dreamers.enrich.writing.grouping import Test
from reverie.dreamers.enrich.writing.habits import Framework
from reverie.dreamers.enrich.writing.layout import WIDTH, expression_lines, flat, statement_lines
from reverie.dreamers.enrich.writing.naming import camel
from reverie.dreamers.enrich.writing.unittest_page import unittest_lines

_INDENT = "    "


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
    return {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}


def _dotted_in(code: str) -> set[str]:
    return {
        ast.unparse(node) for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Attribute)
    }


def _is_used(module: str, dotted: set[str]) -> bool:
    return any(name.startswith(f"{module}.") for name in dotted)


def _defined(definition: str) -> str:
    for node in ast.parse(definition).body:
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
