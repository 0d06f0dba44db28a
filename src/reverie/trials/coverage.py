"""Lines and branches that a suite runs, before and after, on the same files."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from types import CodeType

from reverie.model.change import FileEdit
from reverie.model.mutation import CoverageMap
from reverie.trials.suites import MeasuredTree

_DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_UNRUN = (*_DEFINING, ast.Global, ast.Nonlocal, ast.Pass, ast.Try)
"""Statements that leave no line of their own, or that an import runs."""
_BRANCHING = (
    ast.If | ast.While | ast.For | ast.AsyncFor | ast.IfExp | ast.Try | ast.Match | ast.With
)


@dataclass(frozen=True, slots=True)
class Covered:
    """What a suite runs of some files."""

    lines: frozenset[tuple[str, int]]
    branches: frozenset[tuple[str, int, int]]


def covered(tree: MeasuredTree, files: tuple[str, ...]) -> Covered:
    """Lines, and steps that leave a line with a choice."""
    coverage = tree.coverage
    choices = {file: _choices(_source(tree, file)) for file in files}
    lines = {(file, line) for file in files for line in coverage.lines_of(file)}
    branches = {
        (file, start, end)
        for file in files
        for start, end in _steps(coverage, file)
        if start in choices[file]
    }
    return Covered(frozenset(lines), frozenset(branches))


def lines_to_cover(tree: MeasuredTree, files: tuple[str, ...]) -> frozenset[tuple[str, int]]:
    """Every line of some files that could run."""
    return frozenset((file, line) for file in files for line in _executable(_source(tree, file)))


def lines_of_tests(coverage: CoverageMap, tests: frozenset[str]) -> Mapping[str, frozenset[int]]:
    """By file: the lines that some tests run."""
    found: dict[str, frozenset[int]] = {}
    for test in coverage.tests:
        if test.id in tests:
            for file in test.lines:
                found[file] = found.get(file, frozenset()) | test.lines_of(file)
    return found


def lost_statements(
    base: MeasuredTree, head: MeasuredTree, edits: Iterable[FileEdit]
) -> Iterator[str]:
    """Places of code that was run and is not, and of new code that is not run, as `file:line`.

    New code may stand in the place of as much code that was not run either.
    """
    for edit in edits:
        if edit.before is None or edit.after is None:
            continue
        ran_before = base.coverage.lines_of(edit.renamed_from or edit.path)
        ran_after = head.coverage.lines_of(edit.path)
        old, new = _statements(edit.before), _statements(edit.after)
        kept, gone, come = _aligned(old, new)
        lost = [b.line for a, b in kept if a.lines & ran_before and not b.lines & ran_after]
        idle = [each.line for each in come if not each.lines & ran_after]
        if len(idle) > sum(not each.lines & ran_before for each in gone):
            lost += idle
        yield from (f"{edit.path}:{line}" for line in sorted(lost))


@dataclass(frozen=True, slots=True)
class _Statement:
    """One statement, or the head of one that holds others: in which function, and how it reads."""

    scope: str
    text: str
    line: int
    lines: frozenset[int]
    """Those of its lines that could run."""


def _aligned(
    old: list[_Statement], new: list[_Statement]
) -> tuple[list[tuple[_Statement, _Statement]], list[_Statement], list[_Statement]]:
    """Statements that both have, first in place and then wherever they moved; and all others."""
    kept: list[tuple[_Statement, _Statement]] = []
    for key in (lambda e: (e.scope, e.text), lambda e: ("", e.text)):
        matcher = SequenceMatcher(None, list(map(key, old)), list(map(key, new)), autojunk=False)
        found = [
            (old[block.a + number], new[block.b + number])
            for block in matcher.get_matching_blocks()
            for number in range(block.size)
        ]
        kept += found
        old = [each for each in old if each not in {a for a, _ in found}]
        new = [each for each in new if each not in {b for _, b in found}]
    return kept, old, new


def _statements(source: str) -> list[_Statement]:
    found: list[_Statement] = []
    executable = _executable(source.encode("utf-8", "surrogatepass"))

    def visit(nodes: Iterable[ast.AST], scope: str) -> None:
        for node in nodes:
            inner = f"{scope}.{node.name}" if isinstance(node, _DEFINING) else scope
            is_words = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            if isinstance(node, ast.stmt) and not isinstance(node, _UNRUN) and not is_words:
                lines = executable & frozenset(range(node.lineno, _last_line(node) + 1))
                if lines:
                    found.append(_Statement(scope, _head(node), node.lineno, lines))
            visit(ast.iter_child_nodes(node), inner)

    visit(ast.parse(source).body, "")
    return found


def _last_line(node: ast.stmt) -> int:
    """Where a statement ends; of one that holds others, where its head does."""
    block = getattr(node, "body", None) or getattr(node, "cases", None)
    if not block:
        return node.end_lineno or node.lineno
    first = block[0].pattern if isinstance(block[0], ast.match_case) else block[0]
    return max(node.lineno, first.lineno - 1)


def _head(node: ast.stmt) -> str:
    """How a statement reads, without the statements inside of it."""
    text = ast.unparse(node)
    is_compound = hasattr(node, "body") or isinstance(node, ast.Match)
    return text.partition("\n")[0] if is_compound else text


def _steps(coverage: CoverageMap, file: str) -> Iterator[tuple[int, int]]:
    yield from coverage.import_arcs.get(file, ())
    for test in coverage.tests:
        if test.is_usable:
            yield from test.arcs.get(file, ())


def _source(tree: MeasuredTree, file: str) -> bytes:
    root = "" if tree.project is None else tree.project.root
    try:
        return (Path(root) / file).read_bytes()
    except OSError:
        return b""


def _choices(source: bytes) -> frozenset[int]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    return frozenset(node.lineno for node in ast.walk(tree) if isinstance(node, _BRANCHING))


def _executable(source: bytes) -> frozenset[int]:
    try:
        code = compile(source, "<source>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    return frozenset(_code_lines(code))


def _code_lines(code: CodeType) -> Iterator[int]:
    yield from (line for _, _, line in code.co_lines() if line)
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _code_lines(each)
