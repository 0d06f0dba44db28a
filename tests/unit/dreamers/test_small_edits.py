"""Small edits of one function, and of nothing else."""

import pytest

from reverie.dreamers.fuzz.small_edits import small_edits

SOURCE = '''"""Things."""


def heaviest(weights, count):
    """The heaviest first."""
    ordered = sorted(weights, key=lambda name: weights[name])
    return ordered[:count]


class Till:
    def tens(self, cents):
        return cents // 10 * 10
'''


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("heaviest", "    ordered = sorted(weights, key=lambda name: weights[name], reverse=True)"),
        ("Till.tens", "        return round(cents / 10) * 10"),
        ("Till.tens", "        return cents // 10 / 10"),
    ],
)
def test_likely_slips_and_planted_faults_are_tried(name: str, line: str) -> None:
    assert any(line in each.splitlines() for each in small_edits(SOURCE, name))


def test_nothing_else_is_touched() -> None:
    for each in small_edits(SOURCE, "heaviest"):
        assert each.partition("class Till")[2] == SOURCE.partition("class Till")[2]
        assert '"""The heaviest first."""' in each


def test_a_function_that_is_not_there_has_none() -> None:
    assert small_edits(SOURCE, "lightest") == ()
    assert small_edits(SOURCE, "Till.hundreds") == ()
