"""What is asked of a method again and again: once, where its answer cannot change meanwhile."""

from typing import Any

import pytest

from reverie.dreamers.optimise.patterns import catalogue
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Source
from reverie.syntax.nodes import Function

OVERDUE = """\
class Ledger:
    def __init__(self, rows: list[dict]) -> None:
        self.rows = rows
    def paid(self) -> {answer}:
        {asked}
        return [row["member"] for row in self.rows]
    def add(self, row: dict) -> None:
        self.rows.append(row)

def f(rows: list[dict], members: {members}, more: list) -> list[int]:
    ledger = Ledger(rows)
    out = []
    {before}
    for member in members:
        if {test}:
            continue
        out.append(member)
        {then}
    return out
"""
PLAIN = {
    "answer": "list[int]",
    "asked": "size = len(self.rows)",
    "members": "list[int]",
    "before": "pass",
    "test": "member in ledger.paid()",
    "then": "pass",
}


def proposed(**given: str) -> list[str]:
    (rewrite,) = [each for each in catalogue() if each.name == "steady_answer"]
    source = Source(OVERDUE.format(**PLAIN | given))
    function = source.tree.body[-1]
    assert isinstance(function, Function)
    applied = [source.applied(edits) for edits in rewrite.propose(Scene(source, function))]
    return [each for each in applied if each is not None]


def run(text: str, *args: Any) -> Any:
    space: dict[str, Any] = {}
    exec(text, space)  # noqa: S102  texts of this file
    try:
        return space["f"](*args)
    except Exception as error:  # noqa: BLE001  what it raises is its answer
        return type(error), error.args


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"test": "not member in ledger.paid()"},
        {"test": "member in ledger.paid() and member > 1"},
        {"then": "out.append(len(members))"},
        {"members": "list"},
        {"answer": "list"},
    ],
)
def test_it_is_asked_once_and_only_where_it_was(given: dict[str, str]) -> None:
    old = OVERDUE.format(**PLAIN | given)
    (new,) = proposed(**given)
    for rows in ([], [{"member": 1}, {"member": 3}], [{"member": [1]}, {"member": 2}], [{}]):
        for members in ([], [1, 2, 3, 1], [7]):
            assert run(new, rows, members, []) == run(old, rows, members, [])


@pytest.mark.parametrize(
    "given",
    [
        {"then": "ledger.add({'member': member})"},
        {"then": "rows.append({'member': member})"},
        {"then": "rows[0]['member'] = member"},
        {"then": "more.append(member)"},
        {"then": "more[0].change()"},
        {"then": "ledger = Ledger([])"},
        {"then": "ledger.rows = []"},
        {"before": "same = rows", "then": "same.append({'member': member})"},
        {"before": "add = rows.append", "then": "add({'member': member})"},
        {"asked": "print(self.rows)"},
        {"asked": "self.count = 1"},
        {"asked": "self.rows.sort(key=str)"},
        {"test": "member > 3 and member in ledger.paid()"},
        {"answer": "Iterator[int]"},
    ],
)
def test_it_is_asked_again_where_the_answer_may_be_another(given: dict[str, str]) -> None:
    assert proposed(**given) == []


def test_what_may_not_be_hashable_is_never_looked_for_in_a_set() -> None:
    (known,), (unknown,) = proposed(), proposed(members="list")
    assert "set(" in known
    assert "except TypeError" in known
    assert "set(" not in unknown
