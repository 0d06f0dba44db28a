import contextlib
import random

import pytest

from reverie.instruments.benchmark.growing import growing_calls, possible_calls
from reverie.trials.more_calls import filled_calls

CODE = """from dataclasses import dataclass

@dataclass
class Item:
    name: str
    cents: int
    tags: tuple[str, ...] = ()

class Cart:
    def __init__(self) -> None:
        self._items: list[Item] = []

    def add(self, item: Item) -> None:
        self._items.append(item)

    def total(self) -> int:
        return sum(item.cents for item in self._items)

def join(items: list[Item], text: str, counts: dict[str, int], *, pairs: list[tuple[int, str]]):
    return len(items), len(text.split()), len(pairs)

def unknown(a, b: int):
    return a
"""


def namespace() -> dict[str, object]:
    found: dict[str, object] = {"__name__": "subject"}
    exec(compile(CODE, "subject", "exec"), found)  # noqa: S102  our own
    return found


@pytest.mark.parametrize("n", [5, 50])
def test_arguments_grow_with_n(n: int) -> None:
    found = namespace()
    calls = growing_calls(CODE, "join")
    assert len(calls) == 2
    for call in calls:
        given = {**found, "_given": found["join"], "n": n, "random": random.Random(1)}
        assert eval(call, given) == (n, n, n)


def test_what_is_not_annotated_has_none() -> None:
    assert growing_calls(CODE, "unknown") == ()


def test_methods_are_called_on_what_others_have_filled() -> None:
    found = namespace()
    calls = filled_calls(CODE, "Cart.total", 1)
    totals = {eval(call.render("Cart.total"), dict(found)) for call in calls}
    assert len(calls) > 10
    assert len(totals) > 5
    assert calls == filled_calls(CODE, "Cart.total", 1)


KINDS = """import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Literal, NamedTuple, NewType, Optional, TypeAlias, TypedDict, Union

Graph = dict[str, list[str]]
Edge: TypeAlias = "tuple[int, int]"
Sku = NewType("Sku", str)
Matrix = list[list[float]]
LINE = re.compile(r"[a-z]+ = [0-9]+")

class State(Enum):
    NEW = 1
    OLD = 2

class Booking(NamedTuple):
    sku: Sku
    start: datetime
    end: datetime
    state: State

class Row(TypedDict):
    day: date
    price: Decimal

@dataclass
class Ledger:
    rows: list[Row] = field(default_factory=list)

    def total(self) -> int:
        return len(self.rows)

class Stock:
    def __init__(self) -> None:
        self._counts: list[int] = []

    def receive(self, count: int) -> None:
        self._counts.append(count)

    def size(self, least: int) -> int:
        return len(self._counts)

def reach(graph: Graph, start: str) -> int:
    seen, left = set(), [*graph[start]]
    while left:
        node = left.pop()
        if node not in seen:
            seen.add(node)
            left += graph[node]
    return len(graph)

def spans(edges: list[Edge]) -> int:
    if any(low > high for low, high in edges):
        raise ValueError
    return len(edges)

def bookings(found: "list[Booking]", key: Callable[[Booking], int], most: Optional[int]) -> int:
    if any(each.start > each.end for each in found):
        raise ValueError
    return len([key(each) for each in found])

def side(rows: Union[list[Row], None], mode: Literal["a", "b"]) -> int:
    assert mode in "ab"
    return len([row["price"] / 2 for row in rows if row["day"].year])

def square(left: Matrix, right: Matrix) -> int:
    if {len(left)} != {len(row) for row in (*left, *right)}:
        raise ValueError
    return len(left) ** 2

def lines(text: str) -> int:
    if not all(LINE.fullmatch(line) for line in text.splitlines()):
        raise ValueError
    return len(text.splitlines())

def brackets(text: str) -> int:
    if any(sign not in "()[]" for sign in text):
        raise ValueError
    return len(text)

def ascending(values: list[int]) -> int:
    \"\"\"How many there are; values must be sorted in ascending order.\"\"\"
    if values != sorted(values):
        raise ValueError
    return len(values)

def audited(ledger: Ledger, most: int) -> int:
    return len(ledger.rows)

def upto(limit: int) -> int:
    return limit

def bare(items, limit):
    return len([each for each in items if each in items[:limit]]) and len(items)
"""


