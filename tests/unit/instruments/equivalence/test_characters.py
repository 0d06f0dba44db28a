"""One character of every kind, for code that asks for kinds."""

import ast
import unicodedata

from reverie.instruments.equivalence.pools import (
    asks_for_characters,
    asks_for_forms,
    character_calls,
    characters,
    decomposing,
    look_alike_calls,
)
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


def test_a_part_of_a_text_becomes_what_may_be_taken_for_it() -> None:
    made = [ast.literal_eval(each.args[1].source) for each in look_alike_calls(
        Call((Expression("3"), Expression("'Silver 3'")))
    )]  # fmt: skip
    assert "\u017filver 3" in made, "casefold makes an s of it, lower does not"
    assert any(each.startswith("Silver ") and each[-1].isdecimal() for each in made)
    assert any(each[-1].isdigit() and not each[-1].isdecimal() for each in made)
    assert any(each[6].isspace() and each[6] != " " for each in made)
    assert all(each.isascii() is False for each in made)
    assert not list(look_alike_calls(Call((Expression("[1]"), Expression("''")))))


def test_code_that_asks_for_normal_forms_gets_what_they_take_apart() -> None:
    assert asks_for_forms(ast.parse("unicodedata.normalize('NFKD', text)"))
    assert not asks_for_forms(ast.parse("unicodedata.category(c)"))
    found = decomposing()
    assert any(unicodedata.normalize("NFC", each) != each for each in found)
    assert any(unicodedata.decomposition(each).startswith("<compat>") for each in found)
    single = [unicodedata.decomposition(each).split() for each in found]
    assert any(len(parts) == 1 for parts in single), "a sign that is another one in every form"
    assert len(found) < 120, "each of them is one more input"
    made = list(character_calls(Call((Expression("'ab'"),)), has_forms=True))
    assert len(made) == len(characters()) + len(found)
