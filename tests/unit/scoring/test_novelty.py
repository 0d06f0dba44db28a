from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.scoring.procedures import edit_distance, novelty, similarity, syntax_tokens

_tokens = st.lists(st.sampled_from("abcd"), max_size=14).map(tuple)


def plain_distance(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    row = list(range(len(other) + 1))
    for above, token in enumerate(one, 1):
        corner, row[0] = row[0], above
        for place, each in enumerate(other, 1):
            best = min(row[place] + 1, row[place - 1] + 1, corner + (token != each))
            corner, row[place] = row[place], best
    return row[-1]


@given(_tokens, _tokens)
def test_the_distance_is_levenshteins(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    assert edit_distance(one, other) == plain_distance(one, other) == edit_distance(other, one)
    assert 0 <= similarity(one, other) <= 1


def test_the_distance_of_all_short_words() -> None:
    words = [each for length in range(4) for each in product("abc", repeat=length)]
    assert len(words) == 40
    for one, other in product(words, repeat=2):
        assert edit_distance(one, other) == plain_distance(one, other), (one, other)


def test_a_copy_is_not_novel_whatever_its_docstring_says() -> None:
    base = "def f(x):\n    return x + 1\n"
    assert novelty('def f(x):\n    """Adds."""\n    return (x + 1)\n', [base]) == 0


def test_the_likest_known_procedure_decides() -> None:
    base, near = "def f(x):\n    return x + 1\n", "def f(x):\n    return x + 2\n"
    far = "def f(x):\n    return sorted(set(x), key=len)[::-1]\n"
    alone = novelty(far, [base])
    assert alone is not None
    assert alone > 0.3
    assert novelty(near, [base]) == pytest.approx(novelty(near, [base, far]))
    assert novelty(far, [base, far]) == 0


def test_without_anything_to_compare_with_there_is_no_novelty() -> None:
    assert novelty("def f(): pass", []) is None
    assert novelty("def f(:", ["def f(): pass"]) is None


def test_names_and_values_are_told_apart_and_how_they_are_used_is_not() -> None:
    assert syntax_tokens("x = u'a'\n") == (
        "Module", "Assign", "Name", "id='x'", "Constant", "value='a'",
    )  # fmt: skip
    assert syntax_tokens("def f(a: int = 1):\n    'says'\n    return a.b\n") == (
        "Module", "FunctionDef", "name='f'", "arguments", "arg", "arg='a'", "Name", "id='int'",
        "Constant", "value=1", "Return", "Attribute", "Name", "id='a'", "attr='b'",
    )  # fmt: skip


@pytest.mark.parametrize(
    "source", ["def f(:", "x = '\0'", "-" * 1500 + "1", "x" + "+x" * 1500, "-" * 100_000 + "1"]
)
def test_what_cannot_be_read_or_walked_has_no_novelty(source: str) -> None:
    assert syntax_tokens(source) is None
    assert novelty(source, ["x"]) is None
    assert novelty("x", [source]) is None
    assert novelty("x", [source, "x"]) == 0


def test_the_longer_of_two_is_the_measure_of_their_likeness() -> None:
    assert similarity((), ()) == 1.0
    assert similarity(("a",), ()) == 0.0
    assert similarity(("a", "b", "c", "d"), ("a",)) == 0.25
    assert similarity(("a",), ("a", "b", "c", "d")) == 0.25
    assert edit_distance((), ("a", "b")) == edit_distance(("a", "b"), ()) == 2
    assert edit_distance(("a", "b", "a"), ("b", "a", "b")) == 2
