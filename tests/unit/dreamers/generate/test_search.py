"""The search, on examples constructed so that one expression is right."""

from collections.abc import Callable
from typing import Any

import pytest

from reverie.dreamers.generate.inside import operations, search, trying


@pytest.fixture(scope="module")
def inside() -> dict[str, Any]:
    """What runs in the sandbox; here on nothing but our own expressions."""
    return {**vars(trying), **vars(search)}


def examples(function: Callable[..., Any], *calls: tuple[Any, ...]) -> list[dict[str, Any]]:
    return [{"args": list(args), "result": function(*args)} for args in calls]


def found(
    inside: dict[str, Any], shown: list[dict[str, Any]], words: str, cost: int = 3
) -> list[Any]:
    count = len(shown[0]["args"])
    names = ["one", "two", "three"][:count]
    answer = inside["_search"](names, shown, [0, 1, 2, ",", "-", ""], words.split(), cost, [10, 90])
    return [each["source"] for each in answer["solutions"] if each["strange"] == 0]


def test_a_method_is_found(inside: dict[str, Any]) -> None:
    shown = examples(lambda text: text[::-1], ("abc",), ("xy",), ("hello",))
    assert found(inside, shown, "reverse the text")[0] == "one[::-1]"


def test_two_parameters_are_combined(inside: dict[str, Any]) -> None:
    shown = examples(lambda a, b: a * b, (3, 4), (2, 7), (5, 5))
    assert found(inside, shown, "multiply both")[0] in ("one * two", "two * one")


def test_a_constant_comes_first_or_second(inside: dict[str, Any]) -> None:
    shown = examples(lambda words: "-".join(words), (["a", "b"],), (["x"],), (["p", "q", "r"],))
    assert found(inside, shown, "join with hyphens")[0] == "'-'.join(one)"


def test_a_comprehension_filters_and_maps(inside: dict[str, Any]) -> None:
    shown = examples(
        lambda values: [each * each for each in values if each % 2 == 0],
        ([1, 2, 3, 4],), ([6],), ([5, 7],), ([0, 9, 8],),
    )  # fmt: skip
    sources = found(inside, shown, "squares of the even numbers in the list")
    assert sources[0] == "[number * number for number in one if number % 2 == 0]"


def test_what_the_sentence_has_no_word_for_is_not_tried(inside: dict[str, Any]) -> None:
    shown = examples(lambda text: text[::-1], ("abc",), ("xy",), ("hello",))
    words = ["count", "the", "apples"]
    answer = inside["_search"](["one"], shown, [0, 1, 2, ",", "-", ""], words, 3, [2, 90])
    assert answer["solutions"] == []


def test_every_solution_gives_every_result(inside: dict[str, Any]) -> None:
    shown = examples(lambda a, b: max(a, b) - min(a, b), (3, 9), (8, 2), (5, 5), (-1, 4))
    answer = inside["_search"](["a", "b"], shown, [0, 1], ["difference"], 3, [10, 60])
    assert answer["solutions"]
    for each in answer["solutions"]:
        for example in shown:
            space = dict(zip(("a", "b"), example["args"], strict=True))
            assert eval(each["source"], {}, space) == example["result"]


def test_values_are_compared_with_their_types(inside: dict[str, Any]) -> None:
    same = inside["_same"]
    assert same([1, "a", {"k": None}], [1, "a", {"k": None}])
    assert same((1, 2), [1, 2])
    assert not same(1, True)
    assert not same(1, 1.0)
    assert not same([1], [1, 2])
    assert not same({"a": 1, "b": 2}, {"b": 2, "a": 1})


def test_a_branch_is_taken_only_when_a_condition_is_spoken_of(inside: dict[str, Any]) -> None:
    assert inside["_is_unasked"](["the", "sum"])
    assert not inside["_is_unasked"](["zero", "if", "empty"])


def test_a_search_ends_when_its_time_is_spent(inside: dict[str, Any]) -> None:
    shown = examples(lambda text: hash(text) % 1000003, ("abc",), ("xy",), ("hello",))
    answer = inside["_search"](["one"], shown, [0, 1, 2], ["number"], 9, [0.2, 60])
    assert answer["solutions"] == []


def test_a_recipe_is_tried_in_every_order_of_its_arguments(inside: dict[str, Any]) -> None:
    modules = {"m": "def minus(a, b):\n    return a - b\ndef loop(a, b):\n    while True: pass\n"}
    shown = [{"args": [1, 5], "result": 4}, {"args": [2, 9], "result": 7}]
    tried = inside["_try_recipes"](modules, [["m", "minus", 2], ["m", "loop", 2]], shown)
    assert tried == [{"number": 0, "order": [1, 0]}]


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("return a + 1", None),
        ("return a", "gives 1, not 2"),
        ("return 1 / 0", "raises ZeroDivisionError"),
    ],
)
def test_a_body_is_held_to_the_examples(
    inside: dict[str, Any], body: str, told: str | None
) -> None:
    wrong = inside["_try_source"](f"def f(a):\n    {body}\n", "f", [{"args": [1], "result": 2}])
    assert wrong is None if told is None else told in wrong


