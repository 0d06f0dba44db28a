"""Few tests that notice much: every check as an offer, and the cheapest that keep every kill.

A greedy cover, then a look back: what later choices have made superfluous goes. The price of a
check is the lines that it adds. A further row of a table is nearly free, a new test is not.
"""

import ast
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from reverie.dreamers.enrich.writing.selecting.candidates import Candidate, Check, Relation
from reverie.dreamers.enrich.writing.selecting.manual import Manual
from reverie.dreamers.enrich.writing.selecting.never import Never
from reverie.dreamers.enrich.writing.selecting.taste import (
    EMPTY_RESULTS,
    AnyTaste,
    Taste,
    gives_nothing,
    is_bland,
)
from reverie.instruments.mutation.matrix import KillMatrix
from reverie.model.call import Scenario, Step, StepForm
from reverie.syntax.parsing import parse_expression, parse_module
from reverie.syntax.unparsing import unparse

STEP_WORTH = 0.3
_TEST_LINES = 2.5
_ROW_LINES = 1.2


@dataclass(frozen=True, slots=True)
class Offer:
    """One check of one candidate: what it notices, and where it would stand."""

    candidate: int
    number: int
    kills: int
    """A bit for each mutant."""
    steps: int
    """A bit for each step through the module."""
    shape: str
    body_lines: int
    oddness: float
    callee: str = ""
    """What it is about; one test is about one thing."""
    is_empty: bool = False
    """Whether nothing comes of several lines: shown where nothing else notices the same."""
    is_typical: bool = False
    """Whether it shows what a public function is for: of each, one is chosen before the rest."""


@dataclass(slots=True)
class Choice:
    """What was chosen so far: checks by candidate, and how many share a shape."""

    checks: dict[int, list[Offer]] = field(default_factory=dict)
    shapes: dict[str, int] = field(default_factory=dict)

    def price(self, offer: Offer) -> float:
        """The lines that it would add."""
        mine = self.checks.get(offer.candidate)
        if mine and mine[0].callee == offer.callee:
            companions = self.shapes.get(mine[0].shape, 0)
            return 1.0 + offer.oddness + (2.0 if companions > 1 else 0.0)
        if self.shapes.get(offer.shape, 0):
            return _ROW_LINES + offer.oddness
        return offer.body_lines + _TEST_LINES + offer.oddness

    def add(self, offer: Offer) -> None:
        """Take it."""
        mine = self.checks.setdefault(offer.candidate, [])
        if not mine:
            self.shapes[offer.shape] = self.shapes.get(offer.shape, 0) + 1
        mine.append(offer)

    def remove(self, offer: Offer) -> None:
        """Give it back."""
        self.checks[offer.candidate].remove(offer)
        if not self.checks[offer.candidate]:
            del self.checks[offer.candidate]
            self.shapes[offer.shape] -= 1

    @property
    def taken(self) -> list[Offer]:
        """Everything chosen, in the order of the candidates."""
        return [offer for place in sorted(self.checks) for offer in self.checks[place]]


def choose(offers: Sequence[Offer]) -> dict[int, tuple[int, ...]]:
    """Candidates by place, with the numbers of the checks to keep."""
    choice = Choice()
    kills = _union(offers, lambda offer: offer.kills)
    steps = _union(offers, lambda offer: offer.steps)
    waiting = list(offers)
    for about in dict.fromkeys(each.callee for each in offers if each.is_typical):
        mine = [each for each in offers if each.is_typical and each.callee == about]
        best = max(mine, key=lambda offer: _worth(offer, choice, kills, steps))
        choice.add(best)
        kills &= ~best.kills
        steps &= ~best.steps
    while waiting := [each for each in waiting if each.kills & kills or each.steps & steps]:
        told = [each for each in waiting if not each.is_empty] or waiting
        best = max(told, key=lambda offer: _worth(offer, choice, kills, steps))
        choice.add(best)
        kills &= ~best.kills
        steps &= ~best.steps
    _look_back(choice)
    return {
        place: tuple(sorted(offer.number for offer in taken))
        for place, taken in choice.checks.items()
    }


