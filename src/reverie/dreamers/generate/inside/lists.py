"""Lists and joined texts that a loop gives: its map, test or order is looked up."""

from collections.abc import Iterator
from typing import Any

from reverie.dreamers.generate.inside.bank import _Term
from reverie.dreamers.generate.inside.loops import _MOST_BODIES, _Inner, _Loop
from reverie.dreamers.generate.inside.trying import _same

_LISTED = "[{}]"
_FEW_BODIES = 60
_FEW_KEYS = 40
_Goal = list[list[Any]]


def _lists(loop: "_Loop", inner: "_Inner", goal: "_Goal", form: str = _LISTED) -> "Iterator[_Term]":
    """Maps, filters and both, in the form of a list or of a text that is joined."""
    sizes = [len(each) for each in goal]
    more = 0 if form == _LISTED else 1
    if sizes == loop.sizes:
        body = inner.worth([each for part in goal for each in part])
        if body is not None and body.source != loop.bound[0].source:
            yield _Term(form.format(loop.written(body)), goal, loop.cost_with(body) + more)
        elif body is not None and form != _LISTED:
            yield _Term(form.format(loop.heading), goal, loop.cost + 1 + more)
    elif all(one <= two for one, two in zip(sizes, loop.sizes, strict=True)):
        for body, test in _filters(loop, inner, goal):
            source = form.format(loop.written(body, test))
            yield _Term(source, goal, loop.cost_with(body, test) + more)


def _filters(loop: "_Loop", inner: "_Inner", goal: "_Goal") -> "Iterator[tuple[_Term, _Term]]":
    """What is given for which items, where there are fewer results."""
    for body, kept in _kept_of(loop, goal):
        test = inner.test_for(kept)
        if test is not None:
            yield body, test
    wanted = [each for part in goal for each in part]
    sizes = [len(each) for each in goal]
    for test in inner.tests:
        if [sum(each) for each in loop.parted(test.values)] == sizes:
            found = _worth_where(inner, test, wanted)
            if found is not None:
                yield found, test


def _texts(
    loop: "_Loop", inner: "_Inner", goal: "list[str]", constants: "list[Any]"
) -> "Iterator[_Term]":
    """Lists that are joined by a sign."""
    signs = [each for each in constants if isinstance(each, str)]
    for sign in dict.fromkeys([*signs, ", ", "\n"]):
        parts = [_split(each, sign) for each in goal]
        if sign and all(len(each) < 2 for each in parts):
            continue
        form = ascii(sign).replace("{", "{{").replace("}", "}}") + ".join({})"
        for made in _lists(loop, inner, parts, form):
            yield _Term(made.source, goal, made.cost)


def _rearranged(loop: "_Loop", inner: "_Inner", goal: "_Goal") -> "Iterator[_Term]":
    """The same items in the order of a key, or of two."""
    items = [[row[0] for row in each] for each in loop.whole]
    if len(loop.bound) > 1 or items == goal or not _holds_the_same(items, goal):
        return
    name = loop.bound[0].source
    keys = [each for each in inner.bodies if each.kind in "isfLb"][:_MOST_BODIES]
    few = keys[:_FEW_KEYS]
    pairs = [(one, two) for one in few for two in few if one is not two]
    for parts in [*((each,) for each in keys), *pairs]:
        for reverse in (False, True):
            if _orders(items, parts, reverse, goal):
                key = ", ".join(each.source for each in parts)
                shown = key if len(parts) == 1 else f"({key})"
                by = "" if shown == name else f", key=lambda {name}: {shown}"
                last = ", reverse=True" if reverse else ""
                cost = loop.cost_with(*parts) + len(parts) - 1 + reverse
                yield _Term(f"sorted({loop.heading}{by}{last})", goal, cost)


def _holds_the_same(items: "_Goal", goal: "_Goal") -> bool:
    pairs = zip(items, goal, strict=True)
    return all(sorted(map(repr, one)) == sorted(map(repr, two)) for one, two in pairs)


def _in_order(loop: "_Loop", inner: "_Inner", goal: "_Goal") -> "Iterator[_Term]":
    """Sorted results, up or down: of a map or a filter, each item perhaps once."""
    up, down = ([_sorted(each, False, way) for each in goal] == goal for way in (False, True))
    if not up and not down:
        return
    end = "" if up else ", reverse=True"
    for body in inner.bodies[:_FEW_BODIES]:
        for test in [None, *inner.tests]:
            if test is None and body is loop.bound[0]:
                continue
            parts = loop.parted(body.values, test)
            is_once = [len(each) for each in parts] != [len(each) for each in goal]
            if [_sorted(each, is_once, not up) for each in parts] == goal:
                inside = loop.written(body, test)
                inside = f"{{{inside}}}" if is_once else f"[{inside}]"
                cost = loop.cost_with(body, test) + 1 + is_once
                yield _Term(f"sorted({inside}{end})", goal, cost)


def _kept_of(loop: "_Loop", goal: "_Goal") -> "Iterator[tuple[_Term, list[bool]]]":
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


def _worth_where(inner: "_Inner", test: "_Term", wanted: "list[Any]") -> "_Term | None":
    where = [at for at, value in enumerate(test.values) if value]
    for body in inner.bodies[:_MOST_BODIES]:
        if all(_same(body.values[at], each) for at, each in zip(where, wanted, strict=True)):
            return body
    return None


def _orders(items: "_Goal", parts: "tuple[_Term, ...]", reverse: bool, goal: "_Goal") -> bool:
    """Whether keys put the items of every example in the order that is wanted."""
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


def _sorted(items: "list[Any]", is_once: bool, down: bool) -> "list[Any] | None":
    try:
        return sorted(set(items) if is_once else items, reverse=down)
    except TypeError:
        return None


def _split(text: str, sign: str) -> "list[str]":
    if not sign:
        return list(text)
    return text.split(sign) if text else []
