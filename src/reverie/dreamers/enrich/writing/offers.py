"""Every check as an offer to the chooser: what it notices, where it would stand, what it costs."""

import ast
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from reverie.dreamers.enrich.writing.candidates import Candidate
from reverie.dreamers.enrich.writing.checks import Check, Relation
from reverie.dreamers.enrich.writing.choosing import Offer
from reverie.dreamers.enrich.writing.manual import Manual
from reverie.dreamers.enrich.writing.never import Never
from reverie.dreamers.enrich.writing.taste import AnyTaste, Taste
from reverie.instruments.mutation.matrix import KillMatrix
from reverie.model.scenario import Step, StepForm

T = TypeVar("T")
_UNJUDGED = 0.2
_OUTCOMES = 3
_ALIKE = 2
"""Of checks that notice the same on the same way, so many are choice enough."""
_CHARACTERS_PER_LINE = 90
_ODD = re.compile(r"\\[xuU]|\d{7,}|__|\\n|lambda|\biter\(|\bset\(|\bfailing\b|[^\w\s]{4,}")
_VALUE = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|-?\b\d[\w.]*|\b(?:None|True|False)\b")
_PRIVATE = re.compile(r"(?:^|\.)_(?!_)")
_PRIVATE_LINES = 1.5
_UNFIT_LINES = 2.0
_ODD_LINES = 0.5
_DEFINITION_LINES = 6.0
_ANCHOR_LINES = 0.2
_NOTHING_LINES = 1.0
"""`is None` says of a procedure only that it came to its end."""


@dataclass(frozen=True, slots=True)
class Reader:
    """What a check costs its reader depends on what the module says, and on what is natural."""

    manual: Manual
    never: Never | None = None
    taste: Taste = field(default_factory=AnyTaste)


def offers_of(
    candidates: Sequence[Candidate], matrix: KillMatrix | None, reader: Reader
) -> list[Offer]:
    """The offers of all candidates; what did not hold on unchanged code is none."""
    arcs = [each.scenario.arcs for each in candidates] if matrix is None else matrix.arcs
    steps = _places(frozenset().union(*arcs))
    mutants = _places(frozenset() if matrix is None else matrix.killable)
    unjudged = 1.0 if matrix is None else 1.0 - matrix.judged_share
    each = math.ceil(_OUTCOMES * unjudged) if unjudged > _UNJUDGED else 0
    outcomes = _Outcomes(len(steps), each)
    wanted: dict[tuple[str, int, int], list[_Wanted]] = {}
    for place, candidate in enumerate(candidates):
        every = _as_bits(steps, arcs[place])
        last = len(candidate.scenario.seen) - 1
        for number in candidate.numbers:
            if matrix is not None and number not in matrix.steady:
                continue
            check = candidate.check(number)
            if reader.never is not None and reader.never.says_nothing(candidate.scenario, check):
                continue
            kills = frozenset[int]() if matrix is None else matrix.kills.get(number, frozenset())
            oddness = _oddness(candidate, number, reader)
            # A test ends with its last check: only that one comes all the way.
            taken = every if candidate.check(number).step == last else 0
            more = outcomes.bit(candidate, number)
            one = _Wanted(place, number, _as_bits(mutants, kills), taken | more, oddness)
            key = candidate.callee([number]), one.kills, one.steps
            wanted.setdefault(key, []).append(one)
    return [
        _offer(candidates[one.candidate], one)
        for alike in wanted.values()
        for one in sorted(alike, key=lambda one: one.oddness)[:_ALIKE]
    ]


class _Outcomes:
    """Where mutants were not judged, different results stand for them: some of each callee."""

    def __init__(self, first_bit: int, of_each: int) -> None:
        self._next = first_bit
        self._of_each = of_each
        self._known: dict[tuple[str, str, str], int] = {}
        self._counts: dict[str, int] = {}

    def bit(self, candidate: Candidate, number: int) -> int:
        """A bit for what a check expects, or none."""
        check = candidate.check(number)
        callee = candidate.callee([number])
        key = callee, check.reading, f"{check.expected.source} {check.match}"
        if not self._of_each or check.reading != "{}" or check.relation is Relation.IS_A:
            return 0
        if key not in self._known:
            if self._counts.get(callee, 0) >= self._of_each:
                return 0
            self._counts[callee] = self._counts.get(callee, 0) + 1
            self._known[key] = self._next
            self._next += 1
        return 1 << self._known[key]


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What can be told of a check without writing it down."""

    candidate: int
    number: int
    kills: int
    steps: int
    oddness: float


def _offer(candidate: Candidate, one: _Wanted) -> Offer:
    check = candidate.check(one.number)
    sources = [step.line.source for step in candidate.scenario.steps[: check.step + 1]]
    is_raising = check.relation is Relation.RAISES
    callee = candidate.callee([one.number])
    return Offer(
        one.candidate,
        one.number,
        one.kills,
        one.steps,
        _companions(callee, sources, check, is_raising=is_raising),
        len(sources) + is_raising,
        one.oddness,
        callee,
    )


def _companions(callee: str, sources: Sequence[str], check: Check, *, is_raising: bool) -> str:
    """Whose company makes it cheap: single lines about one callee share a test, others a table."""
    if len(sources) == 1 and not is_raising:
        return callee
    expected = check.expected.source if is_raising else ""
    return "\n".join((callee, check.reading, expected, *(_VALUE.sub("_", s) for s in sources)))


def _fits(step: Step, manual: Manual) -> bool:
    """Whether a step gives what the annotations ask for, as far as can be told."""
    if step.form is StepForm.CHANGE or step.callee is None:
        return True
    node = ast.parse(step.line.source, mode="eval").body
    made = [
        manual.fits(each.func.id, each)
        for each in ast.walk(node)
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Name)
    ]
    return manual.fits(step.callee, node) is not False and False not in made


def _places(things: frozenset[T]) -> dict[T, int]:
    return {thing: place for place, thing in enumerate(sorted(things))}  # type: ignore[type-var]


def _as_bits(places: Mapping[T, int], found: frozenset[T]) -> int:
    bits = 0
    for each in found:
        bits |= 1 << places[each]
    return bits


def _oddness(candidate: Candidate, number: int, reader: Reader) -> float:
    """How much more than plain lines a check costs its reader, in lines."""
    check = candidate.check(number)
    steps = candidate.scenario.steps[: check.step + 1]
    texts = [step.line.source for step in steps] + [check.expected.source, check.match or ""]
    strangeness = sum(reader.taste.strangeness(step) for step in steps)
    odd = sum(len(_ODD.findall(text)) for text in texts)
    is_private = any(_PRIVATE.search(step.callee or "") for step in steps)
    unfit = sum(not _fits(step, reader.manual) for step in steps)
    definitions = {text for step in steps for text in step.line.definitions}
    is_long = len(check.expected.source) > _CHARACTERS_PER_LINE
    says_little = check.relation is Relation.IS and check.expected.source == "None"
    is_anchored = check.match is not None and check.match.startswith("^")
    return (
        sum(map(len, texts)) / _CHARACTERS_PER_LINE
        + _ODD_LINES * min(odd, 10)
        + strangeness
        + _DEFINITION_LINES * len(definitions)
        + (_ANCHOR_LINES if is_anchored else 0.0)
        + (_NOTHING_LINES * (3 if is_private else 1) if says_little else 0.0)
        + (check.expected.source.count(",") if is_long else 0)  # an item a line
        + (_PRIVATE_LINES if is_private else 0.0)
        + _UNFIT_LINES * unfit
    )
