"""What was found, made small and told: each law in a process of its own, as a script will be."""

import functools
import time
from collections.abc import Callable
from typing import Any

from reverie.dreamers.enrich.search.inside.children import Teller, in_child
from reverie.dreamers.enrich.search.inside.nodes import CONST, Node, render, tidy

from .board import Board
from .checking import Checker
from .history import breaks_after, needed_calls
from .prelude import errors_of
from .shrinking import cost, shrink

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
