import ast
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.instruments.equivalence.neighbours import Changes, Neighbours
from reverie.instruments.equivalence.patterns import matching_texts
from reverie.instruments.equivalence.pools import Pools
from reverie.model.call import Call, Expression

SOURCES = [
    "3", "-3", "1.5", "'ab'", "b'ab'", "[1, 2]", "[(1, 'a'), (2, 'b')]", "{'k': [1]}", "{1, 2}",
]  # fmt: skip


def shape(value: object) -> object:
    """The types in a value, however many items there are."""
    if isinstance(value, list | set):
        return type(value), {str(shape(each)) for each in value}
    if isinstance(value, tuple):
        return tuple(shape(each) for each in value)
    if isinstance(value, dict):
        return dict, {str(shape(each)) for each in value.values()}
    return type(value)


def evaluated(source: str) -> object:
    return eval(source, {"math": __import__("math")})


@given(st.integers(0, 10**6), st.sampled_from(SOURCES))
def test_a_change_keeps_the_types(seed: int, source: str) -> None:
    chance = random.Random(seed)
    pools = Pools(chance)
    pools.learn("997")
    pools.learn("['x', 'y']")
    changed = Changes(pools, chance).change(Expression(source))
    before, after = evaluated(source), evaluated(changed.source)
    assert type(after) is type(before)
    if isinstance(before, list | set) and after:
        assert shape(after) == shape(before)
    assert changed.source.isascii()
    assert ("math." in changed.source) == ("math" in changed.modules)


def test_a_pool_is_drawn_from() -> None:
    chance = random.Random(1)
    pools = Pools(chance)
    pools.learn("40503", weight=3)
    neighbours = Neighbours(pools, chance)
    call = Call((Expression("1"), Expression("2")))
    drawn = {neighbours.mutate(call, []).arguments for _ in range(60)}
    assert any("40503" in each for each in drawn)


def test_arguments_echo_one_another() -> None:
    chance = random.Random(3)
    neighbours = Neighbours(Pools(chance), chance)
    call = Call((Expression("'Stra\\xdfe'"), Expression("'b'")))
    pairs = [neighbours.mutate(call, []) for _ in range(300)]
    values = [tuple(ast.literal_eval(each.source) for each in pair.args) for pair in pairs]
    assert any(a != b and a.casefold() == b.casefold() for a, b in values)


@pytest.mark.parametrize(
    ("first", "second"),
    [("[Weighing(1, 2.5)]", "[]"), ("Hive(1)", "Weighing(1, 2.5)"), ("[Hive(1)]", "[Weighing(1)]")],
)
def test_objects_are_handed_to_no_argument_that_holds_others(first: str, second: str) -> None:
    chance = random.Random(3)
    neighbours = Neighbours(Pools(chance), chance)
    call = Call((Expression(first), Expression(second)))
    made = [neighbours.mutate(call, []) for _ in range(300)]
    assert all("Hive" in first or "Hive" not in each.args[0].source for each in made)
    assert all("Weighing" in second or "Weighing" not in each.args[1].source for each in made)


@given(st.integers(0, 10**6))
def test_a_comparison_is_solved_for(seed: int) -> None:
    chance = random.Random(seed)
    neighbours = Neighbours(Pools(chance), chance)
    solved = neighbours.solve(Call((Expression("[-3, 4]"),)), "-3", "100")
    value = ast.literal_eval(solved.args[0].source)
    assert len(value) == 2
    assert value != [-3, 4]
    text = neighbours.solve(Call((Expression("'a,b'"),)), "'b'", "'magic'")
    assert ast.literal_eval(text.args[0].source) == "a,magic"


@pytest.mark.parametrize(
    "pattern", [r"[a-z0-9]+(-[a-z0-9]+)*", r"\d{2,4}/\w", r"(a|bc)\1?", r"^x[^y]z$", r".*?b"]
)
def test_texts_match_their_pattern(pattern: str) -> None:
    texts = matching_texts(pattern, random.Random(1), 8)
    assert texts
    assert all(re.search(pattern, text) for text in texts)


def test_a_pattern_that_is_none_gives_no_texts() -> None:
    assert matching_texts("(", random.Random(1), 3) == []


def test_a_part_of_one_argument_gets_into_another() -> None:
    call = Call((Expression("'text'"), Expression("['secret', 'key']")))
    neighbours = Neighbours(Pools(random.Random(1)), random.Random(1))
    made = [neighbours.mutate(call, [call]).args[0].source for _ in range(300)]
    assert any("secret" in each or "key" in each for each in made)


def test_odd_texts_depend_on_the_flags_of_a_pattern() -> None:
    texts = matching_texts(r"a.b\d", random.Random(1), 60, is_odd=True)
    assert any("\n" in each for each in texts)
    assert any("\u0663" in each for each in texts)
    assert any(each.startswith("A") for each in texts)


@pytest.mark.parametrize(
    ("given_source", "left", "right", "wanted"),
    [
        ("'5'", "5", "1000", "'1000'"),
        ("5.5", "5", "1000", "1000.0"),
        ("'5'", "5", "1000", "'-1000'"),
        ("'990000'", "990.0", "1000.0", "'999999'"),
        ("7", "7", "9.5", "9"),
    ],
)
def test_what_is_compared_is_found_in_texts_and_other_units(
    given_source: str, left: str, right: str, wanted: str
) -> None:
    chance = random.Random(5)
    neighbours = Neighbours(Pools(chance), chance)
    call = Call((Expression(given_source),))
    tried = {neighbours.solve(call, left, right).args[0].source for _ in range(200)}
    assert wanted in tried


def test_a_number_of_days_is_made_up_by_moving_a_date() -> None:
    chance = random.Random(5)
    neighbours = Neighbours(Pools(chance), chance)
    call = Call((Expression("datetime.date(2024, 1, 31)", frozenset({"datetime"})),))
    tried = {neighbours.solve(call, "335", "2").args[0].source for _ in range(200)}
    assert {"datetime.date(2023, 3, 4)", "datetime.date(2024, 12, 29)"} <= tried
    walked = {neighbours.change(call.args[0]).source for _ in range(200)}
    assert "datetime.date(2024, 2, 1)" in walked
    late = Call((Expression("Loan(datetime.datetime(9999, 12, 31, 5))"),))
    assert "Loan(datetime.datetime(9999, 12, 31, 5))" in {
        neighbours.solve(late, "0", "9").args[0].source for _ in range(50)
    }


def test_texts_of_a_list_may_lie_over_one_another_in_another_argument() -> None:
    chance = random.Random(5)
    neighbours = Neighbours(Pools(chance), chance)
    call = Call((Expression("'abcdef'"), Expression("['x', 'y']")))
    sources = [neighbours.mutate(call, ()).args[1].source for _ in range(400)]
    lists = [ast.literal_eval(each) for each in sources if each.endswith("]")]
    pairs = [each for each in lists if len(each) == 2 and all(item in "abcdef" for item in each)]
    assert any(one != other and one in other and one for one, other in pairs)
    assert any(one != other and other in one and other for one, other in pairs)


def test_what_was_made_for_one_place_stays_there() -> None:
    chance = random.Random(3)
    neighbours = Neighbours(Pools(chance), chance)
    made = Call((Expression("make(40, 1)[0][0]"), Expression("make(40, 1)[0][1]")))
    seen = {tuple(each.source for each in neighbours.mutate(made, [made]).args) for _ in range(300)}
    assert len(seen) > 1
    for first, second in seen:
        assert first.endswith("[0][0]") or "make" not in first
        assert second.endswith("[0][1]") or "make" not in second
