"""Loops whose holes the results themselves decide: maps, filters, orders, groups, folds.

A bottom-up search meets a loop by chance. Here it begins with the results. Where each has as many
items as what the loop goes over, every item is an example of its own; where the items of a result
stand in what the loop goes over, it is known which ones a test has to keep; a rearranged result
says what a key has to order by. So the hole is filled by looking it up.
"""

import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any

from reverie.dreamers.generate.inside.bank import (
    _Bank,
    _condition,
    _constant,
    _item_name,
    _Term,
)
from reverie.dreamers.generate.inside.operations import _kind, _kind_of_all
from reverie.dreamers.generate.inside.trying import _same

_MOST_ITEMS = 120
_MOST_INNER = 3000
_INNER_COST = 3
_MOST_TESTS = 150
_MOST_BODIES = 300
_MOST_LOOPS = 40
_LISTED = "[{}]"
_CASES = ("if", "else", "otherwise", "when", "unless", "or", "except", "where", "while", "whose")
_PAIRED = ("adjacen", "consecutiv", "neighbo", "next", "previous", "pair", "successiv", "follow",
           "before", "after", "increas", "decreas", "ris", "fall", "twice", "row", "sorted",
           "order", "change", "differ", "gap", "step", "ascend", "descend")  # fmt: skip
_NUMBERED = ("index", "indices", "position", "place", "where", "number", "alternat", "odd", "even",
             "every", "th", "first", "second", "third", "last", "weight")  # fmt: skip


class _Loop:
    """What a loop goes over in every example: the names that it binds, and what they are worth."""

    __slots__ = ("bound", "cost", "heading", "owners", "sizes", "whole")

    def __init__(
        self, heading: str, names: "list[str]", rows: "list[list[tuple[Any, ...]]]", cost: int
    ) -> None:
        self.heading = heading
        self.cost = cost
        self.sizes = [len(each) for each in rows]
        self.owners = [at for at, each in enumerate(rows) for _ in each]
        flat = [row for each in rows for row in each]
        self.bound = [
            _Term(name, [row[at] for row in flat], 0) for at, name in enumerate(names)
        ]
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
            yield _Loop(f"zip({one.source}, {two.source})", ["one", "two"], rows, 1)


def _over(term: "_Term", parameters: "list[str]", words: "list[str]") -> "Iterator[_Loop]":
    shown, values = term.shown(), term.values
    if term.kind == "D":
        yield _Loop(shown, ["key"], [[(key,) for key in each] for each in values], term.cost)
        entries = [[(each,) for each in value.values()] for value in values]
        yield _Loop(f"{shown}.values()", ["value"], entries, term.cost)
        rows = [list(each.items()) for each in values]
        yield _Loop(f"{shown}.items()", ["key", "value"], rows, term.cost)
        return
    items = [each for value in values for each in value]
    if not items:
        return
    name = _item_name(term.source, items, parameters)
    yield _Loop(shown, [name], [[(each,) for each in value] for value in values], term.cost)
    if any(word.startswith(_NUMBERED) for word in words):
        rows = [list(enumerate(value)) for value in values]
        yield _Loop(f"enumerate({term.source})", ["at", name], rows, term.cost + 1)
    if any(word.startswith(_PAIRED) for word in words):
        rows = [list(itertools.pairwise(value)) for value in values]
        heading = f"zip({shown}, {shown}[1:])"
        yield _Loop(heading, ["one", "two"], rows, term.cost + 1)


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
        self.tests = [each for each in self.bodies if each.kind == "b" and 0 < sum(each.values)]
        self.tests = self.tests[:_MOST_TESTS]

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


def _speaks_of(source: str, names: "set[str]") -> bool:
    return any(name in source for name in names)


