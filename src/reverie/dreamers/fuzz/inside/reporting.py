"""Broken laws made small and reported: smaller inputs, only the calls needed, a process each."""

import functools
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from reverie.dreamers.enrich.search.inside.nodes import (
    CONST,
    DISPLAYS,
    Node,
    const,
    places,
    render,
    replaced,
    tidy,
)
from reverie.dreamers.enrich.search.inside.trying import OutOfTime, Teller, guarded, in_child

from .checking import Checker
from .drawing import Board
from .prelude import errors_of


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


_MOST = 2000
_SECONDS = 5.0
_MOST_TRIES = 80


class History:
    """The last calls of this process, to be written out when they matter."""

    def __init__(self) -> None:
        self._calls: deque[tuple[str, list[Node]]] = deque(maxlen=_MOST)

    def note(self, law: "dict[str, Any]", args: "list[Node]") -> None:
        """A law was held against an input: its subject has been called with it."""
        if args and all(each[1] == law["subject"] for each in law["variables"]):
            text = "\n".join((*law["setup"], *law["steps"]))
            many = max(1, text.count(f"{law['subject']}("))
            self._calls.extend([(law["subject"], args)] * many)

    def calls(self) -> "list[str]":
        """All of them as source, the earliest first."""
        return [
            f"{name}({', '.join(render(each, {}) for each in args)})" for name, args in self._calls
        ]

    def clear(self) -> None:
        """A new process has no past."""
        self._calls.clear()


def needed_calls(
    calls: "list[str]", namespace: "dict[str, Any]", is_broken: "Callable[[], bool]"
) -> "list[str] | None":
    """As few of the calls as were found to make it break; None when not even all of them do."""
    tries = 0

    def breaks(several: "list[str]") -> bool:
        nonlocal tries
        tries += 1
        return tries <= _MOST_TRIES and breaks_after(several, namespace, is_broken)

    if not breaks(calls):
        return None
    size = len(calls) // 2
    while size >= 1:
        at = 0
        while at < len(calls):
            shorter = calls[:at] + calls[at + size :]
            if breaks(shorter):
                calls = shorter
            else:
                at += size
        size //= 2
    return calls


def breaks_after(
    calls: "list[str]", namespace: "dict[str, Any]", is_broken: "Callable[[], bool]"
) -> bool:
    """Whether it breaks in a process in which only these calls were made before."""

    def work(teller: Teller) -> None:
        for each in calls:
            try:
                with guarded():
                    eval(each, namespace)
            except (Exception, OutOfTime):  # noqa: BLE001  refusing is what it may do
                continue
        teller.tell(is_broken())

    told, _ = in_child(work, _SECONDS)
    return told == [True]


_PATIENT = 15.0
"""How much longer than usual a call is waited for that does not seem to end."""
_SHRINK_SECONDS = 2.5
_SPARE_SECONDS, _LATE_SECONDS = 10.0, 40.0


class Reporting:
    """The laws that were broken, as findings."""

    def __init__(
        self,
        laws: "list[dict[str, Any]]",
        board: Board,
        checker: Checker,
        namespace: "dict[str, Any]",
    ) -> None:
        self.laws = laws
        self.board = board
        self.checker = checker
        self.namespace = namespace

    def findings(self) -> "list[dict[str, Any]]":
        """One for each law that was broken."""
        found: list[dict[str, Any]] = []
        for number in sorted(self.board.broken):

            def work(teller: Teller, number: int = number) -> None:
                self._tell(number, teller)

            is_late = any(each[2] for each in self.board.broken[number])
            told, _ = in_child(work, _LATE_SECONDS if is_late else _SPARE_SECONDS)
            found += [each for each in told if isinstance(each, dict)][-1:]
        return found

    def _tell(self, number: int, teller: Teller) -> None:
        """As it was found, and again when it could be made smaller."""
        law = self.laws[number]
        several = self.board.broken[number]
        args, likeness, is_late = min(several, key=lambda each: (each[2], cost(each[0])))
        patience = _PATIENT if is_late else 1.0

        def still(candidate: "list[Node]") -> bool:
            return self.checker.check(law, candidate, patience).likeness() == likeness

        if is_late:
            if not still(args):
                return
            teller.tell(self._document(number, args, [], is_late))
        elif not breaks_after([], self.namespace, lambda: still(args)):
            teller.tell(self._with_earlier(number, still))
            return
        if args:
            args = shrink(args, still, time.monotonic() + _SHRINK_SECONDS)
        teller.tell(self._document(number, args, [], is_late))

    def _with_earlier(self, number: int, still: "Callable[[list[Node]], bool]") -> "dict[str, Any]":
        """What breaks only after other calls, with as few of them as will do."""
        calls, args = self.board.earlier[number]
        earlier = needed_calls(calls, self.namespace, lambda: still(args)) or []
        for each in earlier:
            errors_of(functools.partial(eval, each, self.namespace))
        return self._document(number, args, earlier, is_late=False)

    def _document(
        self, number: int, args: "list[Node]", earlier: "list[str]", is_late: bool
    ) -> "dict[str, Any]":
        law = self.laws[number]
        seen = None if is_late else self.checker.check(law, args)
        return {
            "law": number,
            "earlier": [f"errors_of(lambda: {each})" for each in earlier],
            "arguments": [[name[0], _source(each)] for name, each in zip(law["variables"], args)],  # noqa: B905
            "is_late": is_late,
            "actual": "it does not return" if seen is None else seen.actual,
            "error": "" if seen is None else seen.error,
            "message": "" if seen is None else seen.message,
            "frame": "" if seen is None else seen.frame,
            "held": self.board.held[number],
            "failed": self.board.breaks[number],
            "fresh": self.board.fresh[number],
        }


def _source(node: Node) -> str:
    text = render(node, {})
    return text if node.kind == CONST else tidy(text)
