"""How much of a module a set of steps covers: lines, and the ways out of every branch.

Pure. Counted as coverage.py counts: a statement is its first line, a branch is a line that can go
on in two ways, and `pragma: no cover` takes out what stands under it.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

Arc = tuple[int, int]
_LEFT_OUT = re.compile(r"#\s*(?:pragma|PRAGMA)[:\s]?\s*(?:no|NO)\s*(?:cover|COVER)")


@dataclass(frozen=True, slots=True)
class Branch:
    """A line that goes on to its body or elsewhere."""

    line: int
    body: int


@dataclass(frozen=True, slots=True)
class Covered:
    """Shares between 0 and 1; a module without branches has them all."""

    lines: float
    branches: float


@dataclass(frozen=True, slots=True)
class Outline:
    """What there is to cover in a module."""

    lines: frozenset[int]
    branches: tuple[Branch, ...]
    starts: dict[int, int]
    """The first line of the statement that a line belongs to."""

    def covered(self, arcs: Iterable[Arc]) -> Covered:
        """The shares that a set of steps takes."""
        steps = {(self._start(before), self._start(after)) for before, after in arcs}
        seen = {line for step in steps for line in step} & self.lines
        taken = sum(self._taken(branch, steps) for branch in self.branches)
        return Covered(
            len(seen) / len(self.lines) if self.lines else 1.0,
            taken / (2 * len(self.branches)) if self.branches else 1.0,
        )

    def _start(self, line: int) -> int:
        return self.starts.get(line, line)

    def _taken(self, branch: Branch, steps: set[Arc]) -> int:
        onwards = {after for before, after in steps if before == branch.line} - {branch.line}
        return (branch.body in onwards) + bool(onwards - {branch.body})


def outline_of(source: str) -> Outline:
    """What there is to cover in a source."""
    tree = ast.parse(source)
    texts = source.splitlines()
    kept = list(_statements(tree.body, texts))
    starts: dict[int, int] = {}
    for node in kept:
        body = getattr(node, "body", None)
        last = body[0].lineno - 1 if body else node.end_lineno or node.lineno
        starts.update(dict.fromkeys(range(node.lineno, last + 1), node.lineno))
    lines = {node.lineno for node in kept if not _says_nothing(node)}
    lines |= {each.lineno for node in kept for each in getattr(node, "decorator_list", ())}
    return Outline(frozenset(lines), tuple(_branches(kept)), starts)


def _statements(body: Iterable[ast.stmt], texts: list[str]) -> Iterator[ast.stmt]:
    """Outer ones first; without what is left out by a comment."""
    for node in body:
        if _LEFT_OUT.search(texts[node.lineno - 1]):
            continue
        yield node
        for name in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(node, name, ()), texts)
        for handler in getattr(node, "handlers", ()):
            if not _LEFT_OUT.search(texts[handler.lineno - 1]):
                yield from _statements(handler.body, texts)
        for case in getattr(node, "cases", ()):
            if not _LEFT_OUT.search(texts[case.pattern.lineno - 1]):
                yield from _statements(case.body, texts)


def _says_nothing(node: ast.stmt) -> bool:
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_text or isinstance(node, ast.Global | ast.Nonlocal)


def _branches(kept: Iterable[ast.stmt]) -> Iterator[Branch]:
    for node in kept:
        match node:
            case ast.If(test=ast.Constant()) | ast.While(test=ast.Constant()):
                continue
            case (
                ast.If(body=body)
                | ast.While(body=body)
                | ast.For(body=body)
                | ast.AsyncFor(body=body)
            ):
                if body[0].lineno != node.lineno:
                    yield Branch(node.lineno, body[0].lineno)
            case ast.Match(cases=cases):
                for case in cases:
                    is_last = isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None
                    line = case.pattern.lineno
                    if not (is_last and case.guard is None) and case.body[0].lineno != line:
                        yield Branch(line, case.body[0].lineno)
