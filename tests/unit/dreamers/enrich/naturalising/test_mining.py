"""Values that prose quotes."""

import pytest

from reverie.dreamers.enrich.naturalising.mining import texts_in_prose


@pytest.mark.parametrize(
    ("prose", "expected"),
    [
        ("A shelf mark such as `QA76.73 P98`.", ["QA76.73 P98"]),
        ("Without ``__str__`` and ``__repr__`` nothing is shown.", []),
        ("See `the manual`_ and `its errata`__ for 'Ada Lovelace'.", ["Ada Lovelace"]),
        ("Returns an ``(output, encoding)`` pair.", []),
        (":func:`open` takes ``1 / 2``.", ["1 / 2"]),
    ],
)
def test_what_prose_quotes_is_read_in_step(prose: str, expected: list[str]) -> None:
    assert list(texts_in_prose(prose)) == expected
