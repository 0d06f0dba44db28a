"""The library of recipes: every one typed, pure, shown by examples that hold."""

import ast
import doctest
import types

import pytest

from reverie.dreamers.generate.candidates import (
    closeness,
    name_words,
    recipe_modules,
    recipes,
    stems,
)

PURE = {
    "base64", "binascii", "bisect", "calendar", "collections", "csv", "datetime", "decimal",
    "fractions", "functools", "hashlib", "heapq", "html", "io", "ipaddress", "itertools", "json",
    "math", "operator", "re", "statistics", "string", "textwrap", "typing", "unicodedata",
    "urllib.parse",
}  # fmt: skip
FORBIDDEN = {"open", "exec", "eval", "input", "print", "__import__", "globals", "compile"}


def test_there_are_enough_and_no_two_share_a_name() -> None:
    names = [each.name for each in recipes()]
    assert len(names) >= 150
    assert len(names) == len(set(names))


@pytest.mark.parametrize("module", recipe_modules())
def test_what_a_recipe_shows_is_what_it_does(module: str) -> None:
    made = types.ModuleType(module)
    exec(compile(recipe_modules()[module], module, "exec"), made.__dict__)
    tests = doctest.DocTestFinder(exclude_empty=False).find(made, module)
    results = [doctest.DocTestRunner().run(each, out=lambda text: None) for each in tests]
    assert sum(each.failed for each in results) == 0
    assert sum(each.attempted for each in results) >= len(results) - 1


@pytest.mark.parametrize("module", recipe_modules())
def test_recipes_reach_nothing_outside(module: str) -> None:
    tree = ast.parse(recipe_modules()[module])
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            assert {each.name for each in node.names} <= PURE
        elif isinstance(node, ast.ImportFrom):
            assert node.module in PURE
        elif isinstance(node, ast.Name):
            assert node.id not in FORBIDDEN
        assert not isinstance(node, ast.Global | ast.Nonlocal)


@pytest.mark.parametrize("module", recipe_modules())
def test_recipes_are_typed_and_plain(module: str) -> None:
    for node in ast.parse(recipe_modules()[module]).body:
        if isinstance(node, ast.FunctionDef):
            assert node.returns is not None, node.name
            assert all(each.annotation for each in node.args.args), node.name
            assert not node.args.vararg, node.name
            assert not node.args.kwarg, node.name
            assert not node.args.kwonlyargs, node.name


def test_examples_are_read_from_docstrings_also_several_at_once() -> None:
    known = {each.name: each for each in recipes()}
    assert known["remove_duplicates"].examples == ((([3, 1, 3, 2, 1],), [3, 1, 2]),)
    assert known["has_duplicates"].examples == ((([1, 2, 1],), True), (([1, 2],), False))


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("Check if a number is prime", "is_prime"),
        ("Calculate the average of a list of numbers", "average"),
        ("Reverse a string", "reverse_text"),
        ("Levenshtein distance between two texts", "edit_distance"),
    ],
)
def test_the_recipe_that_a_sentence_names_is_the_closest(sentence: str, name: str) -> None:
    assert max(recipes(), key=lambda each: closeness(each, sentence.split())).name == name


def test_closeness_is_a_share() -> None:
    shares = [closeness(each, ["prime", "zebra"]) for each in recipes()]
    assert all(0 <= each <= 1 for each in shares)
    assert closeness(recipes()[0], []) == 0.0


def test_stems_bring_forms_of_a_word_together() -> None:
    assert len({next(iter(stems(word))) for word in ("sorts", "sorted", "sorting", "sort")}) == 1
    assert list(stems("a and the".replace("the", ""))) == []


def test_names_of_things_say_nothing_about_what_is_done() -> None:
    assert "median" in name_words()
    assert "text" not in name_words()
