"""A bottom-up search for an expression that gives every example's result.

Expressions are kept by what they are worth on all examples at once: of those that never differ
there, the shortest stays (observational equivalence).
"""

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reverie.dreamers.generate.inside.operations import _BINARY, _HINTS, _UNARY, _kind
    from reverie.dreamers.generate.inside.values import _fresh, _key, _same

_MOST_TEXT = 2000
_MOST_ITEMS = 400
_INNER_COST = 3
_MOST_INNER = 1500
_MOST_BANK = 30_000
_MOST_SOLUTIONS = 6
_LEAST_BESIDE = 2
"""A branch has to explain so many examples that the other one does not."""
_MOST_BRANCH_COST = 4


class _Term:
    """An expression: how it is written, what it is worth on each example, what it costs."""

    __slots__ = ("cost", "is_closed", "kind", "source", "values")

    def __init__(self, source: str, values: "list[Any]", cost: int, is_closed: bool) -> None:
        self.source = source
        self.values = values
        self.cost = cost
        self.kind = _kind(values[0]) if values else ""
        self.is_closed = is_closed
        """Whether it may stand next to any operator without brackets."""

    def shown(self) -> str:
        return self.source if self.is_closed else f"({self.source})"


class _Bank:
    """All terms known so far, by cost, no two worth the same."""

    def __init__(self, terms: "list[_Term]", deadline: float, most: int = _MOST_BANK) -> None:
        self.by_cost: dict[int, list[_Term]] = {}
        self.seen: set[str] = set()
        self.deadline = deadline
        self.most = most
        for term in terms:
            self.add(term)

    def add(self, term: "_Term") -> bool:
        """Keep a term unless one that is worth the same is there, or it is too large."""
        if not term.kind or len(self.seen) >= self.most:
            return False
        if any(_kind(value) != term.kind for value in term.values):
            return False
        try:
            key = _key(term.values)
        except (TypeError, ValueError, RecursionError):
            return False
        if len(key) > _MOST_TEXT * len(term.values) or key in self.seen:
            return False
        self.seen.add(key)
        self.by_cost.setdefault(term.cost, []).append(term)
        return True

    def of(self, kind: str, cost: int) -> "Iterator[_Term]":
        for term in self.by_cost.get(cost, ()):
            if kind == "*" or term.kind == kind:
                yield term

    def grow_by_one(self, cost: int) -> "Iterator[_Term]":
        """Terms of a cost, made from one that is cheaper; each is yielded once kept."""
        for kinds, form, function in _UNARY:
            for term in list(self.of(kinds, cost - 1)):
                yield from self._made(form, function, (term,), cost)

    def made_of(self, term: "_Term") -> "Iterator[_Term]":
        """What one more operation makes of a term."""
        for kinds, form, function in _UNARY:
            if kinds == term.kind:
                yield from self._made(form, function, (term,), term.cost + 1)

    def grow_by_two(self, cost: int) -> "Iterator[_Term]":
        """Terms of a cost, made from two that are cheaper together."""
        for kinds, form, function in _BINARY:
            for left in range(cost - 1):
                for one in list(self.of(kinds[0], left)):
                    if time.monotonic() > self.deadline:
                        return
                    for two in list(self.of(kinds[1], cost - 1 - left)):
                        yield from self._made(form, function, (one, two), cost)

    def _made(
        self, form: str, function: Any, terms: "tuple[_Term, ...]", cost: int
    ) -> "Iterator[_Term]":
        try:
            values = [
                function(*each) for each in zip(*(term.values for term in terms), strict=True)
            ]
        except Exception:  # noqa: BLE001  not for these values
            return
        closed = (
            form.endswith((")", "]")) and not form.startswith("-") and " " not in form.split("(")[0]
        )
        made = _Term(form.format(*(term.shown() for term in terms)), values, cost, closed)
        if self.add(made):
            yield made


def _search(
    parameters: "list[str]",
    examples: "list[dict[str, Any]]",
    constants: "list[Any]",
    words: "list[str]",
    most_cost: int,
    seconds: float,
) -> "dict[str, Any]":
    """Expressions of the parameters that give every result, the cheapest first."""
    deadline = time.monotonic() + seconds
    for operations in (_UNARY, _BINARY):
        operations.sort(key=lambda each: _is_strange(each[1], words))
    wanted = [each["result"] for each in examples]
    start = [
        _Term(name, [_fresh(each["args"])[at] for each in examples], 0, True)
        for at, name in enumerate(parameters)
    ]
    start += [_Term(repr(each), [each] * len(examples), 1, True) for each in constants]
    bank = _Bank(start, deadline)
    solutions: list[dict[str, Any]] = []
    partial: list[tuple[frozenset[int], _Term]] = []

    def look(term: "_Term") -> None:
        right = frozenset(at for at, value in enumerate(term.values) if _same(value, wanted[at]))
        if len(right) == len(wanted):
            strange = _is_strange(term.source, words)
            solutions.append({"source": term.source, "cost": term.cost, "strange": strange})
        elif right and len(partial) < 2000:
            partial.append((right, term))

    for term in start:
        look(term)
    for cost in range(1, most_cost + 1):
        if solutions or time.monotonic() > deadline:
            break
        for made in (
            bank.grow_by_one(cost),
            _higher(bank, parameters, constants, cost, deadline),
            bank.grow_by_two(cost),
        ):
            for term in made:
                if any(each["strange"] == 0 for each in solutions):
                    break
                look(term)
                if term.source.startswith("["):  # a list made for the purpose: what of it is asked
                    for end in bank.made_of(term):
                        look(end)
    if not solutions:
        solutions += _branches(bank, partial, len(wanted))
    solutions.sort(key=lambda each: (each["strange"], each["cost"]))
    return {"solutions": solutions[:_MOST_SOLUTIONS], "terms": len(bank.seen)}


