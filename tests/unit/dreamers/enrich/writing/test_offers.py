import ast
from dataclasses import replace

import pytest
from tests.unit.dreamers.enrich.writing.scenarios import NOTHING, call, error, make, scenario, value

from reverie.dreamers.enrich.writing.selecting.candidates import Names, candidates_of
from reverie.dreamers.enrich.writing.selecting.choosing import Reader, offers_of
from reverie.dreamers.enrich.writing.selecting.manual import manual_of
from reverie.instruments.mutation.matrix import KillMatrix
from reverie.model.call import Seen, Step

NAMES = Names(frozenset({"Cache", "f"}))
READER = Reader(manual_of(ast.parse("def f(): ...")))


def test_only_a_check_at_the_end_claims_the_whole_way() -> None:
    steps = scenario(
        (make("Cache(1)", "cache"), value("Cache(1)", "pkg.Cache")),
        (call("cache.get(1)", "Cache.get"), value("2", "builtins.int")),
        (call("cache.get(2)", "Cache.get"), value("3", "builtins.int")),
    )
    candidates = candidates_of([replace(steps, arcs=frozenset({(1, 2), (2, 3)}))], NAMES, ())
    claimed = {offer.number: offer.steps & 3 for offer in offers_of(candidates, None, READER)}
    last = max(claimed)
    assert claimed[last] == 3
    assert all(not steps for number, steps in claimed.items() if number != last)


def test_that_a_procedure_came_to_its_end_costs_more_than_what_it_did() -> None:
    procedure = scenario((call("f(1)"), NOTHING))
    told = scenario((call("f(2)"), value("7", "builtins.int")))
    candidates = candidates_of([procedure, told], NAMES, ())
    nothing, something = sorted(
        offers_of(candidates, None, READER), key=lambda offer: offer.candidate
    )
    assert nothing.oddness > something.oddness + 0.5


def test_that_an_inner_procedure_came_to_its_end_costs_more_still() -> None:
    outer = scenario((call("f(1)"), NOTHING))
    inner = scenario((replace(call("f(2)"), callee="_fill"), NOTHING))
    known, hidden = offers_of(candidates_of([outer, inner], NAMES, ()), None, READER)
    assert hidden.oddness > known.oddness + 2


def _typical(*steps: tuple[Step, Seen]) -> bool:
    candidates = candidates_of([scenario(*steps)], NAMES, ())
    numbers = frozenset(number for each in candidates for number in each.numbers)
    kills = {number: frozenset({1}) for number in numbers}
    matrix = KillMatrix(numbers, kills, (frozenset(),) * len(candidates), frozenset({1}), 1)
    return any(offer.is_typical for offer in offers_of(candidates, matrix, READER))


@pytest.mark.parametrize(
    ("line", "seen", "expected"),
    [
        ("f('one two')", value("'One, T.'"), True),
        ("f('one two')", value("''"), False),
        ("f('one two')", value("0", "builtins.int"), False),
        ("f('one two')", error("ValueError", "not a name"), False),
    ],
)
def test_typical_is_what_something_comes_of(line: str, seen: Seen, expected: bool) -> None:
    assert _typical((call(line), seen)) is expected


def test_nothing_private_has_a_typical_use() -> None:
    assert not _typical((replace(call("f('one two')"), callee="_f"), value("'One, T.'")))
