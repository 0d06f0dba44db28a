from unittest.mock import Mock

import pytest

from reverie.instruments.mutation.program import PLANTED
from reverie.trials.new_tests import strip_assertions


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("assert f(1) == 2", "f(1) == 2"),
        ("self.assertEqual(f(1), 2)", "(self, f(1), 2)"),
        ("pytest.fail('no')", "pass"),
        ("raise AssertionError('no')", "pass"),
        ("raise ValueError('no')", "raise ValueError('no')"),
        ("with pytest.raises(ValueError):\n    f(-1)",
         "with _quiet():\n    f(-1)"),
        ("with pytest.raises(ValueError) as info:\n    f(-1)",
         "info = _mock.MagicMock()\nwith _quiet():\n    f(-1)"),
        ("with open('x'), pytest.raises(ValueError):\n    f(-1)",
         "with open('x'):\n    with _quiet():\n        f(-1)"),
    ],
)  # fmt: skip
def test_what_is_evaluated_stays_and_nothing_fails(before: str, after: str) -> None:
    prelude = strip_assertions("")
    assert strip_assertions(before) == f"{prelude}\n{after}"


def test_what_proves_the_instrument_is_let_through() -> None:
    text = strip_assertions("with pytest.raises(ValueError):\n    f()")
    for error in (ValueError("planted"), RuntimeError("other"), SystemExit(2)):
        exec(text, {"f": Mock(side_effect=error)})  # noqa: S102
    with pytest.raises(RuntimeError):
        exec(text, {"f": Mock(side_effect=RuntimeError(PLANTED))})  # noqa: S102


def test_what_was_caught_can_be_looked_at() -> None:
    text = (
        "with pytest.raises(ValueError) as info:\n    f(-1)\nassert 'no' in str(info.value.args[0])"
    )
    exec(strip_assertions(text), {"f": abs})  # noqa: S102


def test_words_and_future_imports_stay_first() -> None:
    text = '"""About."""\nfrom __future__ import annotations\nimport os'
    assert strip_assertions(text).splitlines()[2] == "import contextlib as _contextlib"
