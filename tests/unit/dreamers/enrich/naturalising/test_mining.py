"""Values that prose quotes, and that callers give."""

import ast

import pytest

from reverie.dreamers.enrich.naturalising.mining import called_with, texts_in_prose, whole_calls
from reverie.dreamers.enrich.naturalising.parameters import signatures_of


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


@pytest.mark.parametrize("given", ["(yield)", "(yield from rows)", "await fetch()", "[(yield)]"])
def test_what_a_function_waits_for_is_no_value(given: str) -> None:
    signatures = signatures_of("def send(row): ...")
    caller = ast.parse(f"async def work():\n    send({given})\n    send('row 1')\n")
    assert [each.source for each in called_with(caller, signatures, str)] == ["'row 1'"]
    assert list(whole_calls(caller, signatures, str)) == ["send('row 1')"]