def sizes_taken(source: str, name: str, n: int, tests: tuple[str, ...] = ()) -> list[int]:
    """What the callable gives for each of the ways that it takes."""
    found: dict[str, object] = {"__name__": "subject"}
    exec(compile(source, "subject", "exec"), found)  # noqa: S102  our own
    owner, _, attribute = name.rpartition(".")
    called = getattr(found[owner], attribute) if owner else found[attribute]
    taken = []
    for call in possible_calls(source, name, tests):
        given = {**found, "_given": called, "n": n, "random": random.Random(n)}
        with contextlib.suppress(ValueError, LookupError):
            taken.append(eval(call, given))
    return taken


@pytest.mark.parametrize(
    "name",
    ["reach", "spans", "bookings", "side", "square", "lines", "brackets", "ascending", "upto",
     "audited", "bare", "Ledger.total", "Stock.size"],
)  # fmt: skip
def test_something_that_the_callable_takes_grows_with_n(name: str) -> None:
    small, large = (sizes_taken(KINDS, name, n) for n in (16, 160))
    assert small
    assert max(large) > 3 * max(small)


def test_all_of_a_graph_hangs_together() -> None:
    assert 160 in sizes_taken(KINDS, "reach", 160)


def test_calls_of_tests_grow_with_parts_that_differ() -> None:
    source = """def names(rows, key):
    if any(list(row) != ["id"] for row in rows):
        raise KeyError
    return len({row[key] for row in rows})
"""
    rows = "[{'id': 1}, {'id': 2}]"
    plain = f"from subject import names\ndef test_it():\n    assert names({rows}, 'id') == 2\n"
    table = f"""import pytest
@pytest.mark.parametrize(("rows", "count"), [({rows}, 2)])
def test_it(rows, count):
    assert names(rows, "id") == count
"""
    for test in (plain, table):
        assert max(sizes_taken(source, "names", 160, (test,))) > 75
    assert sizes_taken(source, "names", 160) in ([], [0])


def test_texts_of_tests_are_repeated_whole() -> None:
    source = """def parse(text):
    return len({line.split(" = ")[0] for line in text.splitlines() if int(line.split("=")[1])})
"""
    test = "def test_it():\n    assert parse('ab = 11\\ncd = 12') == 2\n"
    assert max(sizes_taken(source, "parse", 160, (test,))) > 75


def test_a_test_that_is_no_python_is_passed_over() -> None:
    assert possible_calls("def f(x, *y): ...", "f", ("def test_f(: f([1])",)) == ()


def test_classes_of_imported_modules_are_known() -> None:
    models = """from dataclasses import dataclass
@dataclass
class Thing:
    name: str
@dataclass
class Item(Thing):
    cents: int
"""
    source = "from models import Item\ndef total(items: list[Item]) -> int: ..."
    assert possible_calls(source, "total") == ()
    (call, *_) = possible_calls(source, "total", (), (models,))
    given = {"n": 7, "random": random.Random(1), "Item": lambda name, cents: (name, cents)}
    made = eval(call, {**given, "_given": list})
    assert [(type(name), type(cents)) for name, cents in made] == [(str, int)] * 7


def test_classes_of_an_imported_module_are_made_by_their_fields() -> None:
    source = (
        "from shop.log import Entry\n\n\ndef count(entries: list[Entry]) -> int:\n    return 0\n"
    )
    log = (
        "from dataclasses import dataclass\n\n\n"
        "@dataclass\nclass Entry:\n    place: str\n    lines: int\n"
    )
    assert growing_calls(source, "count") == ()
    (first, *_) = growing_calls(source, "count", [log])
    assert "Entry(" in first
    assert "range(n)" in first
