import ast
from dataclasses import replace

from tests.unit.dreamers.enrich.writing.scenarios import NOTHING, call, make, scenario, value

from reverie.dreamers.enrich.writing.selecting.candidates import Names, candidates_of
from reverie.dreamers.enrich.writing.selecting.choosing import Reader, offers_of
from reverie.dreamers.enrich.writing.selecting.manual import manual_of

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
