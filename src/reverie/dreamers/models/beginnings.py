"""Answers in parts: how one begins, for a model that goes on from there, and functions alone."""

import ast
import re
from collections.abc import Mapping

from reverie.dreamers.models.tasks import Task
from reverie.model.dream import Stage
from reverie.syntax.nodes import Function, first_line, plain_functions
from reverie.syntax.parsing import NOT_PYTHON, parse_module

_MOST_LINES = 20
"""Of a function that are shown as its beginning."""


def beginning_of(task: Task, number: int) -> str:
    """The first lines of an answer about one function, another one in each round; or nothing."""
    try:
        found = dict(plain_functions(parse_module(task.source).body))
    except NOT_PYTHON:
        return ""
    wanted = [each for each in (*task.hot, *(gap.function for gap in task.gaps)) if each in found]
    public = [each for each in found if not re.search(r"(^|\.)_", each)]
    names = list(dict.fromkeys([*wanted, *public])) or list(found)
    if not names:
        return ""
    name = names[number % len(names)]
    if task.stage is Stage.A:
        return _test_of(task.module, name)
    verb = "Speed up" if task.stage is Stage.C else "Simplify"
    return f"TITLE: {verb} {name}\n```python\n{_head(task.source, name, found[name])}".rstrip()


def _test_of(module: str, name: str) -> str:
    """Up to the first call: all that is left is what to ask, and what the answer is."""
    first = name.partition(".")[0]
    word = re.sub(r"\W+", "_", name).strip("_").lower()
    lines = (
        f"from {module} import {first}",
        "",
        "",
        f"def test_{word}():",
        f"    assert {first}(",
    )
    return f"TITLE: Test {name}\n```python\n" + "\n".join(lines)


def _head(source: str, name: str, node: Function) -> str:
    """A function as far as its first statement, below the class that it is in."""
    lines = source.splitlines()
    first = first_line(node)
    last = node.body[0].end_lineno or node.body[0].lineno
    if last - first > _MOST_LINES or len(node.body) == 1:
        last = node.body[0].lineno - 1
    owners = name.split(".")[:-1]
    classes = [f"{'    ' * depth}class {each}:" for depth, each in enumerate(owners)]
    return "\n".join([*classes, *lines[first - 1 : last]])


def merged(code: str, before: str | None) -> str:
    """Functions without their module, put where they stand in it; any other code as it is."""
    if before is None:
        return code
    try:
        new, old = parse_module(code), parse_module(before)
    except NOT_PYTHON:
        return code
    if not _is_of_functions(new.body) or _is_of_functions(old.body):
        return code
    wanted = dict(plain_functions(new.body))
    known = dict(plain_functions(old.body))
    if not wanted or not wanted.keys() <= known.keys():
        return code
    return _with(before, known, _sources(code, wanted))


def _is_of_functions(body: list[ast.stmt]) -> bool:
    """Whether nothing else stands there: no import, no constant, no sentence."""
    return all(
        isinstance(each, Function)
        or (isinstance(each, ast.ClassDef) and _is_of_functions(each.body))
        for each in body
    )


def _sources(code: str, functions: Mapping[str, Function]) -> Mapping[str, list[str]]:
    lines = code.splitlines(keepends=True)
    return {name: lines[first_line(each) - 1 : each.end_lineno] for name, each in functions.items()}


def _with(before: str, known: Mapping[str, Function], new: Mapping[str, list[str]]) -> str:
    lines = before.splitlines(keepends=True)
    for name in sorted(new, key=lambda each: -known[each].lineno):
        node = known[name]
        lines[first_line(node) - 1 : node.end_lineno] = new[name]
    return "".join(lines)
