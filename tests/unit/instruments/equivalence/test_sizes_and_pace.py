"""Lengths that the sources name, and arguments small enough for slow versions."""

from reverie.instruments.equivalence.around import inner_sized_calls, sized_calls, sizes_near
from reverie.instruments.equivalence.scenario import Scenario
from reverie.instruments.equivalence.search import Pace
from reverie.model.call import Call, Expression


def scenario(*arguments: str) -> Scenario:
    return Scenario.of(Call(tuple(map(Expression, arguments))))


def test_lengths_lie_around_the_numbers_of_the_sources() -> None:
    assert sizes_near(["1000", "'text'", "2", "3.5", "10000000"]) == [999, 1000, 1001]


def test_every_container_gets_the_length() -> None:
    given = Call(tuple(map(Expression, ("[1, 2, 3]", "'ab'", "{'k': 1}", "{1: 2}", "{4}", "7"))))
    made = list(sized_calls(given, [10]))
    lengths = [
        len(eval(changed.args[place].source))
        for changed in made
        for place in range(len(given.args))
        if changed.args[place] != given.args[place]
    ]
    assert lengths == [10] * 5


def test_the_first_list_inside_an_argument_gets_the_length() -> None:
    given = Call(tuple(map(Expression, ("{'a': [], 'b': ['c', 'd'], 'e': ['f']}", "[1]", "'x'"))))
    (made,) = inner_sized_calls(given, [11])
    (value, *others) = (eval(each.source) for each in made.args)
    assert (len(value["b"]), value["e"], others) == (11, ["f"], [[1], "x"])


def test_what_was_too_slow_is_followed_by_smaller_numbers() -> None:
    pace = Pace(is_recursive=False)
    assert pace.allows(scenario("10 ** 400"))
    pace.slow_down(scenario("123456789012"))
    assert not pace.allows(scenario("10 ** 400"))
    assert not pace.allows(scenario("12345678"))
    assert pace.allows(scenario("123456"))


def test_recursion_is_slow_for_small_numbers() -> None:
    pace = Pace(is_recursive=True)
    pace.slow_down(scenario("60"))
    assert not pace.allows(scenario("50"))
    assert pace.allows(scenario("40"))