class _Shapes:
    """The terms that give every result, made of a loop and what the results say of its holes."""

    def __init__(
        self,
        bank: "_Bank",
        goal: "list[Any]",
        constants: "list[Any]",
        words: "list[str]",
        cost: int,
    ) -> None:
        self.bank = bank
        self.cost = cost
        """What the terms cost that are known by now."""
        self.goal = goal
        self.kind = _kind_of_all(goal)
        self.constants = constants
        self.words = words

    def terms(self, parameters: "list[str]") -> "Iterator[_Term]":
        """Expressions, and bodies of several lines."""
        for cost in (0, 1) if self.cost == 1 else (self.cost,):
            loops = _loops(self.bank, parameters, self.words, cost)
            for loop in itertools.islice(loops, _MOST_LOOPS):
                if self.bank.allowance.is_spent():
                    return
                if loop.is_usable():
                    made = self._of_loop(loop)
                    yield from (each for each in made if _uses(loop, each.source))

    def _of_loop(self, loop: "_Loop") -> "Iterator[_Term]":
        by_cases = not set(_CASES).isdisjoint(self.words)
        inner = _Inner(self.bank, loop, self.constants, by_cases)
        if self.kind == "L":
            yield from self._lists(loop, inner, self.goal, _LISTED, 0)
            yield from self._sorted_lists(loop, inner)
        elif self.kind == "D":
            yield from self._mappings(loop, inner)
        elif self.kind == "s":
            yield from self._texts(loop, inner)
        yield from self._single(loop, inner)

    def _term(self, source: str, cost: int) -> "_Term":
        return _Term(source, self.goal, cost)

    def _lists(
        self, loop: "_Loop", inner: "_Inner", goal: "list[list[Any]]", form: str, more: int
    ) -> "Iterator[_Term]":
        """Maps, filters and both that give lists."""
        sizes = [len(each) for each in goal]
        if sizes == loop.sizes:
            body = inner.worth([each for part in goal for each in part])
            if body is not None and body.source == loop.bound[0].source:
                if form != _LISTED:
                    yield self._term(form.format(loop.heading), loop.cost + 1 + more)
            elif body is not None:
                inside = f"{body.source} for {_target(loop)} in {loop.heading}"
                yield self._term(form.format(inside), loop.cost + body.cost + 1 + more)
            return
        if any(one > two for one, two in zip(sizes, loop.sizes, strict=True)):
            return
        for body, kept in _kept_of(loop, inner, goal):
            test = inner.test_for(kept)
            if test is not None:
                yield self._filtered(loop, body, test, form, more)
        wanted = [each for part in goal for each in part]
        for test in inner.tests:
            if [sum(each) for each in loop.parted(test.values)] == sizes:
                body = _worth_where(inner, loop, test, wanted)
                if body is not None:
                    yield self._filtered(loop, body, test, form, more)

    def _filtered(
        self, loop: "_Loop", body: "_Term", test: "_Term", form: str, more: int
    ) -> "_Term":
        inside = f"{body.source} for {_target(loop)} in {loop.heading} if {_condition(test)}"
        return self._term(form.format(inside), loop.cost + body.cost + test.cost + 1 + more)

    def _sorted_lists(self, loop: "_Loop", inner: "_Inner") -> "Iterator[_Term]":
        """A list put in the order of a key, or of two; and what a test keeps, in order."""
        if all(each == sorted(each, key=repr) for each in self.goal) or _is_ordered(self.goal):
            yield from self._lists_in_order(loop, inner)
        if len(loop.bound) > 1 or [len(each) for each in self.goal] != loop.sizes:
            return
        items = [[row[0] for row in each] for each in loop.whole]
        if items == self.goal or any(
            sorted(map(repr, one)) != sorted(map(repr, two))
            for one, two in zip(items, self.goal, strict=True)
        ):
            return
        name = loop.bound[0].source
        keys = [each for each in inner.bodies if each.kind in "isfLb"][:_MOST_BODIES]
        pairs = [(one, two) for one in keys[:40] for two in keys[:40] if one is not two]
        singles = [(one,) for one in keys]
        for parts in [*singles, *pairs]:
            for reverse in (False, True):
                if _orders(loop, items, parts, reverse, self.goal):
                    key = ", ".join(each.source for each in parts)
                    shown = key if len(parts) == 1 else f"({key})"
                    by = "" if shown == name else f", key=lambda {name}: {shown}"
                    last = ", reverse=True" if reverse else ""
                    cost = loop.cost + sum(each.cost for each in parts) + len(parts) + reverse
                    yield self._term(f"sorted({loop.heading}{by}{last})", cost)

    def _lists_in_order(self, loop: "_Loop", inner: "_Inner") -> "Iterator[_Term]":
        """Sorted results: of a map or a filter, each item perhaps once."""
        down = not _is_ordered(self.goal)
        end = ", reverse=True" if down else ""
        sizes = [len(each) for each in self.goal]
        for body in inner.bodies[:60]:
            for test in [None, *inner.tests]:
                parts = loop.parted(body.values, test)
                if test is None and body is loop.bound[0]:
                    continue
                counts = [len(each) for each in parts]
                if any(one < two for one, two in zip(counts, sizes, strict=True)):
                    continue
                is_once = counts != sizes
                made = [_in_order(each, is_once, down) for each in parts]
                if made == self.goal:
                    condition = "" if test is None else f" if {_condition(test)}"
                    inside = f"{body.source} for {_target(loop)} in {loop.heading}{condition}"
                    inside = f"{{{inside}}}" if is_once else inside
                    inside = f"({inside})" if end and not is_once else inside
                    cost = loop.cost + body.cost + (0 if test is None else test.cost) + 2
                    yield self._term(f"sorted({inside}{end})", cost + is_once)

    def _texts(self, loop: "_Loop", inner: "_Inner") -> "Iterator[_Term]":
        """Lists that are joined by a sign."""
        signs = [each for each in self.constants if isinstance(each, str)]
        signs += [each for each in (", ", "\n") if each not in signs]
        for sign in signs:
            parts = [_split(each, sign) for each in self.goal]
            if sign and all(len(each) < 2 for each in parts):
                continue
            form = ascii(sign).replace("{", "{{").replace("}", "}}") + ".join({})"
            yield from self._lists(loop, inner, parts, form, 1)

    def _mappings(self, loop: "_Loop", inner: "_Inner") -> "Iterator[_Term]":
        """Dictionaries: an entry for each item, for some, or for each group of them."""
        keys = [list(each) for each in self.goal]
        entries = [[*each.values()] for each in self.goal]
        for test in [None, *inner.tests]:
            sizes = loop.sizes if test is None else [sum(e) for e in loop.parted(test.values)]
            if any(one < len(two) for one, two in zip(sizes, keys, strict=True)):
                continue
            for key in [each for each in inner.bodies if each.kind in "sibf"][:_MOST_BODIES]:
                found = loop.parted(key.values, test)
                if [list(dict.fromkeys(each)) for each in found] == keys:
                    yield from self._entries(loop, inner, (key, test), found, entries)

    def _entries(
        self,
        loop: "_Loop",
        inner: "_Inner",
        hole: "tuple[_Term, _Term | None]",
        found: "list[list[Any]]",
        entries: "list[list[Any]]",
    ) -> "Iterator[_Term]":
        key, test = hole
        condition = "" if test is None else f" if {_condition(test)}"
        cost = loop.cost + key.cost + (0 if test is None else test.cost) + 1
        is_flat = all(len(set(map(repr, each))) == len(each) for each in found)
        bodies = [*inner.bodies[:_MOST_BODIES], *_outer_terms(inner)]
        for body in bodies:
            values = loop.parted(body.values, test)
            made = [dict(zip(one, two, strict=True)) for one, two in zip(found, values, strict=True)]
            if _same([list(each.values()) for each in made], entries):
                inside = f"{key.source}: {body.source} for {_target(loop)} in {loop.heading}"
                yield self._term(f"{{{inside}{condition}}}", cost + body.cost)
            if is_flat:
                continue
            groups = [_grouped(one, two) for one, two in zip(found, values, strict=True)]
            for write, gather, more in _GATHERED:
                if _same([[gather(part) for part in each] for each in groups], entries):
                    source = write(_target(loop), loop.heading, key.source, body.source, test)
                    yield self._term(source, cost + body.cost + more)
        if not is_flat or test is not None:
            counts = [[len(part) for part in _grouped(one, one)] for one in found]
            if counts == entries:
                inside = f"{key.source} for {_target(loop)} in {loop.heading}{condition}"
                yield self._term(f"dict(collections.Counter({inside}))", cost + 1)

    def _single(self, loop: "_Loop", inner: "_Inner") -> "Iterator[_Term]":
        """One value of all items: their sum, number, largest, the first that passes a test."""
        target, over = _target(loop), loop.heading
        name = loop.bound[0].source
        bodies = inner.bodies[:_MOST_BODIES]
        if self.kind == "b":
            for test in inner.tests:
                parts = loop.parted(test.values)
                for word, function in (("all", all), ("any", any)):
                    if [function(each) for each in parts] == self.goal:
                        yield self._term(
                            f"{word}({test.source} for {target} in {over})",
                            loop.cost + test.cost + 1,
                        )
        for test in [None, *inner.tests[:60]]:
            condition = "" if test is None else f" if {_condition(test)}"
            spent = loop.cost + (0 if test is None else test.cost) + 1
            for body in bodies if test is None else bodies[:40]:
                parts = loop.parted(body.values, test)
                for form, function in _REDUCED.get(body.kind, ()):
                    if body.source == name and test is None:
                        continue
                    if _gives(function, parts, self.goal):
                        inside = f"{body.source} for {target} in {over}{condition}"
                        yield self._term(form.format(inside), spent + body.cost)
            if test is not None:
                yield from self._first(loop, test, bodies[:40])
                counts = [sum(each) for each in loop.parted(test.values)]
                if _same(counts, self.goal):
                    yield self._term(f"sum({test.source} for {target} in {over})", spent)
        if len(loop.bound) == 1:
            yield from self._extreme(loop, inner)

    def _first(self, loop: "_Loop", test: "_Term", bodies: "list[_Term]") -> "Iterator[_Term]":
        """The first item that passes a test, and what is given when none does."""
        found = loop.parted(test.values, test)
        empty = [goal for each, goal in zip(found, self.goal, strict=True) if not each]
        if len(set(map(repr, empty))) > 1 or len(empty) > len(found) - 2:
            return
        if empty and repr(empty[0]) not in _FALLBACKS and empty[0] not in self.constants:
            return
        for body in bodies:
            parts = loop.parted(body.values, test)
            made = [each[0] if each else empty[0] for each in parts]
            if _same(made, self.goal):
                inside = f"{body.source} for {_target(loop)} in {loop.heading} if {_condition(test)}"
                fallback = f", {empty[0]!r}" if empty else ""
                source = f"next(({inside}){fallback})" if empty else f"next({inside})"
                yield self._term(source, loop.cost + body.cost + test.cost + 2)

    def _extreme(self, loop: "_Loop", inner: "_Inner") -> "Iterator[_Term]":
        """The item of which something is largest or smallest, the first of several."""
        name = loop.bound[0].source
        if not all(loop.sizes):
            return
        items = loop.parted(loop.bound[0].values)
        if not all(goal in part for goal, part in zip(self.goal, items, strict=True)):
            return
        for key in [each for each in inner.bodies if each.kind in "isf"][:_MOST_BODIES]:
            if key.source == name:
                continue
            keys = loop.parted(key.values)
            for word, function in (("max", max), ("min", min)):
                made = [
                    part[values.index(function(values))]
                    for part, values in zip(items, keys, strict=True)
                ]
                if _same(made, self.goal):
                    source = f"{word}({loop.heading}, key=lambda {name}: {key.source})"
                    yield self._term(source, loop.cost + key.cost + 1)


