"""What is declared with examples is found, and filled in where it stands."""

from pathlib import Path

import pytest

from reverie.dreamers.enrich.target import find_target
from reverie.dreamers.fuzz.claims.laws import promises_of
from reverie.dreamers.fuzz.claims.subjects import read_module
from reverie.dreamers.fuzz.fuzz import public_callables
from reverie.dreamers.generate.spec import read_stub
from reverie.dreamers.generate.stubs import declared_stubs, filled

MODULE = '''"""Words."""
from __future__ import annotations

LIMIT = 3


def last(word: str) -> str:
    """The last letter.

    >>> last("lamp")
    'p'
    """
    raise NotImplementedError("later")


def first(word: str) -> str:
    """The first letter; nobody shows an example."""
    ...


def whole(word: str) -> str:
    """All of it.

    >>> whole("lamp")
    'lamp'
    """
    return word
'''


def test_a_stub_with_an_example_is_declared_and_others_are_not() -> None:
    found = declared_stubs(MODULE)
    assert list(found) == ["last"]
    assert [(each.args, each.result) for each in found["last"].examples] == [(("lamp",), "p")]
    assert declared_stubs("def broken(:") == {}


def test_an_error_that_says_so_is_no_body_to_be_held_to() -> None:
    assert read_stub(MODULE[MODULE.index("def last") : MODULE.index("def first")]).body is None


def test_only_its_body_and_what_that_imports_come_in() -> None:
    answer = 'import string\n\ndef last(word):\n    """Another."""\n    return word[-1]\n'
    expected = MODULE.replace('raise NotImplementedError("later")', "return word[-1]")
    expected = expected.replace("LIMIT = 3", "import string\n\nLIMIT = 3")
    assert filled(MODULE, "last", answer) == expected


@pytest.mark.parametrize(
    "answer", ["def other(word):\n    return word\n", "A = 1\ndef last(word):\n    return A\n"]
)
def test_an_answer_that_brings_more_is_none(answer: str) -> None:
    assert filled(MODULE, "last", answer) is None


def test_what_is_only_declared_breaks_no_promise(tmp_path: Path) -> None:
    (tmp_path / "words.py").write_text(MODULE)
    assert public_callables(find_target(str(tmp_path / "words.py"), tmp_path, None)) == ("whole",)
    reading = read_module(MODULE)
    assert promises_of("last", reading).laws == ()
    assert promises_of("whole", reading).laws != ()
