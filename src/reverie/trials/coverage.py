"""Lines and branches that a suite runs, before and after, on the same files."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

from reverie.model.mutation import CoverageMap
from reverie.trials.suites import MeasuredTree

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
