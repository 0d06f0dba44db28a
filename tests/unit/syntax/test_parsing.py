"""Shared trees and fresh ones, and that only `syntax` parses."""

import ast
from pathlib import Path

import pytest

import reverie
from reverie.syntax import parsing
from reverie.syntax.parsing import (
    fresh_expression,
    fresh_module,
    parse_expression,
    parse_module,
    parse_quietly,
)

LONG = "\n".join(f"name_{number} = {number}" for number in range(100)) + "\n"
BELOW = {"model"}
"""Rooms that may not import `syntax`."""


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing, "_kept", {})


@pytest.mark.parametrize("text", ["a = 1\n", LONG])
def test_readers_of_one_text_share_its_tree(text: str) -> None:
    assert parse_module(text) is parse_module(text)
    assert parse_quietly(text) is parse_module(text)
    assert ast.dump(parse_module(text)) == ast.dump(ast.parse(text))


def test_a_fresh_tree_is_nobody_elses() -> None:
    shared = parse_module(LONG)
    assert fresh_module(LONG) is not fresh_module(LONG)
    fresh_module(LONG).body.clear()
    assert parse_module(LONG) is shared
    assert len(shared.body) == 100
    assert fresh_expression("a + b") is not parse_expression("a + b")


def test_an_expression_is_without_its_wrapper() -> None:
    assert isinstance(parse_expression("a + b"), ast.BinOp)
    assert parse_expression("a + b") is parse_expression("a + b")
    long = " + ".join(["a"] * 400)
    assert ast.dump(parse_expression(long)) == ast.dump(fresh_expression(long))


@pytest.mark.parametrize("text", ["a =", "a\0", f"{LONG}(", "x = " + "(" * 500])
def test_what_is_no_python_raises_what_python_raises_every_time(text: str) -> None:
    with pytest.raises(parsing.NOT_PYTHON) as wanted:
        ast.parse(text)
    for _ in range(2):
        with pytest.raises(wanted.type):
            parse_module(text)


def test_a_text_that_python_warns_of_is_read_quietly() -> None:
    assert len(parse_quietly(r"found = '\d'").body) == 1


def test_what_was_not_asked_for_the_longest_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing, "_MOST_CHARACTERS", 3 * len(LONG) + 10)
    first, second, third, fourth = (f"{LONG}{number}\n" for number in range(4))
    kept = {text: parse_module(text) for text in (first, second, third)}
    assert parse_module(first) is kept[first]
    parse_module(fourth)
    assert list(parsing._kept) == [third, first, fourth]
    assert parse_module(second) is not kept[second]


def test_the_last_text_is_kept_however_long_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing, "_MOST_CHARACTERS", len(LONG) - 1)
    before = parse_module(LONG)
    assert parse_module(LONG) is before
    parse_module(LONG + "b = 2\n")
    assert parse_module(LONG) is not before


def test_nobody_else_parses() -> None:
    """Code for the sandbox cannot import the house, and the model is below this room."""
    root = Path(reverie.__file__).parent
    found = [
        str(path.relative_to(root))
        for path in sorted(root.rglob("*.py"))
        if "ast.parse(" in path.read_text("utf-8")
        and not {"inside", "inside.py", "recipes", *BELOW} & {*path.relative_to(root).parts}
    ]
    assert found == ["syntax/parsing.py"]


def test_another_threads_tree_does_not_disturb_a_parse(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python 3.11 may say so of a text that is fine, once."""
    answers: list[Exception | ast.Module] = [SystemError("depth mismatch"), ast.Module([], [])]

    def parse(text: str) -> ast.Module:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(ast, "parse", parse)
    assert fresh_module("a = 1\n").body == []
