"""Room for answers: estimated before they are parsed, taken once, given back."""

import json
import sys
from typing import Any

import pytest

from reverie.sandbox.observation import Ledger, memory_of


def size_of(value: Any) -> int:
    """What a parsed document takes, objects that the interpreter shares not counted."""
    if isinstance(value, dict):
        inner = sum(size_of(key) + size_of(item) for key, item in value.items())
        return sys.getsizeof(value) + inner
    if isinstance(value, list):
        return sys.getsizeof(value) + sum(map(size_of, value))
    return sys.getsizeof(value)


@pytest.mark.parametrize(
    "value",
    [
        [[] for _ in range(5000)],
        [{} for _ in range(5000)],
        [{"a": number} for number in range(5000)],
        [str(number) for number in range(5000)],
        [number * 1.5 for number in range(5000)],
        [[[number]] for number in range(5000)],
        "x" * 50_000,
    ],
    ids=["lists", "dicts", "pairs", "texts", "floats", "nested", "text"],
)
def test_the_estimate_is_not_much_less_than_the_truth(value: Any) -> None:
    parsed = json.loads(body := json.dumps(value, separators=(",", ":")))
    assert memory_of(body.encode()) > 0.75 * size_of(parsed)


@pytest.mark.parametrize("unit", ["[]", "{}", "0", '""', '{"":0}', "[[[]]]"])
def test_one_answer_of_the_largest_size_always_fits(unit: str) -> None:
    body = f"[{','.join([unit] * 20_000)}]".encode()
    assert Ledger(len(body)).take(memory_of(body))


def test_what_does_not_fit_is_not_taken() -> None:
    ledger = Ledger(1)
    assert ledger.take(60)
    assert not ledger.take(5)
    assert ledger.take(4)
    ledger.give_back(60)
    assert ledger.take(60)
