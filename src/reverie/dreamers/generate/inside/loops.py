"""What loops go over, and all that is known about the items of one."""

import itertools
import re
from collections.abc import Iterator
from typing import Any

from reverie.dreamers.generate.inside.bank import (
    _Bank,
    _condition,
    _constant,
    _item_name,
    _Term,
)
from reverie.dreamers.generate.inside.trying import _same

_MOST_ITEMS = 120
_MOST_INNER = 3000
_INNER_COST = 3
_MOST_TESTS = 150
_MOST_BODIES = 300
_PAIRED = ("adjacen", "consecutiv", "neighbo", "next", "previous", "pair", "successiv", "follow",
           "before", "after", "increas", "decreas", "ris", "fall", "twice", "row", "sorted",
           "order", "change", "differ", "gap", "step", "ascend", "descend")  # fmt: skip
_NUMBERED = ("index", "indices", "position", "place", "where", "number", "alternat", "odd", "even",
             "every", "th", "first", "second", "third", "last", "weight")  # fmt: skip


class _Loop:
    """What a loop goes over in every example: the names that it binds, and what they are worth."""

    __slots__ = ("bound", "cost", "heading", "owners", "sizes", "target", "whole")

    def __init__(
        self, heading: str, names: "list[str]", rows: "list[list[tuple[Any, ...]]]", cost: int
    ) -> None:
        self.heading = heading
        self.cost = cost
        self.sizes = [len(each) for each in rows]
        self.owners = [at for at, each in enumerate(rows) for _ in each]
        flat = [row for each in rows for row in each]
        self.bound = [_Term(name, [row[at] for row in flat], 0) for at, name in enumerate(names)]
        self.target = ", ".join(names)
        self.whole = rows

    def is_usable(self) -> bool:
        """Whether there are items, not too many, each name's all of a kind."""
        count = len(self.owners)
        return 1 < count <= _MOST_ITEMS and all(each.kind not in ("", "x") for each in self.bound)

    def parted(self, values: "list[Any]", test: "_Term | None" = None) -> "list[list[Any]]":
        """The values of all items, by example, those that a test keeps."""
        parts: list[list[Any]] = [[] for _ in self.sizes]
        for at, owner in enumerate(self.owners):
            if test is None or test.values[at]:
                parts[owner].append(values[at])
        return parts

    def written(self, body: "_Term", test: "_Term | None" = None) -> str:
        """What stands in the brackets of a comprehension."""
        condition = "" if test is None else f" if {_condition(test)}"
        return f"{body.source} for {self.target} in {self.heading}{condition}"

    def cost_with(self, *holes: "_Term | None") -> int:
        """What a loop costs with what stands in its holes."""
        return self.cost + sum(each.cost for each in holes if each is not None) + 1


def _loops(
    bank: "_Bank", parameters: "list[str]", words: "list[str]", cost: int
) -> "Iterator[_Loop]":
    """Over lists, texts and dictionaries of a cost: item by item, numbered, or by neighbours."""
    for term in [*bank.of("L", cost), *bank.of("s", cost), *bank.of("D", cost)]:
        if not term.is_constant:
            yield from _over(term, parameters, words)
    if cost == 0:
        for one, two in itertools.combinations(bank.of("L", 0), 2):
            pairs = zip(one.values, two.values, strict=True)
            rows = [list(zip(a, b, strict=False)) for a, b in pairs]
            yield _Loop(
                f"zip({one.source}, {two.source})", _free(["one", "two"], parameters), rows, 1
            )


def _free(names: "list[str]", taken: "list[str]") -> "list[str]":
    """Names for what a loop binds that no parameter has."""
    return [f"{each}_" if each in taken else each for each in names]


def _over(term: "_Term", parameters: "list[str]", words: "list[str]") -> "Iterator[_Loop]":
    shown, values = term.shown(), term.values
    if term.kind == "D":
        yield _Loop(
            shown,
            _free(["key"], parameters),
            [[(key,) for key in each] for each in values],
            term.cost,
        )
        entries = [[(each,) for each in value.values()] for value in values]
        yield _Loop(f"{shown}.values()", _free(["value"], parameters), entries, term.cost)
        rows = [list(each.items()) for each in values]
        yield _Loop(f"{shown}.items()", _free(["key", "value"], parameters), rows, term.cost)
        return
    items = [each for value in values for each in value]
    if not items:
        return
    name = _item_name(term.source, items, parameters)
    yield _Loop(shown, [name], [[(each,) for each in value] for value in values], term.cost)
    if any(word.startswith(_NUMBERED) for word in words):
        rows = [list(enumerate(value)) for value in values]
        yield _Loop(
            f"enumerate({term.source})", _free(["at", name], parameters), rows, term.cost + 1
        )
    if any(word.startswith(_PAIRED) for word in words):
        rows = [list(itertools.pairwise(value)) for value in values]
        heading = f"zip({shown}, {shown}[1:])"
        yield _Loop(heading, _free(["one", "two"], parameters), rows, term.cost + 1)


