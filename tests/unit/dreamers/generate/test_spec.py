"""How a specification is read, and what is wrong with one that is not."""

import json
import sys
from typing import Any

import pytest

from reverie.dreamers.generate.spec import Example, parse_spec, read_spec
from reverie.errors import UsageError

DOUBLE = "def double(number: int) -> int"


def test_a_sentence_alone_is_a_specification() -> None:
    spec = parse_spec("  Reverse a string\n")
    assert (spec.sentence, spec.name, spec.parameters, spec.examples) == (
        "Reverse a string",
        None,
        (),
        (),
    )


def test_json_has_sentence_signature_and_examples() -> None:
    text = json.dumps(
        {
            "sentence": "Double it.",
            "signature": f"{DOUBLE}:",
            "examples": [{"args": [2], "result": 4}],
        }
    )
    spec = parse_spec(text)
    assert spec.signature is not None
    assert (spec.name, spec.parameters, spec.signature.line) == ("double", ("number",), DOUBLE)
    assert spec.examples == (Example((2,), 4),)


def test_a_signature_may_leave_out_def_and_types() -> None:
    spec = read_spec({"sentence": "Add.", "signature": "add(a, b=2)"})
    assert spec.signature is not None
    assert spec.signature.line == "def add(a, b=2)"


def test_yaml_says_the_same_as_json() -> None:
    spec = parse_spec(
        "sentence: Double it.\nsignature: 'double(n)'\nexamples:\n- args: [2]\n  result: 4\n"
    )
    assert (spec.sentence, spec.name, spec.examples) == (
        "Double it.",
        "double",
        (Example((2,), 4),),
    )


def test_yaml_without_its_library_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(UsageError, match=r"reverie\[yaml\]"):
        parse_spec("sentence: Double it.\n")


def test_a_sentence_with_a_colon_in_it_is_no_yaml() -> None:
    assert parse_spec("Return one thing: the largest").sentence == "Return one thing: the largest"


def test_examples_come_from_a_docstring_too() -> None:
    spec = read_spec(
        {
            "signature": "def add(a: int, b: int) -> int",
            "docstring": "Add two numbers.\n\n>>> add(1, 2)\n3\n>>> add(b=1, a=5)\n6\n",
        }
    )
    assert spec.sentence == "Add two numbers."
    assert spec.examples == (Example((1, 2), 3), Example((5, 1), 6))


def test_a_function_with_a_docstring_is_a_specification() -> None:
    spec = parse_spec(
        'def double(number: int) -> int:\n    """Double it.\n\n    >>> double(2)\n    4\n    """\n'
    )
    assert (spec.name, spec.sentence, spec.examples, spec.body) == (
        "double",
        "Double it.",
        (Example((2,), 4),),
        None,
    )


def test_the_body_of_a_function_is_held_to_its_docstring() -> None:
    spec = parse_spec('def double(n):\n    """Double it."""\n    m = n\n    return m * 2\n')
    assert spec.body == "m = n\nreturn m * 2"


def test_without_a_signature_the_parameters_are_counted() -> None:
    spec = read_spec({"sentence": "Add.", "examples": [{"args": [1, 2], "result": 3}]})
    assert spec.parameters == ("value_1", "value_2")


def test_arguments_may_be_named() -> None:
    spec = read_spec(
        {
            "sentence": "x",
            "signature": "f(a, b)",
            "examples": [{"args": {"b": 2, "a": 1}, "result": 0}],
        }
    )
    assert spec.examples[0].args == (1, 2)


@pytest.mark.parametrize(
    ("document", "named"),
    [
        ([], "an object"),
        (None, "an object"),
        ({}, "sentence"),
        ({"sentence": "  "}, "sentence"),
        ({"sentence": 3}, "sentence: expected text, not 3"),
        ({"sentence": "x", "exmples": []}, "exmples"),
        ({"sentence": "x", "signature": "def f(:"}, "signature"),
        ({"sentence": "x", "signature": "class A"}, "signature"),
        ({"sentence": "x", "signature": "f(*rest)"}, "no plain function"),
        ({"sentence": "x", "signature": "f(a): pass\nimport os"}, "signature"),
        ({"sentence": "x", "signature": "test_it(a)"}, "taken for a test"),
        ({"sentence": "x", "signature": ["f"]}, "signature: expected text"),
        ({"sentence": "x", "name": "g"}, "needs a signature"),
        ({"sentence": "x", "name": "g", "signature": "f(a)"}, "name: 'g'"),
        ({"sentence": "x", "examples": {}}, "examples: expected a list"),
        ({"sentence": "x", "examples": [3]}, r"examples\[0\]"),
        ({"sentence": "x", "examples": [{"args": [1]}]}, r"examples\[0\]"),
        ({"sentence": "x", "examples": [{"args": 1, "result": 1}]}, r"examples\[0\].args"),
        ({"sentence": "x", "examples": [{"args": {"a": 1}, "result": 1}]}, "by name"),
        (
            {"sentence": "x", "signature": "f(a)", "examples": [{"args": [1, 2], "result": 1}]},
            "1 are wanted, not 2",
        ),
        (
            {"sentence": "x", "examples": [{"args": [1], "result": 1}, {"args": [], "result": 1}]},
            "different numbers",
        ),
        (
            {"sentence": "x", "examples": [{"args": [1], "result": 1}, {"args": [1], "result": 2}]},
            "two different results",
        ),
        ({"sentence": "x", "examples": [{"args": [float("nan")], "result": 1}]}, "JSON values"),
        ({"sentence": "x", "body": 5}, "body"),
        ({"docstring": "x\n\n>>> 1 + 1\n2"}, "no plain call"),
        ({"docstring": "x\n\n>>> f(g)\n2"}, "docstring"),
        ({"docstring": "x\n\n>>> g(1)\n2", "signature": "f(a)"}, "calls 'g'"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(document: Any, named: str) -> None:
    with pytest.raises(UsageError, match=named) as caught:
        read_spec(document)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["{", "[1]", '{"sentence": "x", }', "def f(:\n  pass", "", "\n"])
def test_text_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_spec(text)


def test_an_object_of_yaml_is_not_built() -> None:
    with pytest.raises(UsageError):
        parse_spec("sentence: !!python/object/apply:os.getcwd []\n")
