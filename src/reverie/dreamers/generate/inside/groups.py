"""Dictionaries that a loop gives: an entry for each item, for some, or for each group of them."""

from collections.abc import Callable, Iterator
from typing import Any

from reverie.dreamers.generate.inside.bank import _Term
from reverie.dreamers.generate.inside.loops import _MOST_BODIES, _Inner, _Loop
from reverie.dreamers.generate.inside.operations import _kind, _kind_of_all
from reverie.dreamers.generate.inside.trying import _same

_Parts = list[list[Any]]


def _mappings(loop: "_Loop", inner: "_Inner", goal: "list[dict[str, Any]]") -> "Iterator[_Term]":
    """The keys say which term is the key; then the entries say what is kept of a group."""
    keys = [list(each) for each in goal]
    for test in [None, *inner.tests]:
        sizes = loop.sizes if test is None else [sum(e) for e in loop.parted(test.values)]
        if any(one < len(two) for one, two in zip(sizes, keys, strict=True)):
            continue
        for key in [each for each in inner.bodies if each.kind in "sibf"][:_MOST_BODIES]:
            found = loop.parted(key.values, test)
            if [list(dict.fromkeys(each)) for each in found] == keys:
                yield from _entries(loop, inner, key, test, goal)


def _entries(
    loop: "_Loop",
    inner: "_Inner",
    key: "_Term",
    test: "_Term | None",
    goal: "list[dict[str, Any]]",
) -> "Iterator[_Term]":
    found = loop.parted(key.values, test)
    entries = [[*each.values()] for each in goal]
    cost = loop.cost_with(key, test)
    has_groups = any(len(set(map(repr, each))) < len(each) for each in found)
    outer = [each for each in inner.bank.of("*", 0) if each not in inner.bodies]
    for body in [*inner.bodies[:_MOST_BODIES], *outer]:
        values = loop.parted(body.values, test)
        pairs = list(zip(found, values, strict=True))
        last = [[*dict(zip(one, two, strict=True)).values()] for one, two in pairs]
        if _same(last, entries):
            inside = loop.written(body, test)
            yield _Term(f"{{{key.source}: {inside}}}", goal, cost + body.cost)
        groups = [_grouped(one, two) for one, two in pairs] if has_groups else []
        for line, gather, more in _GATHERED if has_groups else ():
            if _same([[gather(part) for part in each] for each in groups], entries):
                source = _statements(loop, line.format(key=key.source, body=body.source), test)
                yield _Term(source, goal, cost + body.cost + more)
    if [[len(part) for part in _grouped(one, one)] for one in found] == entries:
        counted = f"dict(collections.Counter({loop.written(key, test)}))"
        yield _Term(counted, goal, cost + 1)


def _grouped(keys: "list[Any]", values: "list[Any]") -> "_Parts":
    groups: dict[Any, list[Any]] = {}
    for key, value in zip(keys, values, strict=True):
        groups.setdefault(key, []).append(value)
    return list(groups.values())


def _statements(loop: "_Loop", line: str, test: "_Term | None") -> str:
    """The body of a function that fills a dictionary."""
    step = f"    {line}" if test is None else f"    if {test.source}:\n        {line}"
    return f"found = {{}}\nfor {loop.target} in {loop.heading}:\n{step}\nreturn found"


def _added(values: "list[Any]") -> Any:
    return sum(values) if set(map(_kind, values)) <= {"i", "f"} else None


def _most(values: "list[Any]") -> Any:
    return max(values) if _kind_of_all(values) in ("i", "f", "s") else None


def _least(values: "list[Any]") -> Any:
    return min(values) if _kind_of_all(values) in ("i", "f", "s") else None


_GATHERED: "list[tuple[str, Callable[[list[Any]], Any], int]]" = [
    ("found.setdefault({key}, []).append({body})", list, 1),
    ("found[{key}] = found.get({key}, 0) + {body}", _added, 1),
    ("found.setdefault({key}, {body})", lambda values: values[0], 1),
    ("found[{key}] = max({body}, found.get({key}, {body}))", _most, 2),
    ("found[{key}] = min({body}, found.get({key}, {body}))", _least, 2),
]
"""What is kept of all items with one key: the line that does it, and the same for a list."""