class _Inner:
    """All that is known about the items of a loop: terms by what they are worth, and tests."""

    def __init__(
        self, outer: "_Bank", loop: "_Loop", constants: "list[Any]", by_cases: bool
    ) -> None:
        self.by_cases = by_cases
        """Whether the sentence speaks of several cases."""
        start = [*loop.bound]
        for cost in (0, 1):
            for each in outer.of("*", cost):
                if not each.is_constant and len(each.values) == len(loop.sizes):
                    values = [each.values[at] for at in loop.owners]
                    start.append(_Term(each.source, values, max(cost, each.cost)))
        start += [_constant(each, len(loop.owners)) for each in constants]
        allowance = outer.allowance.part(0.15)
        self.bank = _Bank(start, outer.operations, allowance, _MOST_INNER)
        for cost in range(1, _INNER_COST + 1):
            for _ in (*self.bank.grow_by_one(cost), *self.bank.grow_by_two(cost)):
                if allowance.is_spent():
                    break
        names = {each.source for each in loop.bound}
        self.bodies = [each for each in self.bank.every() if _speaks_of(each.source, names)]
        tests = (each for each in self.bodies if each.kind == "b" and _is_shown(each))
        self.tests = list(itertools.islice(tests, _MOST_TESTS))

    def test_for(self, wanted: "list[bool]") -> "_Term | None":
        """A test that is true exactly there: one that is known, or two at once."""
        known = self.bank.worth(wanted)
        if known is not None:
            return known
        masks = [(sum(1 << at for at, value in enumerate(each.values) if value), each)
                 for each in self.tests]  # fmt: skip
        aim = sum(1 << at for at, value in enumerate(wanted) if value)
        above = [each for each in masks if each[0] & aim == aim]
        pairs = itertools.combinations(above[:60], 2)
        for (one, first), (two, second) in pairs:
            if one & two == aim:
                source = f"{first.shown()} and {second.shown()}"
                return _Term(source, wanted, first.cost + second.cost + 1, False)
        return None

    def worth(self, wanted: "list[Any]") -> "_Term | None":
        """What is worth that for every item, in one way or in two by a test."""
        known = self.bank.worth(wanted)
        if known is not None or len(wanted) < 4 or not self.by_cases:
            return known
        return self._by_cases(wanted)

    def _by_cases(self, wanted: "list[Any]") -> "_Term | None":
        """`one if test else other`, each of them right for two different items at least."""
        right = [
            (frozenset(at for at, pair in enumerate(zip(each.values, wanted, strict=True))
                       if _same(*pair)), each)
            for each in [*self.bodies, *self.bank.of("*", 0), *self.bank.of("*", 1)][:_MOST_BODIES]
        ]  # fmt: skip
        right = [each for each in right if len(each[0]) > 1]
        whole = frozenset(range(len(wanted)))
        for test in self.tests:
            true = frozenset(at for at, value in enumerate(test.values) if value)
            false = whole - true
            if min(len(true), len(false)) < 2:
                continue
            one = next((each for where, each in right if where >= true), None)
            two = next((each for where, each in right if where >= false), None)
            if one is not None and two is not None:
                source = f"{one.source} if {_condition(test)} else {two.source}"
                return _Term(source, wanted, one.cost + two.cost + test.cost + 1, False)
        return None


def _is_shown(test: "_Term") -> bool:
    """Whether the examples show what a test is for: it keeps some items, and not all."""
    return any(test.values) and not all(test.values)


def _speaks_of(source: str, names: "set[str]") -> bool:
    return any(name in source for name in names)


def _uses(loop: "_Loop", source: str) -> bool:
    """Whether every name that a loop binds is asked for, where it binds several."""
    if len(loop.bound) == 1:
        return True
    return all(len(re.findall(rf"\b{each.source}\b", source)) > 1 for each in loop.bound)