def _uses(loop: "_Loop", source: str) -> bool:
    """Whether every name that a loop binds is asked for, where it binds several."""
    if len(loop.bound) == 1:
        return True
    return all(len(re.findall(rf"\b{each.source}\b", source)) > 1 for each in loop.bound)


def _target(loop: "_Loop") -> str:
    return ", ".join(each.source for each in loop.bound)


def _kept_of(
    loop: "_Loop", inner: "_Inner", goal: "list[list[Any]]"
) -> "Iterator[tuple[_Term, list[bool]]]":
    """Which items a test has to keep, where a result is made of what they are themselves."""
    for body in loop.bound:
        parts = loop.parted(body.values)
        kept: list[bool] = []
        for items, wanted in zip(parts, goal, strict=True):
            chosen = [each in wanted for each in items]
            if [each for each, is_kept in zip(items, chosen, strict=True) if is_kept] != wanted:
                chosen = _first_ones(items, wanted)
            kept += chosen
        if len(kept) == len(loop.owners) and any(kept):
            yield body, kept


def _first_ones(items: "list[Any]", wanted: "list[Any]") -> "list[bool]":
    """The earliest of several equal items for each that is wanted; nothing where that fails."""
    left = list(wanted)
    chosen = []
    for each in items:
        is_kept = bool(left) and each == left[0]
        chosen.append(is_kept)
        if is_kept:
            left.pop(0)
    return [] if left else chosen


