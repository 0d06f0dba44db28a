"""One use that tests or documents show: run again, and what is told of it."""

import ast
import itertools
from collections.abc import Callable
from typing import Any

from reverie.dreamers.enrich.search.inside.trying import OutOfTime, Teller, guarded

PATIENCE, LATE_PATIENCE = 5.0, 30.0
SILENT = (TypeError, AttributeError, NotImplementedError)
"""Errors that say that something cannot be done at all."""
_MOST_ITEMS = 1000


class Claim:
    """A law that was broken: what is done, what has to be true then, and when it is believed."""

    def __init__(self, key: str, says: str, actual: str, told: str) -> None:
        self.key = key
        """The law and what it is about: what another use has to share to tell of the same."""
        self.says = says
        self.actual = actual
        self.told = told
        """The input, for people."""
        self.lines: list[str] = []
        self.check = "True"
        self.errors = ["AssertionError"]
        """What a script of it raises."""
        self.is_late = False
        self.where = ""
        self.trust = (0, 1.0)
        """How many have to obey, and the share that may not."""

    def document(self, before: "list[str]") -> "dict[str, Any]":
        """As the host reads it."""
        return {
            "key": self.key, "statements": [*before, *self.lines], "check": self.check,
            "says": self.says, "actual": self.actual[:300], "input": self.told,
            "errors": self.errors, "is_late": self.is_late, "where": self.where,
            "least": self.trust[0], "most": self.trust[1],
        }  # fmt: skip


class Use:
    """A use, in a process of its own."""

    def __init__(
        self, told: "dict[str, Any]", space: "Callable[[], dict[str, Any]]", teller: Teller
    ) -> None:
        self.before: list[str] = told["before"]
        self.lines: list[str] = told["lines"]
        self.asked: str = told["asked"]
        self.space_of = space
        self.teller = teller
        self.space: dict[str, Any] = {}
        """What the last run bound."""

    def value(self, lines: "list[str]", asked: str, patience: float = PATIENCE) -> Any:
        """What an expression gives after some lines, everything made anew."""
        space = self.space_of()
        with guarded(patience):
            for each in lines:
                exec(each, space)  # noqa: S102
            self.space = space
            return _finished(eval(asked, space))

    def is_fine(self) -> bool:
        """Whether it works at all."""
        try:
            self.value(self.lines, self.asked)
        except (Exception, OutOfTime):  # noqa: BLE001  it does not work here
            return False
        return True

    def note(self, key: str, is_held: bool, about: str) -> None:
        """Tell that a law was asked."""
        self.teller.tell((key, is_held, about))

    def tell(self, claim: Claim) -> None:
        """Tell of a law that is broken."""
        self.teller.tell(claim.document(self.before))


def _finished(value: Any) -> Any:
    if hasattr(type(value), "__next__"):
        return list(itertools.islice(value, _MOST_ITEMS))
    return value


def called(node: ast.expr) -> ast.expr:
    """The call inside of `list(…)` and the like."""
    while (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1
        and isinstance(node.args[0], ast.Call)
    ):  # fmt: skip
        node = node.args[0]
    return node


def callee_of(asked: str) -> str:
    """What is called, as written."""
    call = called(ast.parse(asked, mode="eval").body)
    return ast.unparse(call.func) if isinstance(call, ast.Call) else "it"
