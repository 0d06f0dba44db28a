import random
from types import ModuleType
from typing import Any

import pytest

from reverie.dreamers.enrich.naturalising.inside.naturalising import Offering
from reverie.dreamers.enrich.naturalising.inside.pool import Pool
from reverie.dreamers.enrich.search.inside.kinds import Kinds
from reverie.dreamers.enrich.search.inside.making import Describer, Maker
from reverie.dreamers.enrich.search.inside.nodes import Line, Reader, render, tidy
from reverie.dreamers.enrich.search.inside.surface import Surface

SOURCE = """
class Waiting:
    def reserve(self, isbn: str, reader: str) -> int:
        return 1

def fine(lent_on, is_child: bool = False) -> int:
    return 0

def cite(names: "list[str]") -> str:
    return ""
"""
KNOWN: dict[str, Any] = {
    "roles": [
        ["reserve", "isbn", ["'9780306406157'"]],
        ["reserve", "reader", ["'card-17'", "'card-23'"]],
        ["fine", "lent_on", ["datetime.date(2024, 2, 1)"]],
        ["cite", "names", ["['Ada Lovelace', 'Plato']"]],
    ],
    "texts": [],
    "numbers": [28],
    "tokens": [],
}


@pytest.fixture(scope="module")
def surface() -> Surface:
    module = ModuleType("lendery")
    exec(SOURCE, vars(module))  # noqa: S102
    for each in ("Waiting", "fine", "cite"):
        vars(module)[each].__module__ = "lendery"
    return Surface(module, {"Waiting", "fine", "cite"}, set())


def _lines(surface: Surface, *sources: str) -> list[Line]:
    reader = Reader()
    for each in sources:
        assert reader.read(each)
    chance = random.Random(1)
    describer = Describer(surface, Maker(surface, Kinds(chance), chance))
    return [describer.describe(line) for line in reader.lines]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Waiting().reserve('9780306406157', 'card-23')", []),
        ("Waiting().reserve('0 0x,y', 'card-18')", ["'0 0x,y'"]),
        ("fine(datetime.date(2024, 3, 1))", []),
        ("fine(datetime.date(12, 3, 1))", ["datetime.date((12), (3), (1))"]),
        ("fine(datetime.datetime(2024, 3, 1))", ["datetime.datetime((2024), (3), (1))"]),
        ("fine(5)", ["5"]),
        ("cite(['Plato', 'x,y'])", ["['Plato', 'x,y']", "'x,y'"]),
    ],
)
def test_odd_values_are_told_with_their_place(
    surface: Surface, source: str, expected: list[str]
) -> None:
    lines = _lines(surface, source)
    assert [each.text for each in Pool(KNOWN).oddities(lines)] == expected


def test_a_known_day_is_moved_by_the_days_that_the_code_knows() -> None:
    texts = {tidy(render(each, {})) for each in Pool(KNOWN).edits(("fine", "lent_on"))}
    assert {"datetime.date(2024, 2, 29)", "datetime.date(2024, 3, 1)"} <= texts


def test_an_item_of_a_known_list_is_known(surface: Surface) -> None:
    values = Pool(KNOWN).values(("cite", "names[]"))
    assert [each.value for each in values[:2]] == ["Ada Lovelace", "Plato"]


def test_calls_begin_with_typical_use_and_change_one_thing_at_a_time(surface: Surface) -> None:
    offering = Offering(surface, Pool(KNOWN), random.Random(1))
    reserve = next(each for each in surface.targets if each.key == "Waiting.reserve")
    tries = [[tidy(render(line.node, {0: "waiting"})) for line in lines]
             for lines in offering.of(reserve)]  # fmt: skip
    assert tries[0] == ["Waiting()", "waiting.reserve('9780306406157', 'card-17')"]
    assert "waiting.reserve('9780306406157', 'card-23')" in [each[-1] for each in tries]


def test_an_object_is_called_again_after_something_was_done_to_it(surface: Surface) -> None:
    offering = Offering(surface, Pool(KNOWN), random.Random(1))
    reserve = next(each for each in surface.targets if each.key == "Waiting.reserve")
    stories = [
        [tidy(render(line.node, {0: "waiting"})) for line in lines[1:]]
        for lines in offering.of(reserve)
    ]
    once = "waiting.reserve('9780306406157', 'card-17')"
    assert [once, once] in stories
    assert ["waiting.reserve('9780306406157', 'card-23')", once] in stories


def test_an_object_given_to_its_own_method_is_odd(surface: Surface) -> None:
    lines = _lines(surface, "waiting = Waiting()", "waiting.reserve(waiting, 'card-17')")
    assert [each.role for each in Pool(KNOWN).oddities(lines)] == [("reserve", "isbn")]


def test_a_flag_is_given_by_name(surface: Surface) -> None:
    offering = Offering(surface, Pool(KNOWN), random.Random(1))
    fine = next(each for each in surface.targets if each.key == "fine")
    tries = [tidy(render(lines[-1].node, {})) for lines in offering.of(fine)]
    assert "fine(datetime.date(2024, 2, 1), is_child=True)" in tries