def _worth_where(
    inner: "_Inner", loop: "_Loop", test: "_Term", wanted: "list[Any]"
) -> "_Term | None":
    where = [at for at, value in enumerate(test.values) if value]
    for body in inner.bodies[:_MOST_BODIES]:
        if all(_same(body.values[at], each) for at, each in zip(where, wanted, strict=True)):
            return body
    return None


def _outer_terms(inner: "_Inner") -> "list[_Term]":
    return [each for each in inner.bank.of("*", 0) if each not in inner.bodies]


def _orders(
    loop: "_Loop",
    items: "list[list[Any]]",
    parts: "tuple[_Term, ...]",
    reverse: bool,
    goal: "list[list[Any]]",
) -> bool:
    start = 0
    for part, wanted in zip(items, goal, strict=True):
        keys = [tuple(each.values[start + at] for each in parts) for at in range(len(part))]
        start += len(part)
        try:
            order = sorted(range(len(part)), key=keys.__getitem__, reverse=reverse)
        except TypeError:
            return False
        if [part[at] for at in order] != wanted:
            return False
    return True


def _is_ordered(goal: "list[list[Any]]") -> bool:
    try:
        return all(each == sorted(each) for each in goal)
    except TypeError:
        return False


def _in_order(items: "list[Any]", is_once: bool, down: bool) -> "list[Any]":
    try:
        return sorted(set(items) if is_once else items, reverse=down)
    except TypeError:
        return []


