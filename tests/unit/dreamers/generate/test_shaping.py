"""Forms of generated code: alone, in a class, in a module, with types or without."""

import ast
from pathlib import Path
from typing import Any

import pytest

from reverie.dreamers.generate.answer import Form, Shape, Style
from reverie.errors import UsageError

SOURCE = '''import math


def helper(x):
    return math.floor(x)


def half_down(number: float) -> int:
    """Half of it, "down\\\\up"."""
    if number < 0:
        return -helper(-number / 2)
    return helper(number / 2)
'''
EXAMPLES = [((5,), 2), ((-5,), -2), ((0.5,), 0)]


def run(source: str) -> dict[str, Any]:
    made: dict[str, Any] = {}
    exec(compile(source, "made.py", "exec"), made)
    return made


@pytest.mark.parametrize("form", Form)
@pytest.mark.parametrize("style", [None, *Style])
def test_every_form_does_the_same(form: Form, style: Style | None) -> None:
    shaped = Shape(form, style).written(SOURCE, "half_down", EXAMPLES)
    function = run(shaped)["half_down"]
    assert [function(*args) for args, _ in EXAMPLES] == [result for _, result in EXAMPLES]
    assert function.__doc__.strip() == 'Half of it, "down\\up".'
    assert bool(function.__annotations__) is (style is not Style.SIMPLE)


def test_the_plain_form_is_what_was_found() -> None:
    assert Shape().written(SOURCE, "half_down") == SOURCE


def test_a_class_and_a_module_say_what_they_are_for() -> None:
    as_class = ast.parse(Shape(Form.CLASS).written(SOURCE, "half_down"))
    assert any(isinstance(each, ast.ClassDef) and each.name == "HalfDown" for each in as_class.body)
    made = run(Shape(Form.MODULE).written(SOURCE, "half_down"))
    assert made["__all__"] == ["half_down"]
    assert made["__doc__"].startswith("Half of it")


@pytest.mark.parametrize(
    ("examples", "line"),
    [
        ([(([1, 2],), 3)], "def f(x: list[int]) -> int:"),
        ([((1,), True), ((2,), False)], "def f(x: int) -> bool:"),
        ([((1,), 1.5), ((2.5,), 2)], "def f(x: float) -> float:"),
        ([(({"a": "b"},), None)], "def f(x: dict[str, str]) -> None:"),
        ([(([],), "a"), (([1],), 2)], "def f(x):"),
        ([(([1, "a"],), "b")], "def f(x: list) -> str:"),
        ([], "def f(x):"),
    ],
)
def test_types_are_those_that_all_examples_agree_on(examples: list[Any], line: str) -> None:
    shaped = Shape(style=Style.TYPED).written("def f(x):\n    return x\n", "f", examples)
    assert shaped.splitlines()[0] == line


def test_a_template_of_ones_own_is_used(tmp_path: Path) -> None:
    (tmp_path / "function.txt").write_text("class $name:\n$imports\n")
    with pytest.raises(UsageError, match=r"function\.txt does not make Python"):
        Shape(templates=tmp_path).written(SOURCE, "half_down")
    (tmp_path / "function.txt").write_text("# $name costs $$5, $unknown\n$signature:\n$body\n")
    shaped = Shape(templates=tmp_path).written("def f(x):\n    return x\n", "f")
    assert shaped == "# f costs $5, $unknown\ndef f(x):\n    return x\n"


@pytest.mark.parametrize("content", [b"\xff\xfe", b"x" * 30_000])
def test_a_template_that_cannot_be_used_is_a_usage_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "function.txt").write_bytes(content)
    with pytest.raises(UsageError, match="template"):
        Shape(templates=tmp_path).written(SOURCE, "half_down")
