from enum import StrEnum

import pytest

from reverie.model.settings.setting import Reader, choice, flag, number, text, whole, words


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


ODD_WORDS = words("words of odd length", lambda word: len(word) % 2 == 1)


@pytest.mark.parametrize(
    ("reader", "written", "value"),
    [
        pytest.param(whole(1, 9), " 7 ", 7, id="whole"),
        pytest.param(number(0.5, 9), "0.5", 0.5, id="lower bound is inside"),
        pytest.param(number(0, 9), "9", 9.0, id="upper bound is inside"),
        pytest.param(flag(), "Yes", True, id="yes"),
        pytest.param(flag(), "0", False, id="zero"),
        pytest.param(choice(Colour), "RED", Colour.RED, id="any case"),
        pytest.param(ODD_WORDS, "a, bcd ,", ("a", "bcd"), id="commas"),
        pytest.param(ODD_WORDS, "", (), id="no words"),
    ],
)
def test_text_becomes_a_value(reader: Reader[object], written: str, value: object) -> None:
    assert reader.from_text(written) == value


@pytest.mark.parametrize(
    ("reader", "written"),
    [
        pytest.param(whole(1, 9), "0", id="below"),
        pytest.param(whole(1, 9), "10", id="above"),
        pytest.param(whole(1, 9), "3.0", id="not whole"),
        pytest.param(number(0, 9), "nan", id="not a number"),
        pytest.param(number(0, 9), "inf", id="infinite"),
        pytest.param(flag(), "maybe", id="neither yes nor no"),
        pytest.param(choice(Colour), "green", id="unknown word"),
        pytest.param(ODD_WORDS, "ab", id="a word that fails the test"),
        pytest.param(text("anything but x", lambda given: given != "x"), "x", id="refused"),
    ],
)
def test_a_value_out_of_bounds_says_what_was_expected(reader: Reader[object], written: str) -> None:
    with pytest.raises(ValueError, match=r"^expected ") as caught:
        reader.from_text(written)
    assert reader.bounds in str(caught.value)


@pytest.mark.parametrize(
    ("reader", "value"),
    [
        pytest.param(whole(0, 9), True, id="a flag is no number"),
        pytest.param(whole(0, 9), "7", id="text is no number"),
        pytest.param(number(0, 9), False, id="nor here"),
        pytest.param(flag(), 1, id="a number is no flag"),
        pytest.param(choice(Colour), 3, id="a number is no word"),
        pytest.param(ODD_WORDS, "abc", id="text is no list"),
        pytest.param(ODD_WORDS, [1], id="a list of numbers"),
    ],
)
def test_toml_is_not_converted(reader: Reader[object], value: object) -> None:
    with pytest.raises(ValueError, match=r"^expected "):
        reader.check(value)
