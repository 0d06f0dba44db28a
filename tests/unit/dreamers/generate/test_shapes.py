"""Loops whose holes are looked up: the loop is found, and gives every result."""

import collections
import itertools
from collections.abc import Callable
from typing import Any

import pytest

from reverie.dreamers.generate.inside.search import _search

CONSTANTS = [0, 1, 2, 10, "", " ", ",", "-"]


def bodies(
    function: Callable[..., Any], calls: list[tuple[Any, ...]], words: str, cost: int = 1
) -> list[str]:
    shown = [{"args": list(args), "result": function(*args)} for args in calls]
    names = ["one", "two"][: len(calls[0])]
    answer = _search(names, shown, CONSTANTS, words.split(), cost, (10.0, 90.0))
    sources = [each["source"] for each in answer["solutions"]]
    for each in sources:
        for example in shown:
            assert run(each, names, example["args"]) == example["result"], each
    return sources


def run(source: str, names: list[str], args: list[Any]) -> Any:
    body = source if "\n" in source else f"return {source}"
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    space: dict[str, Any] = {"collections": collections}
    exec(f"def made({', '.join(names)}):\n{lines}", space)
    return space["made"](*args)


def grouped(words: list[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for word in words:
        found.setdefault(word[0], []).append(word)
    return found


@pytest.mark.parametrize(
    ("function", "calls", "words", "wanted"),
    [
        (
            lambda rows: [row[1] for row in rows],
            [([[1, 5], [2, 6]],), ([[3, 9]],), ([[5, 7], [4, 8]],)],
            "the second of every row",
            "[row[1] for row in one]",
        ),
        (
            lambda words: sorted(words, key=lambda word: word[-1]),
            [(["ab", "ca", "dd"],), (["xz", "ya"],), (["pq", "rb", "sa"],)],
            "sort by the last letter",
            "sorted(one, key=lambda word: word[-1])",
        ),
        (
            lambda stock: [key for key, value in stock.items() if value > 2],
            [({"a": 3, "b": 1},), ({"c": 2, "d": 5, "e": 9},), ({"f": 0},)],
            "the keys of what is greater",
            "[key for key, value in one.items() if value > 2]",
        ),
        (
            lambda words: {word: len(word) for word in words},
            [(["a", "bcd"],), (["ef"],), (["ghij", "k"],)],
            "the length of each word",
            "{word: len(word) for word in one}",
        ),
        (
            lambda stock: max(stock, key=lambda key: stock[key]),
            [({"a": 3, "b": 1},), ({"c": 2, "d": 5, "e": 4},), ({"f": 0},)],
            "the key of the largest",
            "max(one, key=lambda key: one[key])",
        ),
        (
            lambda items, limit: next((item for item in items if item > limit), None),
            [([1, 5, 7], 4), ([9, 2], 3), ([1], 6), ([3, 8, 4], 3)],
            "the first that is greater or none",
            "next((number for number in one if number > two), None)",
        ),
        (
            lambda items: all(two > one for one, two in itertools.pairwise(items)),
            [([1, 2, 5],), ([3, 1],), ([2, 2],), ([4, 9],), ([1, 5, 3, 7],), ([5, 6, 7],)],
            "whether all neighbours are greater than the one before",
            "all(two > one_ for one_, two in zip(one, one[1:]))",
        ),
    ],
)
def test_the_loop_is_found(
    function: Callable[..., Any], calls: list[tuple[Any, ...]], words: str, wanted: str
) -> None:
    assert wanted in bodies(function, calls, words)


def test_items_are_grouped_by_a_key() -> None:
    calls = [(["ab", "ac", "d"],), (["x"],), (["ef", "gh", "ei"],)]
    wanted = "found = {}\nfor word in one:\n    found.setdefault(word[0], []).append(word)"
    made = bodies(grouped, calls, "group the words by their first letter")
    assert f"{wanted}\nreturn found" in made


def test_two_cases_are_tried_where_the_sentence_speaks_of_them() -> None:
    def halved(numbers: list[int]) -> list[int]:
        return [number // 2 if number % 2 == 0 else number + 1 for number in numbers]

    calls = [([1, 2, 3, 4],), ([10, 7],), ([8, 5, 9],)]
    said = "half of each even number, one added to it {} it is odd"
    wanted = "[number // 2 if number % 2 == 0 else number + 1 for number in one]"
    assert wanted in bodies(halved, calls, said.format("if"))
    assert wanted not in bodies(halved, calls, said.format("as"))


def test_a_test_that_keeps_everything_is_not_tried() -> None:
    calls = [(1234,), (7,), (999,)]
    said = "the sum of the digits of the number without its sign"
    made = bodies(lambda number: sum(map(int, str(number))), calls, said, cost=2)
    assert made
    assert not [each for each in made if " if " in each]
