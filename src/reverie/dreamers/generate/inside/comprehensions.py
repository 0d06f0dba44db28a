"""Comprehensions over every list and text that is cheap enough, with an inner search for items."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reverie.dreamers.generate.inside.operations import _kind
    from reverie.dreamers.generate.inside.terms import _Bank, _Term

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
    start += [_Term(repr(each), [each] * len(walk.items), 1) for each in constants]
    inner = _Bank(start, bank.allowance, _MOST_INNER)
    for cost in range(1, _INNER_COST + 1):
        for _ in (*inner.grow_by_one(cost), *inner.grow_by_two(cost)):
            pass
    bodies = [each for each in inner.every() if walk.name in each.source]
    maps = bodies[:_MOST_MAPS]
    for body in maps:
        yield from _kept(bank, walk, body, None)
    for test in [each for each in bodies if each.kind == "b"][:_MOST_TESTS]:
        if bank.allowance.is_spent():
            return
        for body in [start[0], *maps[:_MOST_MAPS_TESTED]]:
            yield from _kept(bank, walk, body, test)


def _kept(bank: "_Bank", walk: "_Walk", body: "_Term", test: "_Term | None") -> "Iterator[_Term]":
    """The list; of texts also their join, of truths also their number."""
    values = walk.gathered(body, test)
    cost = walk.walked.cost + body.cost + (0 if test is None else test.cost) + 1
    condition = "" if test is None else f" if {test.source}"
    inside = f"{body.source} for {walk.name} in {walk.walked.source}{condition}"
    made = [_Term(f"[{inside}]", values, cost)]
    if body.kind == "s":
        made.append(_Term(f'"".join({inside})', ["".join(each) for each in values], cost + 1))
    if body.kind == "b" and test is None:
        made.append(_Term(f"sum({inside})", [sum(each) for each in values], cost + 1))
    yield from (each for each in made if bank.add(each))


def _item_name(source: str, items: "list[Any]", taken: "list[str]") -> str:
    kind = _kind(items[0])
    wanted = {"L": "row", "i": "number", "f": "number", "s": "word"}.get(kind, "item")
    if kind == "s" and all(len(each) == 1 for each in items):
        wanted = "char"
    known = {*taken, *re.findall(r"\w+", source)}
    while wanted in known:
        wanted += "_"
    return wanted
