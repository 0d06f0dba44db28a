"""Calls of a file that may be calls of the repository's own functions, with their literals.

Calls in the examples of docstrings are among them.
"""

import ast
import builtins
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from reverie.index.reading.expressions import Call, Frame, Scanner
from reverie.index.reading.facts import RawCall, SourceLines, literal_source
from reverie.syntax.parsing import NOT_PYTHON, fresh_quietly

_ITSELF = frozenset({"self", "cls"})
_BUILT_IN = frozenset(dir(builtins))
_MOST_LITERALS = 12


def calls_of(
    calls: Iterable[Call], bound: Collection[str], lines: SourceLines
) -> Iterator[RawCall]:
    """Those that may start with a name of the file, which is not hidden by a parameter."""
    for call in calls:
        first, _, rest = call.target.partition(".")
        if first in call.frame.hidden:
            if not (rest and first in _ITSELF):
                continue
        elif first in _BUILT_IN and first not in bound:
            continue
        node = call.node
        literals = literal_arguments(node, lines)
        yield RawCall(call.target, node.lineno, literals, call.frame.qualname)


def is_own(call: RawCall, bound: Collection[str]) -> bool:
    """Whether a call starts with a name which the file binds, or with `self`.

    An empty name among the bound ones stands for a star import, which may bind anything.
    """
    first = call.target.partition(".")[0]
    return first in bound or first in _ITSELF or "" in bound


def literal_arguments(node: ast.Call, lines: SourceLines) -> tuple[str, ...]:
    """The arguments that are literals, as source; `name=value` for keywords."""
    if not node.args and not node.keywords:
        return ()
    found = []
    for argument in node.args[:_MOST_LITERALS]:
        text = literal_source(argument, lines)
        if text is not None:
            found.append(text)
    for keyword in node.keywords[:_MOST_LITERALS]:
        text = literal_source(keyword.value, lines)
        if text is not None and keyword.arg is not None:
            found.append(f"{keyword.arg}={text}")
    return tuple(found)


_EXAMPLE = re.compile(r"^[ \t]*(>>>|\.\.\.)(?: (.*))?$", re.MULTILINE)
_LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class Examples:
    """What the examples of one docstring hold."""

    calls: tuple[RawCall, ...]
    literals: tuple[str, ...]


def read_examples(docstring: str, line: int, caller: str) -> Examples:
    """Read the examples as Python; those that do not parse are passed over."""
    scanner = Scanner(Frame("", caller, ""), keeps_literals=True)
    imported: dict[str, str] = {}
    calls: list[RawCall] = []
    for source, tree in _parsed_examples(docstring[:_LONGEST]):
        lines = SourceLines(source.encode())
        for statement in tree.body:
            if isinstance(statement, ast.Import | ast.ImportFrom):
                imported.update(_imported(statement))
            else:
                scanner.scan(statement)
        for call in scanner.calls:
            target = _absolute(call.target, imported)
            literals = literal_arguments(call.node, lines)
            calls.append(RawCall(target, line, literals, caller, in_doctest=True))
        scanner.calls.clear()
    return Examples(tuple(calls), tuple(scanner.literals))


def _imported(statement: ast.Import | ast.ImportFrom) -> dict[str, str]:
    if isinstance(statement, ast.Import):
        return {each.asname: each.name for each in statement.names if each.asname is not None}
    module = "." * (statement.level or 0) + (statement.module or "")
    return {each.asname or each.name: f"{module}.{each.name}" for each in statement.names}


def _absolute(target: str, imported: dict[str, str]) -> str:
    first, dot, rest = target.partition(".")
    return f"{imported[first]}{dot}{rest}" if first in imported else target


def _parsed_examples(docstring: str) -> Iterator[tuple[str, ast.Module]]:
    examples = _examples(docstring)
    whole = "\n".join(examples)
    tree = _parsed(whole)
    if tree is not None:
        yield whole, tree
        return
    for example in examples:
        tree = _parsed(example)
        if tree is not None:
            yield example, tree


def _examples(docstring: str) -> list[str]:
    examples: list[str] = []
    for mark, code in _EXAMPLE.findall(docstring):
        if mark == ">>>":
            examples.append(code)
        elif examples:
            examples[-1] += f"\n{code}"
    return examples


def _parsed(source: str) -> ast.Module | None:
    try:
        return fresh_quietly(source)
    except NOT_PYTHON:
        return None