def test_laws_need_calls_on_which_they_tell_something(inside: dict[str, Any]) -> None:
    law = [["function(function(args[0])) == args[0]", "function(args[0]) != args[0]"]]
    reverse, same = "def f(a):\n    return a[::-1]\n", "def f(a):\n    return a\n"
    calls = [["ab"], ["xyz"], ["q"], ["pqr"], ["no"], [""]]
    assert inside["_observe"](reverse, "f", calls, law)["laws"] == [0]
    assert inside["_observe"](same, "f", calls, law)["laws"] == []


def test_what_is_seen_is_a_result_an_error_or_nothing(inside: dict[str, Any]) -> None:
    chance = "import random\ndef f(a):\n    if a == 0: return random.random()\n"
    source = f"{chance}    return 10 // (a - 1)\n"
    outcomes = inside["_observe"](source, "f", [[2], [1], [0], ["x"]], [])["outcomes"]
    assert outcomes[0] == {"result": 10, "type": "int", "spares": True}
    assert outcomes[1] == {"raises": "ZeroDivisionError"}
    assert outcomes[2:] == [None, None]


def test_a_mutant_is_noticed_by_another_result_type_or_error(inside: dict[str, Any]) -> None:
    seen = [
        {"args": [2], "result": 4, "type": "int", "raises": None},
        {"args": [0], "result": None, "type": None, "raises": "ValueError"},
    ]
    head = "def f(a):\n    if a == 0: raise ValueError\n    return "
    mutants = [f"{head}a * 2", f"{head}a * 3", f"{head}a * 2.0", "def f(a): return 4", "def f(:"]
    assert inside["_notice"](mutants, "f", seen, True) == [[], [0], [0], [1], [0, 1]]
    assert inside["_notice"](mutants[2:3], "f", seen, False) == [[]]


def test_what_may_be_none_is_looked_at(inside: dict[str, Any]) -> None:
    shown = examples(lambda a, b: b if a is None else a, ("x", "y"), (None, "y"), ("", "z"))
    sources = found(inside, shown, "the value, or a default where it is None")
    assert sources[0] == "two if one is None else one"


def test_three_parameters_are_combined(inside: dict[str, Any]) -> None:
    shown = examples(lambda a, b, c: [*a[:b], c, *a[b:]], ([1, 2], 1, 9), ([], 0, 4), ([5], 1, 5))
    assert found(inside, shown, "insert the item")[0] == "one[:two] + [three] + one[two:]"


def test_an_idiom_is_one_operation() -> None:
    source = "[rows[at : at + len(keys)] for at in range(0, len(rows), len(keys))]"
    chunks = "[{0}[at : at + {1}] for at in range(0, len({0}), {1})]"
    assert operations._marks(source) == [chunks, "len("]


def test_of_rows_none_is_the_largest(inside: dict[str, Any]) -> None:
    shown = examples(max, ([[1, 2], [3, 0]],), ([[5, 5], [4, 9]],), ([[0, 7]],))
    assert "max(one)" not in found(inside, shown, "the largest row")


def test_what_is_no_python_as_it_is_written_is_no_solution() -> None:
    shown = examples(lambda number: 4 + number, (1,), (2,), (5,))
    trying_them = search._Trying(["number"], shown)
    assert trying_them.holds("4 + number")
    assert not trying_them.holds("10.bit_length() + number")
    assert not trying_them.holds("10 .bit_length() * number")


def test_a_name_that_two_loops_bind_is_no_solution() -> None:
    shown = examples(lambda items: [len(items)] * len(items), ([1],), ([2, 3],))
    trying_them = search._Trying(["items"], shown)
    assert trying_them.holds("[len(items) for each in items]")
    assert not trying_them.holds("[len(items) for items in items]")


def test_a_condition_that_may_be_left_out_is_no_solution() -> None:
    shown = examples(lambda number: sum(map(int, str(number))), (1234,), (0,), (7,))
    trying_them = search._Trying(["number"], shown)
    idle = "sum(each for each in [int(digit) for digit in str(number)] if each != -number)"
    assert trying_them.has_idle_test(idle)
    filled = examples(lambda number: sum(each for each in range(number) if each > 2), (6,), (1,))
    trying_them = search._Trying(["number"], filled)
    assert not trying_them.has_idle_test("sum(each for each in range(number) if each > 2)")
