"""Source with holes fits what it should, and what takes its place says what is meant."""

import ast

import pytest

from reverie.errors import UsageError
from reverie.syntax.filling import Writer
from reverie.syntax.matching import Pattern, shown
from reverie.syntax.rewrite_files import Condition, read_entries


def found(pattern: str, text: str) -> dict[str, str] | None:
    wanted, tree = Pattern(pattern), ast.parse(text).body
    nodes = [tree[0].value] if wanted.is_expression else tree  # type: ignore[attr-defined]
    match = wanted.match(nodes)
    return None if match is None else {name: shown(each) for name, each in match.holes.items()}


@pytest.mark.parametrize(
    ("pattern", "text", "holes"),
    [
        ("len($xs) > 0", "len(a.b) > 0", {"xs": "a.b"}),
        ("len($xs) > 0", "0 < len(a.b)", {"xs": "a.b"}),
        ("$x + $x", "f(1) + f(1)", {"x": "f(1)"}),
        ("$x + $x", "f(1) + f(2)", None),
        ("f($a, $...more)", "f(1, 2, 3)", {"a": "1", "more": "2, 3"}),
        ("f($...some, 3)", "f(3)", {"some": ""}),
        ("f($a, key=$k, **$...others)", "f(1, reverse=True, key=2)",
         {"a": "1", "k": "2", "others": "reverse=True"}),
        ("f($a)", "f(1, key=2)", None),
        ("$x.$method()", "a.pop()", {"x": "a", "method": "pop"}),
        ("$x == 1", "a == True", None),
        ("$x = $x + 1", "n = n + 1", {"x": "n"}),
        ("for $x in $xs:\n    $...body", "for a in b:\n    c()\n    d()",
         {"x": "a", "xs": "b", "body": "c(), d()"}),
        ("for $x in $xs:\n    $...body", "for a in b:\n    c()\nelse:\n    d()", None),
    ],
)  # fmt: skip
def test_a_pattern_fits_the_same_shape_alone(
    pattern: str, text: str, holes: dict[str, str] | None
) -> None:
    assert found(pattern, text) == holes


def written(template: str, **holes: str) -> str | None:
    trees = {name: ast.parse(text, mode="eval").body for name, text in holes.items()}
    return Writer(ast.unparse, lambda nodes, indent: None).filled(template, trees)


@pytest.mark.parametrize(
    ("template", "holes", "text"),
    [
        ("$goal - $x", {"goal": "a", "x": "b"}, "a - b"),
        ("$goal - $x", {"goal": "a if c else b", "x": "b"}, "(a if c else b) - b"),
        ("f($x)", {"x": "a if c else b"}, "f(a if c else b)"),
        ("-$x", {"x": "a + b"}, "-(a + b)"),
    ],
)
def test_brackets_are_written_where_the_text_would_mean_something_else(
    template: str, holes: dict[str, str], text: str
) -> None:
    assert written(template, **holes) == text


def test_conditions_join_answers_and_do_nothing_else() -> None:
    asked = {"big": lambda asker, x: x > 3, "odd": lambda asker, x: x % 2 == 1}
    values = {"x": 5, "y": 2}
    answers = [
        Condition(text).answer(asked, None, values)  # type: ignore[arg-type]
        for text in ("big(x) and odd(x)", "big(y) or odd(y)", "not big(y)")
    ]
    assert answers == [True, False, True]


@pytest.mark.parametrize("text", ["print(x)", "x.y()", "__import__('os')", "[x for x in y]", "x +"])
def test_a_condition_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        Condition(text).answer({}, None, {"x": "", "y": ""})


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ("after = 'x'", "'summary' is missing"),
        ("befor = 'x'", "unknown key 'befor'"),
        (
            "summary = ''\nprecondition = ''\nbefore = 'f('\nexample = {before='', after=''}",
            "holes",
        ),
        ("summary = ''\nprecondition = ''\nexample = {before='', after=''}", "either a pair"),
    ],
)
def test_a_file_that_says_too_little_is_refused_by_name(table: str, reason: str) -> None:
    with pytest.raises(UsageError, match=rf"mine.toml: odd.*{reason}"):
        read_entries(f"[odd]\n{table}\n", "mine.toml")