def _split(text: str, sign: str) -> "list[str]":
    if not sign:
        return list(text)
    return text.split(sign) if text else []


def _grouped(keys: "list[Any]", values: "list[Any]") -> "list[list[Any]]":
    groups: dict[Any, list[Any]] = {}
    for key, value in zip(keys, values, strict=True):
        groups.setdefault(key, []).append(value)
    return list(groups.values())


def _gives(function: "Callable[..., Any]", parts: "list[list[Any]]", goal: "list[Any]") -> bool:
    try:
        return all(
            _same(function(part), wanted) for part, wanted in zip(parts, goal, strict=True)
        )
    except (ValueError, TypeError):
        return False


def _written_groups(
    target: str, over: str, key: str, body: str, test: "_Term | None", ends: str
) -> str:
    condition = "" if test is None else f"    if {test.source}:\n    "
    line = ends.format(key=key, body=body)
    return f"found = {{}}\nfor {target} in {over}:\n{condition}    {line}\nreturn found"


def _lists_of(target: str, over: str, key: str, body: str, test: "_Term | None") -> str:
    line = "found.setdefault({key}, []).append({body})"
    return _written_groups(target, over, key, body, test, line)


def _sums_of(target: str, over: str, key: str, body: str, test: "_Term | None") -> str:
    line = "found[{key}] = found.get({key}, 0) + {body}"
    return _written_groups(target, over, key, body, test, line)


def _firsts_of(target: str, over: str, key: str, body: str, test: "_Term | None") -> str:
    return _written_groups(target, over, key, body, test, "found.setdefault({key}, {body})")


def _largest_of(target: str, over: str, key: str, body: str, test: "_Term | None") -> str:
    line = "found[{key}] = max({body}, found.get({key}, {body}))"
    return _written_groups(target, over, key, body, test, line)


def _smallest_of(target: str, over: str, key: str, body: str, test: "_Term | None") -> str:
    line = "found[{key}] = min({body}, found.get({key}, {body}))"
    return _written_groups(target, over, key, body, test, line)


def _added(values: "list[Any]") -> Any:
    return sum(values) if set(map(_kind, values)) <= {"i", "f"} else None


def _most(values: "list[Any]") -> Any:
    return max(values) if _kind_of_all(values) in ("i", "f", "s") else None


def _least(values: "list[Any]") -> Any:
    return min(values) if _kind_of_all(values) in ("i", "f", "s") else None


_GATHERED: "list[tuple[Callable[..., str], Callable[[list[Any]], Any], int]]" = [
    (_lists_of, list, 1), (_sums_of, _added, 1), (_firsts_of, lambda a: a[0], 1),
    (_largest_of, _most, 2), (_smallest_of, _least, 2),
]  # fmt: skip

_FALLBACKS = ("None", "''", "0", "-1", "False", "[]", "{}")
_REDUCED: "dict[str, tuple[tuple[str, Callable[..., Any]], ...]]" = {
    "i": (("sum({})", sum), ("max({})", max), ("min({})", min)),
    "f": (("sum({})", sum), ("max({})", max), ("min({})", min)),
    "s": (("max({})", max), ("min({})", min)),
}
