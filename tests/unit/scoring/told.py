"""Suggestions, words of a source and health, for the table of figures."""

from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from reverie.model.measurements.benchmark import Estimate, HotCallable, Regression
from reverie.model.repository.candidate import (
    Candidate,
    CountedTouch,
    Factors,
    FileCoverage,
    ModuleComplexity,
    ModuleHistory,
)
from reverie.model.repository.code import Function
from reverie.model.settings.judgement import RoiSection
from reverie.model.worth import SuggestionKind
from reverie.scoring.procedures import edit_distance, novelty, similarity, syntax_tokens
from reverie.scoring.suggestions import (
    Known,
    Tally,
    suggest_mending,
    suggest_optimisation,
    suggest_refactoring,
    suggest_review,
    suggest_test,
)

_TOUCHES = (
    CountedTouch("1", "a", 1.0, 1.0, True, False),
    CountedTouch("2", "a", 2.0, 1.0, False, True),
    CountedTouch("3", "b", 3.0, 1.0, False, False),
    CountedTouch("4", "b", 4.0, 1.0, False, False),
    CountedTouch("5", "b", 5.0, 1.0, True, True),
)
_KNOWN = (
    Known(RoiSection()),
    Known(
        RoiSection(),
        {"a/b.py": ModuleHistory(_TOUCHES), "c.py": ModuleHistory(())},
        {"a/b.py": 0.6, "c.py": None},
        {kind: Tally(7, 3) for kind in SuggestionKind},
    ),
)
_SOURCES = (
    "",
    "x = 1\n",
    '"""Words."""\nx: int = 1  # type: ignore\n',
    "def f(a, *, b=2):\n    'doc'\n    return u'x' + str(a)\n",
    "for each in range(3):\n    print(each)\nelse:\n    pass\n",
    "def (",
)


def suggestions() -> Iterator[tuple[str, Any]]:
    """What is suggested, with its evidence and its worth."""
    for number, known in enumerate(_KNOWN):
        for complexity in (10, 11, 12, 30):
            made = Function(
                "f", "C.f", 1, 20, (), None, (), None, False, False, complexity, 7, complexity * 3
            )
            found = suggest_refactoring(known, "a/b.py", made)
            yield f"refactoring {number} {complexity}", found and asdict(found)
        for cost in (None, HotCallable("a/b.py", "f", 10, 6.0, 9.0)):
            seen = suggest_optimisation(known, "a/b.py", "C.f", ("one", "two"), cost)
            yield f"optimisation {number} {cost is None}", asdict(seen)
            for commit in (None, "abcdef0123456"):
                slow = Estimate(2.0, 1.5, 2.5)
                moment = datetime(2026, 1, 1, tzinfo=UTC)
                bad = Regression("a/b.py:C.f:x", moment, "b" * 40, "h", slow, commit, "Oops", (), 3)
                mend = suggest_mending(known, bad, cost)
                yield f"mending {number} {cost is None} {commit}", asdict(mend)
        for at, covered in enumerate(_COVERED):
            found_test = suggest_test(known, _candidate(covered))
            yield f"test {number} {at}", found_test and asdict(found_test)
    yield "review", asdict(suggest_review("0123456789abcdef", "Test m", "promote", 3.5))
    yield "tallies", [Tally(tried, done).chance for tried, done in ((0, 0), (3, 1), (9, 9))]


_COVERED = (
    None,
    FileCoverage(frozenset({1, 2, 3}), frozenset()),
    FileCoverage(frozenset({1, 2}), frozenset({3}), 4, 4),
    FileCoverage(frozenset({1, 2}), frozenset(), 6, 4),
    FileCoverage(frozenset({1}), frozenset({2, 3}), 6, 1),
    FileCoverage(frozenset({1}), frozenset({2, 3})),
)


def _candidate(covered: FileCoverage | None) -> Candidate:
    factors = Factors(None, None, None, None, 1.0)
    return Candidate("a.b", "a/b.py", 30, 5.0, factors, ModuleComplexity(2, 9, 5, 4), None, covered)


def words() -> Iterator[tuple[str, Any]]:
    """Tokens of sources, and how far one is from another."""
    for number, source in enumerate(_SOURCES):
        yield f"tokens {number}", syntax_tokens(source)
        yield f"novelty {number}", novelty(source, _SOURCES[:number])
    tokens = [found for each in _SOURCES if (found := syntax_tokens(each)) is not None]
    yield "distances", [[edit_distance(one, other) for other in tokens] for one in tokens]
    yield "similarities", [[similarity(one, other) for other in tokens] for one in tokens]
    yield "nothing alike", [similarity((), ()), similarity(("a",), ()), edit_distance((), ("a",))]
