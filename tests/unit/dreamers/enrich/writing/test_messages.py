import ast
import re

import pytest

from reverie.dreamers.enrich.writing.admission import (
    StablePart,
    escaped,
    shown_values,
    stable_part,
    texts_of,
)

_SOURCE = """
def f(x):
    raise ValueError("value too large")
def g(x):
    raise ValueError(f"{x!r} is not a valid version, see {x}")
def h(x):
    raise ValueError("expected %d parts, not %s" % (1, x))
"""
_TEXTS = texts_of(ast.parse(_SOURCE))


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("value too large", StablePart("value too large", True)),
        ("'1.x' is not a valid version, see 1.x", StablePart("is not a valid version, see", False)),
        ("expected 3 parts, not 4", StablePart("parts, not", False)),
        ("invalid literal for int() with base 10: 'x'", None),
        ("", None),
    ],
)
def test_what_the_author_wrote_is_the_stable_part(
    message: str, expected: StablePart | None
) -> None:
    assert stable_part(message, _TEXTS) == expected


def test_a_text_that_is_escaped_matches_itself_and_stays_readable() -> None:
    text = "is not valid (see [1], 100% sure?) \\ $5 {x} a|b"
    assert re.fullmatch(escaped(text), text)
    assert escaped("a b - c, 'd'") == "a b - c, 'd'"


@pytest.mark.parametrize(
    ("message", "line", "expected"),
    [
        (
            "'1.x' is not a valid version, see 1.x",
            "g('1.x')",
            "'1.x' is not a valid version, see 1.x",
        ),
        ("expected 3 parts, not 4", "h(3)", "expected 3 parts, not"),
        ("'x' is not a valid version, see 1", "g('a-x')", "'x' is not a valid version, see"),
        ("value too large", "f('value')", "value too large"),
    ],
)
def test_what_a_test_shows_itself_is_part_of_the_message(
    message: str, line: str, expected: str
) -> None:
    found = stable_part(message, _TEXTS, shown_values([line]))
    assert found == StablePart(expected, expected == message)
