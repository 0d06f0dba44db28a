"""Uses are read from tests and documents with all that they need, and nothing more."""

from pathlib import Path

import pytest

from reverie.dreamers.enrich.target import Target, find_target
from reverie.dreamers.fuzz.shown import Use, shown_uses

SUBJECT = '''"""Amounts."""


def amount(value, unit="B"):
    """An amount.

    >>> amount(3)
    '3 B'
    """
    return f"{value} {unit}"
'''
TESTS = """import pytest
import subject
from subject import amount


def made(value):
    return amount(value)


@pytest.mark.parametrize("given, expected", [((1,), "1 B"), ((2, "kB"), "2 kB")])
def test_table(given, expected):
    assert amount(*given) == expected


def test_helper():
    other = 5
    unused = "nothing"
    assert made(other) == "5 B"


def test_own_check():
    def chk(one, two):
        assert one == two
    chk(subject.amount(7), "7 B")


def test_refused():
    with pytest.raises(TypeError):
        amount()


def test_fixture(tmp_path):
    assert amount(pytest) == "?"
"""


@pytest.fixture
def target(tmp_path: Path) -> Target:
    (tmp_path / "subject.py").write_text(SUBJECT)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_subject.py").write_text(TESTS)
    return find_target(str(tmp_path / "subject.py"), tmp_path, None)


def asked(uses: tuple[Use, ...]) -> dict[str, Use]:
    return {each.asked: each for each in uses}


def test_rows_of_a_table_are_put_in(target: Target) -> None:
    found = asked(shown_uses(target, ()))
    assert found["amount(1)"].before == ("from subject import amount",)
    assert "amount(2, 'kB')" in found


def test_helpers_of_the_file_come_along_and_what_is_not_needed_does_not(target: Target) -> None:
    use = asked(shown_uses(target, ()))["made(5)"]
    assert use.before[0] == "from subject import amount"
    assert use.before[1].startswith("def made(value):")
    assert not any("unused" in each for each in use.lines)


def test_a_tests_own_way_to_compare_is_looked_into(target: Target) -> None:
    assert asked(shown_uses(target, ()))["subject.amount(7)"].before == ("import subject",)


def test_examples_of_docstrings_import_what_they_name(target: Target) -> None:
    assert asked(shown_uses(target, ()))["amount(3)"].before == ("from subject import amount",)


def test_what_is_refused_or_needs_the_test_runner_is_no_use(target: Target) -> None:
    found = asked(shown_uses(target, ()))
    assert "amount()" not in found
    assert not any("pytest" in each for each in found)


def test_uses_that_say_a_name_come_first(target: Target) -> None:
    first = shown_uses(target, ("made",))[0]
    assert "made" in first.asked