def _worth(offer: Offer, choice: Choice, kills: int, steps: int) -> float:
    gain = (offer.kills & kills).bit_count() + STEP_WORTH * (offer.steps & steps).bit_count()
    return gain / choice.price(offer)


def _look_back(choice: Choice) -> None:
    """Give back what the others notice without it, the dearest first."""
    taken = sorted(choice.taken, key=lambda each: (each.body_lines, each.oddness))
    kept_kills = kept_steps = 0  # of those that are looked at later, which are cheaper
    later: list[tuple[int, int]] = []
    for offer in taken:
        later.append((kept_kills, kept_steps))
        kept_kills |= offer.kills
        kept_steps |= offer.steps
    kept_kills = kept_steps = 0
    for offer, (kills, steps) in zip(reversed(taken), reversed(later), strict=True):
        if offer.kills & ~(kills | kept_kills) or offer.steps & ~(steps | kept_steps):
            kept_kills |= offer.kills
            kept_steps |= offer.steps
        else:
            choice.remove(offer)


def _union(offers: Sequence[Offer], of: Callable[[Offer], int]) -> int:
    found = 0
    for offer in offers:
        found |= of(offer)
    return found


T = TypeVar("T")
_UNJUDGED = 0.2
_OUTCOMES = 3
_ALIKE = 2
"""Of checks that notice the same on the same way, so many are choice enough."""
_CHARACTERS_PER_LINE = 90
_ODD = re.compile(r"\\[xuU]|\d{7,}|__|\\n|lambda|\biter\(|\bset\(|\bfailing\b|[^\w\s]{4,}")
_VALUE = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|-?\b\d[\w.]*|\b(?:None|True|False)\b")
_WORD = re.compile(r"\w+")
_ANSWERS = ("True", "False", "None")
_NONE = ("0", "0.0")
_PRIVATE = re.compile(r"(?:^|\.)_(?!_)")
_PRIVATE_LINES = 1.5
_UNFIT_LINES = 2.0
_ODD_LINES = 0.5
_DEFINITION_LINES = 6.0
_ANCHOR_LINES = 0.2
_BLAND_LINES = 1.5
_HOLLOW_LINES = 0.4
"""For each part of a result that is nothing: a whole address shows more than a path alone."""
_OPTION_LINES = 0.3
_SECOND_OPTION_LINES = 1.5
"""Two at once are two behaviours."""
_SHOWN_LINES = 1.0
"""What the docs show is what a thing is for."""
_NOTHING_LINES = 1.0
"""`is None` says of a procedure only that it came to its end."""


@dataclass(frozen=True, slots=True)
class Reader:
    """What a check costs its reader depends on what the module says, and on what is natural."""

    manual: Manual
    never: Never | None = None
    taste: Taste = field(default_factory=AnyTaste)
    tells: Callable[[Scenario, Check], bool] = lambda scenario, check: True
    """Whether a check tells a reader something."""


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
            is_typical = bool(kills) and _is_typical(candidate, number, reader)
            bits = _as_bits(mutants, kills)
            one = _Wanted(place, number, bits, taken | more, oddness, is_typical)
            key = candidate.callee([number]), one.kills, one.steps
            wanted.setdefault(key, []).append(one)
    offers = [
        _offer(candidates[one.candidate], one)
        for alike in wanted.values()
        for one in sorted(alike, key=lambda one: (not one.is_typical, one.oddness))[:_ALIKE]
    ]
    return _with_typical_use(offers, outcomes.first_free)


def _with_typical_use(offers: Sequence[Offer], first_bit: int) -> list[Offer]:
    """A bit for the typical use of each callee, which a choice has to cover like any step."""
    about = dict.fromkeys(each.callee for each in offers if each.is_typical)
    bits = {callee: 1 << (first_bit + place) for place, callee in enumerate(about)}
    return [
        replace(each, steps=each.steps | bits[each.callee]) if each.is_typical else each
        for each in offers
    ]


