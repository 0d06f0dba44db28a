"""One character of every kind, for code that asks for kinds."""

import ast
import unicodedata

from reverie.instruments.equivalence.pools import asks_for_characters, character_calls, characters
from reverie.model.call import Call, Expression


def test_kinds_that_are_easily_confused_are_all_there() -> None:
    found = characters()
    assert any(each.isdigit() and not each.isdecimal() for each in found)
    assert any(each.isnumeric() and not each.isdigit() for each in found)
    assert any(
        unicodedata.category(each) == "Mn" and not unicodedata.combining(each) for each in found
    ), "a mark that combines with nothing"
    assert any(len(each.upper()) > 1 for each in found)
    assert any(each.isspace() and not each.isascii() for each in found)
    assert len(found) < 120, "each of them is one more input"


def test_only_texts_of_a_call_become_characters() -> None:
    call = Call((Expression("3"), Expression("'ab'")))
    made = list(character_calls(call))
    assert len(made) == len(characters())
    assert {each.args[0].source for each in made} == {"3"}
    assert all(each.args[1].source.isascii() for each in made)


def test_code_that_treats_all_characters_alike_does_not_ask() -> None:
    assert asks_for_characters(ast.parse("import unicodedata\nunicodedata.category(c)"))
    assert asks_for_characters(ast.parse("text.isdigit()"))
    assert not asks_for_characters(ast.parse("len(text) + text.count('a')"))
