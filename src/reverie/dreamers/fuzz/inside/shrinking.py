"""Smaller inputs that still break the law in the same way."""

import time
from collections.abc import Callable, Iterator

from reverie.dreamers.enrich.search.inside.nodes import (
    CONST,
    DISPLAYS,
    Node,
    const,
    places,
    render,
    replaced,
)


def shrink(args: "list[Node]", still: "Callable[[list[Node]], bool]", until: float) -> "list[Node]":
    """The smallest input found that `still` accepts."""
    is_smaller = True
    while is_smaller and time.monotonic() < until:
        is_smaller = False
        for candidate in _candidates(args):
            if time.monotonic() >= until:
                break
            if cost(candidate) < cost(args) and still(candidate):
                args, is_smaller = candidate, True
                break
    return args


def cost(args: "list[Node]") -> "tuple[int, int, int]":
    """How much there is to read, then how far from nothing it is."""
    texts = [render(each, {}) for each in args]
    odd = sum(not each.isalnum() for text in texts for each in text)
    return sum(map(len, texts)), odd, sum(sum(map(ord, text)) for text in texts)


def _candidates(args: "list[Node]") -> "Iterator[list[Node]]":
    for place, node in enumerate(args):
        for path, part in places(node):
            for smaller in _smaller(part):
                yield [*args[:place], replaced(node, path, smaller), *args[place + 1 :]]


def _smaller(node: Node) -> "Iterator[Node]":
    if node.kind in DISPLAYS and node.kind != "tuple":
        yield from _fewer(node)
    if node.kind == CONST:
        value = node.value
        if type(value) is int:
            yield from (
                const(each) for each in (0, 1, 2, abs(value), value // 10, value // 2, value - 1)
            )
        elif type(value) is float:
            whole = float(int(value))
            yield from (const(each) for each in (0.0, 1.0, 0.5, whole, abs(value), value / 2))
        elif type(value) is str:
            yield from map(const, _shorter(value))
        elif type(value) is bytes:
            yield from (const(each.encode("latin-1")) for each in _shorter(value.decode("latin-1")))


def _fewer(node: Node) -> "Iterator[Node]":
    step = 2 if node.kind == "dict" else 1
    many = len(node.items)
    yield node.with_items(())
    size = many // 2
    while size >= step:
        for at in range(0, many, size):
            yield node.with_items(node.items[:at] + node.items[at + size :])
        size //= 2
        size -= size % step


def _shorter(text: str) -> "Iterator[str]":
    yield ""
    size = len(text) // 2
    while size >= 1:
        for at in range(0, len(text), size):
            yield text[:at] + text[at + size :]
        size //= 2
    if len(text) <= 60:
        for at, letter in enumerate(text):
            for plain in "a0":
                if letter != plain and letter.isalnum():
                    yield text[:at] + plain + text[at + 1 :]
