"""Doubt about expressions that fit: what nobody would write, and what the sentence orders by."""

import pytest

from reverie.dreamers.generate import read_spec
from reverie.dreamers.generate.candidates import Candidate, Origin, recipes, speaks_of
from reverie.dreamers.generate.choosing import _is_absurd, _is_silent, keeps_fallback
from reverie.sandbox.engine import Sandbox


@pytest.mark.parametrize(
    "body",
    ["[a in a]", "[c for c in a if (c in b) in list(b.values())]", "n + (n > 0)",
     "(x or y) * 2"],
)  # fmt: skip
def test_a_truth_value_is_not_reckoned_with(body: str) -> None:
    assert _is_absurd(f"def f(a, b, c, n, x, y):\n    return {body}\n")


@pytest.mark.parametrize(
    "body",
    ["sum(x > 0 for x in a)", "(a % 2 == 0) == (b % 2 == 0)", "a in b and c in b", "not a in b"],
)
def test_what_people_write_is_no_absurdity(body: str) -> None:
    assert not _is_absurd(f"def f(a, b, c):\n    return {body}\n")


@pytest.mark.parametrize(
    ("sentence", "expression", "silent"),
    [
        ("Sort the names by length.", "sorted(names, key=len)", False),
        (
            "Sort the names by length, and names of the same length by the alphabet.",
            "sorted(names, key=len)",
            True,
        ),
        ("Sort the names by length, ties in reverse.", "sorted(names, key=len)", True),
        ("The most frequent names.", "list(dict.fromkeys(names))", True),
        ("The names, without the empty ones.", "names[0].replace(',', ' ').splitlines()", True),
        ("The names, without the empty ones.", "[n for n in names if not n == '']", False),
        ("The first of the non-empty list.", "names[0]", False),
        ("The names that occur often.", "[n for n in names if names.count(n) > 1]", False),
    ],
)
def test_an_order_of_two_things_is_no_order_of_one(
    sentence: str, expression: str, silent: bool
) -> None:
    spec = read_spec({"sentence": sentence, "signature": "def f(names: list[str]) -> list[str]"})
    source = f"def f(names):\n    return {expression}\n"
    assert _is_silent(spec, Candidate("f", source, Origin.SYNTHESIS, expression)) is silent


@pytest.mark.parametrize(
    ("expression", "silent"), [("text.upper()", True), ("' '.join(text.upper().split())", False)]
)
def test_words_of_a_text_have_to_be_looked_for(expression: str, silent: bool) -> None:
    shown = [{"args": ["a b"], "result": "A B"}]
    spec = read_spec({"sentence": "Put the words in capitals.", "examples": shown})
    source = f"def f(text):\n    return {expression}\n"
    assert _is_silent(spec, Candidate("f", source, Origin.SYNTHESIS, expression)) is silent


@pytest.mark.parametrize(
    ("sentence", "body", "kept"),
    [
        ("The largest number, or 0 when the list is empty.", "max(xs)", False),
        ("The largest number, or 0 when the list is empty.", "max(xs, default=0)", True),
        ("The largest number; zero if there is no number.", "max(xs, default=0)", True),
        ("The largest number, or -1 when none is even.", "max(xs)", False),
        ("The largest number.", "max(xs)", True),
        ("The largest number, or 5 when it is larger.", "min(max(xs), 5)", True),
    ],
)
def test_what_is_said_of_the_odd_case_is_shown_or_tried(
    sentence: str, body: str, kept: bool
) -> None:
    examples = [{"args": [[1, 2]], "result": 2}, {"args": [[5]], "result": 5}]
    signature = "def f(xs: list[int]) -> int"
    spec = read_spec({"sentence": sentence, "signature": signature, "examples": examples})
    made = Candidate("f", f"def f(xs):\n    return {body}\n", Origin.SYNTHESIS, body)
    with Sandbox() as sandbox:
        assert keeps_fallback(sandbox, spec, made) is kept


@pytest.mark.parametrize(
    ("sentence", "recipe", "is_meant"),
    [
        ("the number of days in a row on which bees flew", "best_non_adjacent_sum", False),
        ("the number of days in a row on which bees flew", "longest_true_run", True),
        ("the list of the values that it is given", "difference", False),
        ("names on the first list that are missing from the second", "difference", True),
    ],
)
def test_a_recipe_is_meant_by_words_that_stand_for_something(
    sentence: str, recipe: str, is_meant: bool
) -> None:
    (known,) = [each for each in recipes() if each.name == recipe]
    assert speaks_of(sentence.split(), known.words) is is_meant
