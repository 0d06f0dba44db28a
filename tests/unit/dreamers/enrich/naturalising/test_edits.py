import pytest

from reverie.dreamers.enrich.naturalising.inside.naturalness import (
    Familiar,
    edited,
    is_mild_edit,
    is_one_edit,
)

HOURS = "Mon-Fri 9:00-18:00, Sat 10:00-13:00"


@pytest.mark.parametrize(
    "text",
    [
        "Mon-Fri 9:00-18:00",  # a part is missing
        "Mox-Fri 9:00-18:00, Sat 10:00-13:00",  # a letter is another
        "Mon-Fri 18:00-9:00, Sat 10:00-13:00",  # two parts are swapped
        "Mon-Fri 9:00-18:90, Sat 10:00-13:00",  # a digit is another
        "",
    ],
)
def test_wrong_input_is_right_input_with_one_thing_wrong(text: str) -> None:
    assert text in edited(HOURS)


@pytest.mark.parametrize(
    ("known", "text", "expected"),
    [
        ("Mon 9:00-18:00", "Mon 9:60-18:00", True),
        ("Mon 9:00-18:00", "Mon 18:00-9:00", True),
        ("Mon 9:00-18:00", "MON 9:00-18:00", True),
        ("Mon 9:00-18:00", "  Mon 9:00-18:00 ", True),
        ("Martin Luther King", "Martin King", True),
        ("Vincent Gogh", "Vincent van Gogh", True),  # a word of the code's own
        ("Vincent Gogh", "Vincent dan Gogh", False),
        ("9780306406157", "978", False),  # half a text
        ("card-17", "x,y é", False),
        ("ab", "a", False),  # of next to nothing everything is a neighbour
    ],
)
def test_one_edit_is_one_thing_changed(known: str, text: str, expected: bool) -> None:
    assert is_one_edit(known, text, frozenset({"van"})) is expected


def test_every_edit_is_one_edit_away() -> None:
    tokens = ["van", "Jr."]
    for known in (HOURS, "Vincent Gogh", "card-17", "1.2.3", "ada@example.org"):
        for text in edited(known, tokens):
            is_far = text and not is_one_edit(known, text, frozenset(tokens))
            assert not is_far, (known, text)


def test_a_number_is_natural_where_it_is_small_round_or_at_an_edge() -> None:
    familiar = Familiar([], [365], [])
    known = [5, 31, 100, 2500, 364, 365, 366, 2024, 1.5, 999_999, 1001]
    assert all(familiar.is_number(each, frozenset()) for each in known)
    odd = [3633, 20763, -90711, 0.123456789, float("nan")]
    assert not any(familiar.is_number(each, frozenset()) for each in odd)


def test_less_than_nothing_is_odd_where_all_known_values_are_more() -> None:
    familiar = Familiar([], [], [])
    assert not familiar.is_number(-1, frozenset({0, 10}))
    assert familiar.is_number(-1, frozenset({-5, 10}))


def test_a_container_is_as_natural_as_its_items_and_few() -> None:
    familiar = Familiar([], [], [])
    role = frozenset({"Ada Lovelace", "Plato"})
    assert familiar.is_value(["Ada Lovelace", "Plato"], role)
    assert not familiar.is_value(["Ada Lovelace", "\x1b[31m"], role)
    assert not familiar.is_value(["Plato"] * 12, role)


@pytest.mark.parametrize(
    ("known", "text", "expected"),
    [
        ("Mon-Fri 9:00-18:00, Sat 10:00-13:00", "Mon-Fri 9:00-18:00", True),
        ("Mon-Fri 9:00-18:00", "Mon-Fri 9:00-18:10", True),
        ("physics one", "Physics ONE", True),
        ("physics one", "one", True),
        ("0-306-40615-2", "X 0-306-40615-2", False),
        ("978-0-306-40615-7", "0-978-306-40615-7", False),
        ("name:alex", "nameealex", False),
        ("Simone de Beauvoir", "Simone de", False),
        ("Simone de Beauvoir", "Simone Beauvoir", True),
    ],
)
def test_a_mild_edit_leaves_a_text_as_right_as_it_was(
    known: str, text: str, expected: bool
) -> None:
    assert is_mild_edit(known, text) is expected