class _Outcomes:
    """Where mutants were not judged, different results stand for them: some of each callee."""

    def __init__(self, first_bit: int, of_each: int) -> None:
        self.first_free = first_bit
        self._of_each = of_each
        self._known: dict[tuple[str, str, str], int] = {}
        self._counts: dict[str, int] = {}

    def bit(self, candidate: Candidate, number: int) -> int:
        """A bit for what a check expects, or none."""
        check = candidate.check(number)
        callee = candidate.callee([number])
        told = check.expected.source
        told = told if told in _ANSWERS else _WORD.sub("w", told)  # another word is no other kind
        key = callee, check.reading, f"{told} {check.match}"
        if not self._of_each or check.reading != "{}" or check.relation is Relation.IS_A:
            return 0
        if key not in self._known:
            if self._counts.get(callee, 0) >= self._of_each:
                return 0
            self._counts[callee] = self._counts.get(callee, 0) + 1
            self._known[key] = self.first_free
            self.first_free += 1
        return 1 << self._known[key]


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What can be told of a check without writing it down."""

    candidate: int
    number: int
    kills: int
    steps: int
    oddness: float
    is_typical: bool = False


def _is_typical(candidate: Candidate, number: int, reader: Reader) -> bool:
    """Whether something comes of right values, given to what anybody may call."""
    check = candidate.check(number)
    callee = candidate.callee([number])
    steps = candidate.scenario.steps[: check.step + 1]
    name = callee.rpartition(".")[2]
    if _PRIVATE.search(callee) or name.startswith("__") or not name[:1].islower():
        return False
    if check.relation in (Relation.RAISES, Relation.IS_A) or check.expected.source in _NONE:
        return False
    if is_bland(steps[-1].line.source, check.expected.source) or gives_nothing(steps[-1]):
        return False
    return not any(reader.taste.spoilt(step) for step in steps)


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
        len(sources) > 1 and check.expected.source in EMPTY_RESULTS - {"None"},
        one.is_typical,
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
    node = parse_expression(step.line.source)
    made = [
        manual.fits(each.func.id, each)
        for each in ast.walk(node)
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Name)
    ]
    return manual.fits(step.callee, node) is not False and False not in made


def _hollow(expected: str) -> int:
    """How many parts of an object, of several, are nothing."""
    match parse_expression(expected):
        case ast.Call(args=given, keywords=named) if len(given) + len(named) > 1:
            parts = [unparse(each) for each in (*given, *(more.value for more in named))]
            return sum(each in EMPTY_RESULTS for each in parts)
    return 0


def _options(step: Step, manual: Manual) -> int:
    """How many arguments of a line could have been left out."""
    function = manual.functions.get(step.callee or "")
    found = 0
    for each in ast.walk(parse_module(step.line.source)):
        if not isinstance(each, ast.Call):
            continue
        found += len(each.keywords)
        if function is not None and unparse(each.func).rpartition(".")[2] == function.name:
            given = [arg for arg in (*function.args.posonlyargs, *function.args.args)
                     if arg.arg not in ("self", "cls")]  # fmt: skip
            needed = len(given) - len(function.args.defaults)
            found += max(0, min(len(each.args), len(given)) - needed)
    return found


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
    bland = _BLAND_LINES * is_bland(steps[-1].line.source, check.expected.source)
    options = _options(steps[-1], reader.manual)
    return (
        bland
        - (_SHOWN_LINES if candidate.scenario.origin == "doctest" else 0.0)
        + _HOLLOW_LINES * _hollow(check.expected.source)
        + _OPTION_LINES * options
        + _SECOND_OPTION_LINES * max(0, options - 1)
        + sum(map(len, texts)) / _CHARACTERS_PER_LINE
        + _ODD_LINES * min(odd, 10)
        + strangeness
        + _DEFINITION_LINES * len(definitions)
        + (_ANCHOR_LINES if is_anchored else 0.0)
        + (_NOTHING_LINES * (3 if is_private else 1) if says_little else 0.0)
        + (check.expected.source.count(",") if is_long else 0)  # an item a line
        + (_PRIVATE_LINES if is_private else 0.0)
        + _UNFIT_LINES * unfit
    )
