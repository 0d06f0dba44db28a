"""A bottom-up search for an expression that gives every example's result.

It grows terms by what they cost, and asks at each step whether a loop leads to the results.
"""

import ast
import itertools
import operator
from collections.abc import Iterator
from typing import Any

from reverie.dreamers.generate.inside.bank import (
    _Allowance,
    _Bank,
    _condition,
    _constant,
    _item_name,
    _Term,
)
from reverie.dreamers.generate.inside.loops import _is_shown
from reverie.dreamers.generate.inside.operations import (
    _BINARY,
    _HINTS,
    _MODULES,
    _TERNARY,
    _UNARY,
    _kind,
    _marks,
)
from reverie.dreamers.generate.inside.shapes import _CASES, _Shapes
from reverie.dreamers.generate.inside.trying import _fresh, _gives, _same

_MOST_ITEMS = 400
_MOST_WALKED_COST = 3
_INNER_COST = 3
_MOST_INNER = 1500
_MOST_TESTS = 200
_MOST_MAPS = 160
_MOST_MAPS_TESTED = 30


class _Walk:
    """One list or text of every example, and all its items in a row."""

    def __init__(self, walked: "_Term", taken: "list[str]") -> None:
        self.walked = walked
        self.items = [each for value in walked.values for each in value]
        self.owners = [at for at, value in enumerate(walked.values) for _ in value]
        self.name = _item_name(walked.source, self.items, taken) if self.is_usable() else ""

    def is_usable(self) -> bool:
        """Whether there are items, not too many, and all of a kind."""
        return 0 < len(self.items) <= _MOST_ITEMS and len(set(map(_kind, self.items))) == 1

    def gathered(self, body: "_Term", test: "_Term | None") -> "list[list[Any]]":
        """What a comprehension is worth on each example."""
        values: list[list[Any]] = [[] for _ in self.walked.values]
        for at, owner in enumerate(self.owners):
            if test is None or test.values[at]:
                values[owner].append(body.values[at])
        return values


def _comprehensions(
    bank: "_Bank", parameters: "list[str]", constants: "list[Any]", cost: int
) -> "Iterator[list[_Term]]":
    """Maps, filters and both over whatever costs one less: for each, all that are new."""
    if cost - 1 > _MOST_WALKED_COST:
        return
    for walked in [*bank.of("L", cost - 1), *bank.of("s", cost - 1)]:
        if bank.allowance.is_spent():
            return
        walk = _Walk(walked, parameters)
        if walk.is_usable():
            yield list(_over(bank, walk, constants))


def _over(bank: "_Bank", walk: "_Walk", constants: "list[Any]") -> "Iterator[_Term]":
    start = [_Term(walk.name, walk.items, 0)]
    start += [
        _Term(each.source, [each.values[at] for at in walk.owners], 0) for each in bank.of("*", 0)
    ]
    start += [_constant(each, len(walk.items)) for each in constants]
    inner = _Bank(start, bank.operations, bank.allowance, _MOST_INNER)
    for cost in range(1, _INNER_COST + 1):
        for _ in (*inner.grow_by_one(cost), *inner.grow_by_two(cost)):
            pass
    bodies = [each for each in inner.every() if walk.name in each.source]
    maps = bodies[:_MOST_MAPS]
    for body in maps:
        yield from _kept(bank, walk, body, None)
    tests = [each for each in bodies if each.kind == "b" and _is_shown(each)]
    for test in tests[:_MOST_TESTS]:
        if bank.allowance.is_spent():
            return
        for body in [start[0], *maps[:_MOST_MAPS_TESTED]]:
            yield from _kept(bank, walk, body, test)


def _kept(bank: "_Bank", walk: "_Walk", body: "_Term", test: "_Term | None") -> "Iterator[_Term]":
    """The list; of texts also their join, of truths also their number."""
    values = walk.gathered(body, test)
    cost = walk.walked.cost + body.cost + (0 if test is None else test.cost) + 1
    condition = "" if test is None else f" if {_condition(test)}"
    inside = f"{body.source} for {walk.name} in {walk.walked.shown()}{condition}"
    made = [_Term(f"[{inside}]", values, cost)]
    if body.kind == "s":
        made.append(_Term(f'"".join({inside})', ["".join(each) for each in values], cost + 1))
    if body.kind == "b" and test is None:
        made.append(_Term(f"sum({inside})", [sum(each) for each in values], cost + 1))
    yield from (each for each in made if bank.add(each))


_MOST_SOLUTIONS = 12
_MOST_PARTIAL = 2000
_MOST_BRANCHES = 200
_LEAST_BESIDE = 2
"""A branch has to explain so many examples that the other one does not."""
_MOST_BRANCH_COST = 4
_LOOPS_COST = 2
"""Loops go over what costs one less."""


