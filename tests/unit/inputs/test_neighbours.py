import random

from hypothesis import given
from hypothesis import strategies as st

from reverie.inputs import generate_calls, mutate_call, shrink_call
from reverie.inputs import read as shape_of
from reverie.model.call import Call, Expression
from reverie.model.codec import plain, read

SOURCE = """
def f(a: int, b: list[str], c: dict[str, float] | None = None, *, d: bytes = b"x"): ...
"""
CALLS = generate_calls(SOURCE, "f", count=30)


@given(st.sampled_from(CALLS), st.integers(0, 10**6))
def test_a_neighbour_differs_and_is_an_expression(call: Call, seed: int) -> None:
    changed = mutate_call(call, random.Random(seed))
    assert changed != call
    compile(changed.render("f"), "<call>", "eval")


@given(st.sampled_from(CALLS), st.integers(0, 10**6))
def test_the_same_chance_gives_the_same_neighbour(call: Call, seed: int) -> None:
    assert mutate_call(call, random.Random(seed)) == mutate_call(call, random.Random(seed))


@given(st.sampled_from(CALLS))
def test_everything_smaller_is_smaller(call: Call) -> None:
    for smaller in shrink_call(call):
        text, whole = smaller.render("f"), call.render("f")
        assert (len(text), text) < (len(whole), whole)


def shrunk(call: Call, keeps) -> str:
    while (smaller := next(filter(keeps, shrink_call(call)), None)) is not None:
        call = smaller
    return call.render("f")


def test_shrinking_reaches_the_smallest_that_still_shows_it() -> None:
    call = Call((Expression("[3, 17, 'xyz', {'k': 250}]"),), (("flag", Expression("True")),))
    assert shrunk(call, lambda option: ": 250" in option.arguments) == "f([{'': 250}])"


def test_a_number_shrinks_to_the_boundary() -> None:
    def keeps(option: Call) -> bool:
        return bool(option.args) and int(option.args[0].source) > 99

    assert shrunk(Call((Expression("981"),)), keeps) == "f(100)"


def test_a_call_crosses_as_json_and_back() -> None:
    import json

    for call in CALLS:
        assert read(Call, json.loads(json.dumps(plain(call)))) == call


def test_a_call_without_a_receiver_gets_no_argument_from_one_with_it() -> None:
    source = "class P:\n    def __eq__(self, other: object) -> bool: ...\n"
    call = Call((Expression("3"),))
    for seed in range(60):
        made = mutate_call(call, random.Random(seed), shape=shape_of(source, "P.__eq__"))
        compile(made.render("P.__eq__"), "<call>", "eval")
        assert made.expressions()
