import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.model import history
from reverie_pytest.signature import failure_signature, normalise_message

PAIRS = [
    ("<object at 0x7f00aa>", "<object at 0x1234>"),
    ("no 123e4567-e89b-12d3-a456-426614174000", "no 00000000-e89b-12d3-a456-426614174999"),
    ("key 0123456789abcdef gone", "key fedcba9876543210ff gone"),
    ("thread started 140735123456", "thread started 140735999999"),
    ("at 2025-01-02T03:04:05Z", "at 1999-12-31 23:59:59.5"),
    ("took until 03:04:05.123", "took until 10:00:00"),
    ("no /tmp/pytest-of-me/pytest-3/x", "no /var/tmp/abc/x"),
    ("pid 17 died", "pid 99321 died"),
    ("refused port=8080", "refused port=41233"),
    ("cannot reach 127.0.0.1:41233", "cannot reach 127.0.0.1:8080"),
    ("reach ('127.0.0.1', 41233)", "reach ('127.0.0.1', 80)"),
    ("at line 3 of it", "at line 77 of it"),
    ("got 'a literal longer than sixteen'", 'got "another one, also longer"'),
    ("two   spaces\nand lines", "two spaces and lines"),
]


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_what_differs_between_two_runs_does_not_count(one: str, other: str) -> None:
    assert failure_signature("E", one, "f.py:f") == failure_signature("E", other, "f.py:f")


@pytest.mark.parametrize(
    "others",
    [("E2", "m", "f.py:f"), ("E", "n", "f.py:f"), ("E", "m", "g.py:f"), ("E", "m", None)],
)
def test_class_message_and_place_count(others: tuple[str, str, str | None]) -> None:
    assert failure_signature("E", "m", "f.py:f") != failure_signature(*others)


def test_short_literals_and_numbers_count() -> None:
    assert normalise_message("'short' is not 17") == "'short' is not 17"


@given(st.text(), st.text(), st.none() | st.text())
def test_a_signature_is_sixteen_hex_digits_of_anything(
    name: str, message: str, place: str | None
) -> None:
    assert re.fullmatch(r"[0-9a-f]{16}", failure_signature(name, message, place))


def test_the_journal_has_the_same_definition() -> None:
    assert history.failure_signature is failure_signature
