"""Bits that examples tell, and bits that it takes to write a function."""

from typing import Any

import pytest

from reverie.dreamers.generate import Spec, read_spec
from reverie.dreamers.generate.doubt import is_earned, taken, told


def spec_of(sentence: str, *examples: tuple[list[Any], Any]) -> Spec:
    names = ", ".join(f"arg{at}" for at in range(len(examples[0][0])))
    shown = [{"args": args, "result": result} for args, result in examples]
    return read_spec({"sentence": sentence, "signature": f"def f({names})", "examples": shown})


@pytest.mark.parametrize(
    ("less", "more"),
    [
        (([5], True), ([5], 5000)),
        (([[3, 1, 2]], [1, 2, 3]), ([[3, 1, 2]], [817, 90, 4411])),
        ((["some text"], "text"), (["some text"], "xyzw")),
        (([{"a": 1}], {"a": 1}), ([{"a": 1}], {"key": 7654})),
    ],
)
def test_what_stands_in_the_arguments_tells_less(
    less: tuple[list[Any], Any], more: tuple[list[Any], Any]
) -> None:
    assert told(spec_of("x", less)) < told(spec_of("x", more))


def test_the_same_example_tells_once() -> None:
    once, other = ([[1, 2]], 3), ([[4, 5]], 9)
    assert told(spec_of("x", once, once)) == told(spec_of("x", once))
    assert told(spec_of("x", once, other)) > told(spec_of("x", once))


def test_an_operation_that_nobody_spoke_of_takes_more() -> None:
    example = ([[1, 2]], 2)
    spoken, strange = spec_of("The largest", example), spec_of("The apple", example)
    assert taken(spoken, "max(arg0)") < taken(strange, "max(arg0)")


def test_a_value_that_stands_nowhere_takes_more() -> None:
    spec = spec_of("The number times 60", ([2], 120))
    assert taken(spec, "arg0 * 60") < taken(spec, "arg0 * 17")


def test_a_long_expression_is_not_earned_by_results_made_of_their_arguments() -> None:
    shown = ((["I", 1], "II"), (["VII", 1], "I"), (["I", 2], "III"))
    spec = spec_of("Skip the given places to the next numeral.", *shown)
    source = (
        "''.join(arg0[number:][-arg1:] for number in list(range(-arg1, arg1 + 1)) "
        "if arg0 in arg0[number:])"
    )
    assert not is_earned(spec, source)


def test_yes_and_no_earn_a_short_answer_only() -> None:
    shown = ((["anna"], True), (["bob"], True), (["cat"], False), (["noon"], True))
    spec = spec_of("Whether the word is the same backwards", *shown)
    assert is_earned(spec, "arg0 == arg0[::-1]")
    assert not is_earned(spec, "any((char + char) in arg0 + arg0 for char in arg0)")


def test_an_operation_that_is_there_twice_takes_more() -> None:
    spec = spec_of("The sum of the numbers", ([[1, 2]], 3))
    assert taken(spec, "sum(arg0)") < taken(spec, "sum(arg0[sum(arg0):])")
