"""Sham mutants: changed files that do what they did. A test that fails on one looks at the code.

Whatever runs beside the tests, a conftest above all, can make them fail on every changed file, and
every mutant would count as noticed. It cannot know which changes change nothing.
"""

import ast
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from reverie.instruments.mutation.far import FarSide
from reverie.instruments.mutation.mutated import source_of
from reverie.model.mutation import CoverageMap, JudgedMutant, MutantVerdict, without_tests

_IDLE = ("{} == {}; ", "{} < {}; ", "[{}, {}]; ", "{{{}: {}}}; ", "{} in ({},); ")
"""Statements that change the code and nothing else, in shapes that nobody can wait for."""
_SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return, ast.Expr, ast.Raise, ast.Assert)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SECONDS = 60.0
SHAMS = 3
"""How many are asked about where nobody says more."""
_LOOKS = 3
"""So many tests in a row that fail on shams, and it is not the tests: nothing is believed."""
_NOTICED = frozenset({"killed", "timeout", "died"})


@dataclass(frozen=True, slots=True)
class ShamAnswer:
    """Which tests fail on a change that changes nothing, and why no verdict can be believed."""

    pinned: tuple[str, ...] = ()
    void: str | None = None


def look_at_shams(
    far: FarSide, coverage: CoverageMap, judged: Iterable[JudgedMutant], most: int
) -> ShamAnswer:
    """Ask fresh processes about shams of functions whose mutants were noticed."""
    noticed = [each for each in judged if each.verdict is MutantVerdict.KILLED]
    shams = dict(_shams(far.project.root, noticed, most))
    pinned: list[str] = []
    while shams and far.has_forks:
        answer = far.afresh_many(shams, coverage, _SECONDS)
        failed = [each for each in answer.results if each.verdict in _NOTICED]
        if not failed:
            break
        names = [coverage.usable[each.test].id for each in failed if each.test >= 0]
        if not names:
            return ShamAnswer(tuple(pinned), "tests cannot be run on a change that changes nothing")
        pinned += dict.fromkeys(names)
        coverage = without_tests(coverage, frozenset(pinned), "looks at the code")
        if len(pinned) >= _LOOKS or not coverage.usable:
            said = "one test after another fails on changes that change nothing: "
            return ShamAnswer(tuple(pinned), said + ", ".join(pinned[:_LOOKS]))
    return ShamAnswer(tuple(pinned))


def disbelieve(judged: Iterable[JudgedMutant], answer: ShamAnswer) -> Iterator[JudgedMutant]:
    """The verdicts that rest on tests which look at the code, taken back."""
    for each in judged:
        if each.verdict.is_detected and each.killer in answer.pinned:
            said = f"{each.killer} fails on changes that change nothing"
            yield replace(each, verdict=MutantVerdict.ERROR, killer=None, reason=said)


def _shams(
    root: str, noticed: list[JudgedMutant], most: int
) -> Iterator[tuple[str, tuple[str, str]]]:
    """Changed files, each under the name of a mutant of the same function: nothing tells them."""
    chance = random.SystemRandom()
    chance.shuffle(noticed)
    seen: set[tuple[str, str | None]] = set()
    for each in noticed:
        mutant = each.mutant
        place = mutant.file, mutant.unit
        if mutant.unit is None or place in seen or len(seen) >= most:
            continue
        text = sham_of(source_of(root, mutant.file).decode("utf-8", "replace"), mutant.line, chance)
        if text is not None:
            seen.add(place)
            yield mutant.id, (mutant.file, text)


def sham_of(source: str, line: int, chance: random.Random) -> str | None:
    """A file with an idle statement before one of the function around a line.

    Lines stay where they are; None where no statement of the function stands on a line of its own.
    """
    inner = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, _FUNCTIONS) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    for node in sorted(inner, key=lambda each: each.lineno, reverse=True):
        for statement in node.body:
            is_words = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            if isinstance(statement, _SIMPLE) and not is_words:
                return _put_before(source, statement, chance)
    return None


def _put_before(source: str, statement: ast.stmt, chance: random.Random) -> str | None:
    lines = source.split("\n")
    text = lines[statement.lineno - 1].encode()
    before, after = text[: statement.col_offset], text[statement.col_offset :]
    if before.strip():
        return None  # behind a colon or another statement
    numbers = chance.randrange(1, 10**6), chance.randrange(1, 10**6)
    idle = chance.choice(_IDLE).format(*numbers)
    lines[statement.lineno - 1] = (before + idle.encode() + after).decode("utf-8", "replace")
    return "\n".join(lines)
