"""A bottom-up search for an expression that gives every example's result.

Expressions are kept by what they are worth on all examples at once: of those that never differ
there, the cheapest stays (observational equivalence).
"""

import itertools
import operator
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reverie.dreamers.generate.inside.comprehensions import _comprehensions
    from reverie.dreamers.generate.inside.hints import _HINTS, _marks
    from reverie.dreamers.generate.inside.operations import _BINARY, _UNARY
    from reverie.dreamers.generate.inside.terms import _Allowance, _Bank, _Term
    from reverie.dreamers.generate.inside.values import _fresh, _same

_MOST_SOLUTIONS = 12
_MOST_PARTIAL = 2000
_MOST_BRANCHES = 200
_LEAST_BESIDE = 2
"""A branch has to explain so many examples that the other one does not."""
_MOST_BRANCH_COST = 4


def _search(
    parameters: "list[str]",
    examples: "list[dict[str, Any]]",
    constants: "list[Any]",
    words: "list[str]",
    most_cost: int,
    seconds: "tuple[float, float]",
) -> "dict[str, Any]":
    """Expressions of the parameters that give every result, the most fitting first."""
    _UNARY.extend(_exchanges(constants))
    for operations in (_UNARY, _BINARY):
        operations.sort(key=lambda each: _strangeness(each[1], words))
    start = [
        _Term(name, [_fresh(each["args"])[at] for each in examples], 0)
        for at, name in enumerate(parameters)
    ]
    start += [_Term(repr(each), [each] * len(examples), 1) for each in constants]
    wanted = [each["result"] for each in examples]
    bank = _Bank(start, _Allowance(*seconds), goal=wanted)
    found = _Found(wanted, words)
    for term in start:
        found.look(term)
    for cost in range(1, most_cost + 1):
        if found.is_enough(cost - 1) or bank.allowance.is_spent():
            break
        _grow(bank, found, parameters, constants, cost)
    if not found.solutions:
        found.solutions += _branches(bank, found)
    found.solutions.sort(key=lambda each: (each["strange"], each["cost"]))
    return {"solutions": found.solutions[:_MOST_SOLUTIONS], "terms": len(bank.seen)}


def _exchanges(constants: "list[Any]") -> "Iterator[Any]":
    """One character of the constants put in place of another."""
    signs = [each for each in constants if isinstance(each, str) and len(each) == 1]
    for old, new in itertools.permutations(signs, 2):
        form = "{0}" + f".replace({old!r}, {new!r})".replace("{", "{{").replace("}", "}}")
        yield "s", form, operator.methodcaller("replace", old, new)


class _Found:
    """The terms that are right on every example, and those that are right on some."""

    def __init__(self, wanted: "list[Any]", words: "list[str]") -> None:
        self.wanted = wanted
        self.words = words
        self.solutions: list[dict[str, Any]] = []
        self.partial: list[tuple[frozenset[int], _Term]] = []

    def look(self, term: "_Term") -> None:
        pairs = enumerate(zip(term.values, self.wanted, strict=True))
        right = frozenset(at for at, (value, wanted) in pairs if _same(value, wanted))
        if len(right) == len(self.wanted):
            strange = _strangeness(term.source, self.words)
            self.solutions.append({"source": term.source, "cost": term.cost, "strange": strange})
        elif right and len(self.partial) < _MOST_PARTIAL:
            self.partial.append((right, term))

    def is_enough(self, cost: int) -> bool:
        """Whether one is there that the sentence has words for, and none cheaper is to come."""
        return any(each["strange"] == 0 and each["cost"] <= cost for each in self.solutions)


def _grow(
    bank: "_Bank", found: "_Found", parameters: "list[str]", constants: "list[Any]", cost: int
) -> None:
    """Every term of a cost, the plain ones first."""
    for made in (bank.grow_by_one(cost), bank.grow_by_two(cost)):
        for term in made:
            found.look(term)
        if found.is_enough(cost):
            return
    for terms in _comprehensions(bank, parameters, constants, cost):
        for term in terms:
            found.look(term)
        for term in terms:  # only now, so that what is derived hides nothing that is plain
            for end in bank.made_of(term):
                found.look(end)


def _strangeness(source: str, words: "list[str]") -> int:
    """How many operations of a source the sentence has no word for."""
    return sum(
        not any(word.startswith(tuple(_HINTS[mark].split())) for word in words)
        for mark in _marks(source)
    )


def _branches(bank: "_Bank", found: "_Found") -> "list[dict[str, Any]]":
    """`one if test else other`, of two terms that are right on complementary examples."""
    whole = frozenset(range(len(found.wanted)))
    tests: dict[frozenset[int], _Term] = {}
    for term in bank.every():
        if term.kind == "b":
            tests.setdefault(frozenset(at for at, value in enumerate(term.values) if value), term)
    best = sorted(found.partial, key=lambda each: (each[1].cost, -len(each[0])))[:_MOST_BRANCHES]
    made = [
        (one, two, test)
        for right, one in best
        for other_right, two in best
        if _complete(right, other_right, whole) and one.cost + two.cost <= _MOST_BRANCH_COST
        for split, test in tests.items()
        if whole - other_right <= split <= right
    ]
    made.sort(key=lambda each: sum(part.cost for part in each))
    return [
        {"source": source, "cost": one.cost + two.cost + test.cost + 1, "strange": strange}
        for one, two, test in made[:_MOST_SOLUTIONS]
        for source in [f"{one.source} if {test.source} else {two.source}"]
        for strange in [_strangeness(source, found.words) + _is_unasked(found.words)]
    ]


def _is_unasked(words: "list[str]") -> bool:
    """Whether the sentence speaks of no condition."""
    return not {"if", "else", "otherwise", "when", "unless", "or"} & set(words)


def _complete(right: "frozenset[int]", other: "frozenset[int]", whole: "frozenset[int]") -> bool:
    """Whether two branches explain everything, and each enough that the other does not."""
    is_whole = right | other == whole
    return is_whole and min(len(whole - other), len(whole - right)) >= _LEAST_BESIDE
