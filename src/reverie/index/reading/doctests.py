"""The examples in docstrings: what they call, and with which literals."""

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.index.reading.calls import literal_arguments
from reverie.index.reading.expressions import Scanner
from reverie.index.reading.facts import RawCall
from reverie.index.reading.frame import Frame
from reverie.index.reading.lines import SourceLines

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
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
