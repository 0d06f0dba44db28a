import random

import pytest

from reverie.instruments.benchmark.growing import growing_calls
from reverie.trials.receivers import filled_calls

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