def _is_strange(source: str, words: "list[str]") -> int:
    """How many operations of a source the sentence has no word for."""
    return sum(
        mark in source and not any(word.startswith(stem) for word in words for stem in stems)
        for mark, stems in _HINTS
    )


def _branches(
    bank: "_Bank", partial: "list[tuple[frozenset[int], _Term]]", size: int
) -> "list[dict[str, Any]]":
    """`one if test else other`, of two terms that are right on complementary examples."""
    whole = frozenset(range(size))
    tests: dict[frozenset[int], _Term] = {}
    for terms in bank.by_cost.values():
        for term in terms:
            if term.kind == "b":
                tests.setdefault(
                    frozenset(at for at, value in enumerate(term.values) if value), term
                )
    found = []
    best = sorted(partial, key=lambda each: (each[1].cost, -len(each[0])))[:200]
    for right, one in best:
        for other_right, two in best:
            few = len(whole - other_right) < _LEAST_BESIDE or len(whole - right) < _LEAST_BESIDE
            if right | other_right != whole or few or one.cost + two.cost > _MOST_BRANCH_COST:
                continue
            for split, test in tests.items():
                if whole - other_right <= split <= right:
                    source = f"{one.source} if {test.source} else {two.source}"
                    cost = one.cost + two.cost + test.cost + 1
                    found.append({"source": source, "cost": cost, "strange": 9})
    return sorted(found, key=lambda each: each["cost"])[:_MOST_SOLUTIONS]


def _higher(
    bank: "_Bank", parameters: "list[str]", constants: "list[Any]", cost: int, deadline: float
) -> "Iterator[_Term]":
    """Comprehensions over every list (and text, and dictionary) that is cheap enough."""
    for walked in [*bank.of("L", cost - 1), *bank.of("s", cost - 1)]:
        if time.monotonic() > deadline or cost > 4:
            return
        flat = [each for value in walked.values for each in value]
        if not flat or len(flat) > _MOST_ITEMS or len({_kind(each) for each in flat}) != 1:
            continue
        owners = [at for at, value in enumerate(walked.values) for _ in value]
        yield from _over(bank, walked, flat, owners, parameters, constants)


def _over(
    bank: "_Bank",
    walked: "_Term",
    flat: "list[Any]",
    owners: "list[int]",
    parameters: "list[str]",
    constants: "list[Any]",
) -> "Iterator[_Term]":
    """Maps, filters and both over one list, with what an inner search finds for its items."""
    item = _item_name(walked.source, flat, parameters)
    start = [_Term(item, flat, 0, True)]
    for term in bank.by_cost.get(0, ()):
        start.append(_Term(term.source, [term.values[at] for at in owners], 0, term.is_closed))
    start += [_Term(repr(each), [each] * len(flat), 1, True) for each in constants]
    inner = _Bank(start, bank.deadline, _MOST_INNER)
    for cost in range(1, _INNER_COST + 1):
        for _ in (*inner.grow_by_one(cost), *inner.grow_by_two(cost)):
            pass
    bodies = [each for terms in inner.by_cost.values() for each in terms]
    tests = [each for each in bodies if each.kind == "b" and item in each.source][:200]
    maps = [each for each in bodies if item in each.source][:160]
    for body in maps:
        yield from _kept(bank, walked, item, body, None, owners)
    for test in tests:
        for body in [start[0], *maps[:30]]:
            yield from _kept(bank, walked, item, body, test, owners)


def _kept(
    bank: "_Bank",
    walked: "_Term",
    item: str,
    body: "_Term",
    test: "_Term | None",
    owners: "list[int]",
) -> "Iterator[_Term]":
    values: list[list[Any]] = [[] for _ in walked.values]
    for at, owner in enumerate(owners):
        if test is None or test.values[at]:
            values[owner].append(body.values[at])
    cost = walked.cost + body.cost + (0 if test is None else test.cost) + 1
    condition = "" if test is None else f" if {test.source}"
    term = _Term(f"[{body.source} for {item} in {walked.source}{condition}]", values, cost, True)
    if bank.add(term):
        yield term
    joined = _Term(
        f'"".join({term.source[1:-1]})',
        ["".join(map(str, each)) for each in values],
        cost + 1,
        True,
    )
    if body.kind == "s" and bank.add(joined):
        yield joined
    if body.kind in "sibf":
        yield from _tables(bank, walked, item, body, test, owners, cost)


def _tables(
    bank: "_Bank",
    walked: "_Term",
    item: str,
    body: "_Term",
    test: "_Term | None",
    owners: "list[int]",
    cost: int,
) -> "Iterator[_Term]":
    """A number for each truth (`sum`), and a dictionary from items to bodies."""
    if body.kind == "b" and test is None:
        counts = [0] * len(walked.values)
        for at, owner in enumerate(owners):
            counts[owner] += bool(body.values[at])
        term = _Term(f"sum({body.source} for {item} in {walked.source})", counts, cost + 1, True)
        if bank.add(term):
            yield term


def _item_name(source: str, flat: "list[Any]", taken: "list[str]") -> str:
    names = (
        {"s": "char" if all(len(each) == 1 for each in flat) else "word", "L": "row"}
        if isinstance(flat[0], str | list)
        else {}
    )
    wanted = names.get(_kind(flat[0]), "number" if _kind(flat[0]) in "if" else "item")
    while wanted in taken or wanted in source:
        wanted += "_"
    return wanted