def _search(
    parameters: "list[str]",
    examples: "list[dict[str, Any]]",
    constants: "list[Any]",
    words: "list[str]",
    most_cost: int,
    seconds: "tuple[float, float]",
) -> "dict[str, Any]":
    """Expressions of the parameters that give every result, the most fitting first."""
    start = [
        _Term(name, [_fresh(each["args"])[at] for each in examples], 0)
        for at, name in enumerate(parameters)
    ]
    start += [_constant(each, len(examples)) for each in constants]
    wanted = [each["result"] for each in examples]
    bank = _Bank(start, _spoken_of(constants, words), _Allowance(*seconds), goal=wanted)
    found = _Found(wanted, words, _Trying(parameters, examples))
    for term in start:
        found.look(term)
    for cost in range(1, most_cost + 1):
        if found.is_enough(cost - 1) or bank.allowance.is_spent():
            break
        _grow(bank, found, parameters, constants, cost)
        if cost <= _LOOPS_COST and not found.is_enough(cost):
            shapes = _Shapes(bank, wanted, constants, words)
            for term in shapes.terms(parameters, (0, 1) if cost == 1 else (cost,)):
                found.look(term)
    if not found.solutions:
        found.solutions += _branches(bank, found)
    found.solutions.sort(key=lambda each: (each["strange"], each["cost"]))
    return {"solutions": found.solutions[:_MOST_SOLUTIONS], "terms": len(bank.seen)}


def _spoken_of(constants: "list[Any]", words: "list[str]") -> "list[list[Any]]":
    """The operations of one, two and three terms that the sentence has words for."""
    return [
        [each for each in operations if _strangeness(each[1], words) == 0]
        for operations in ([*_UNARY, *_exchanges(constants)], _BINARY, _TERNARY)
    ]


def _exchanges(constants: "list[Any]") -> "Iterator[Any]":
    """One character of the constants put in place of another."""
    signs = [each for each in constants if isinstance(each, str) and len(each) == 1]
    for old, new in itertools.permutations(signs, 2):
        form = "{0}" + f".replace({old!r}, {new!r})".replace("{", "{{").replace("}", "}}")
        yield "s", form, operator.methodcaller("replace", old, new)


class _Trying:
    """A source run as it is written: two loops, one in the other, may bind the same name."""

    def __init__(self, parameters: "list[str]", examples: "list[dict[str, Any]]") -> None:
        self.head = f"def made({', '.join(parameters)}):"
        self.examples = examples

    def holds(self, source: str) -> bool:
        """Whether it gives every result."""
        body = source if "\n" in source else f"return {source}"
        lines = "".join(f"    {line}\n" for line in body.splitlines())
        space: dict[str, Any] = dict(_MODULES)
        try:
            exec(f"{self.head}\n{lines}", space)  # noqa: S102  inside the sandbox
        except SyntaxError:  # `10.bit_length()`, or one condition within another
            return False
        return all(_gives(space["made"], _as_given(each), each) for each in self.examples)

    def has_idle_test(self, source: str) -> bool:
        """Whether a condition of a loop may be left out: no example shows what it is for."""
        tree = ast.parse(source)
        for each in ast.walk(tree):
            if isinstance(each, ast.comprehension) and each.ifs:
                kept, each.ifs = each.ifs, []
                is_idle = self.holds(ast.unparse(tree))
                each.ifs = kept
                if is_idle:
                    return True
        return False


def _as_given(example: "dict[str, Any]") -> "tuple[int, ...]":
    return tuple(range(len(example["args"])))


class _Found:
    """The terms that are right on every example, and those that are right on some."""

    def __init__(self, wanted: "list[Any]", words: "list[str]", trying: "_Trying") -> None:
        self.wanted = wanted
        self.trying = trying
        self.words = words
        self.solutions: list[dict[str, Any]] = []
        self.partial: list[tuple[frozenset[int], _Term]] = []

    def look(self, term: "_Term") -> None:
        pairs = enumerate(zip(term.values, self.wanted, strict=True))
        right = frozenset(at for at, (value, wanted) in pairs if _same(value, wanted))
        if len(right) == len(self.wanted):
            is_known = any(each["source"] == term.source for each in self.solutions)
            if is_known or not self.trying.holds(term.source):
                return
            if "\n" not in term.source and self.trying.has_idle_test(term.source):
                return
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
    for made in (bank.grow_by_one(cost), bank.grow_by_two(cost), bank.grow_by_three(cost)):
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
        for source in [f"{one.source} if {_condition(test)} else {two.source}"]
        for strange in [_strangeness(source, found.words) + _is_unasked(found.words)]
    ]


def _is_unasked(words: "list[str]") -> bool:
    """Whether the sentence speaks of no condition."""
    return set(_CASES).isdisjoint(words)


def _complete(right: "frozenset[int]", other: "frozenset[int]", whole: "frozenset[int]") -> bool:
    """Whether two branches explain everything, and each enough that the other does not."""
    is_whole = right | other == whole
    return is_whole and min(len(whole - other), len(whole - right)) >= _LEAST_BESIDE
