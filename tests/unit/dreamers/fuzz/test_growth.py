"""What multiplies with the size of the input is told; what merely grows is not."""

import itertools
import re
from collections.abc import Callable

import pytest

from reverie.dreamers.fuzz.claims.subjects import measured_callables, read_module
from reverie.dreamers.fuzz.findings import Grown
from reverie.dreamers.fuzz.inside.prelude import extent, is_steep, lines_of

ADDED, DOUBLED = [8, 12, 16], [8, 16, 32]


def fib(n: int) -> int:
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def triples(n: int) -> int:
    found = 0
    for one in range(n):
        for two in range(n):
            for three in range(n):
                found += one < two < three
    return found


def pairs(n: int) -> int:
    found = 0
    for one in range(n):
        for two in range(n):
            found += one < two
    return found


def subsets(n: int) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    for size in range(n + 1):
        found.extend(itertools.combinations(range(n), size))
    return found


@pytest.mark.parametrize(
    ("call", "sizes", "expected"),
    [
        (fib, ADDED, True),
        (triples, DOUBLED, True),
        (triples, ADDED, False),
        (pairs, DOUBLED, False),
        (subsets, ADDED, False),
        (lambda n: sorted(range(n)), DOUBLED, False),
    ],
)
def test_only_powers_from_the_third_and_exponentials_are_steep(
    call: Callable[[int], object], sizes: list[int], expected: bool
) -> None:
    costs = [lines_of(lambda n=n: call(n)) for n in sizes]
    assert is_steep(sizes, costs, 500.0) is expected


def test_lines_are_counted_up_to_a_bound_and_the_same_each_time() -> None:
    assert lines_of(lambda: pairs(20)) == lines_of(lambda: pairs(20))
    assert lines_of(lambda: triples(60), most=1000) == 1001


def test_the_extent_of_a_result_counts_items_of_items() -> None:
    assert extent([[1, 2], [3]]) == 4
    assert extent("abc") == 4
    assert extent(10**9) == 1


@pytest.mark.parametrize(
    ("doc", "is_measured"),
    [("All the words.", True), ("Cubic in n.", False), ("Takes O(2^n) time.", False)],
)
def test_a_cost_that_is_told_is_no_finding(doc: str, is_measured: bool) -> None:
    reading = read_module(f'def f(n):\n    """{doc}"""\n    return n\n')
    assert bool(measured_callables("f", reading)) is is_measured


@pytest.mark.parametrize(
    "claim",
    [
        {
            "growth": "f",
            "call": "f(1); g()",
            "sizes": [8],
            "costs": [1],
            "measure": "lines",
        },
        {"growth": "f", "call": "f(size)", "sizes": ["8"], "costs": [1], "measure": "lines"},
        {"growth": "f", "call": "f(size)", "sizes": [8], "costs": [1], "measure": "money"},
        {"growth": 3},
        re,
    ],
)
def test_a_claim_of_another_shape_is_not_read(claim: object) -> None:
    assert Grown.read(claim) is None
