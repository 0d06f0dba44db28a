"""How alike lists of steps are, what is left under faults, and how likely a dream works."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.model.workflow_evolution import Overfitting
from reverie.scoring.roi import viability
from reverie.scoring.workflows import (
    NOISE_SECONDS,
    degradation,
    entropy_bits,
    graph_likeness,
    jaccard,
    overfitting,
    p95,
    sequence_likeness,
    stability,
    step_graph,
)

STEPS = st.lists(st.sampled_from("abcd"), max_size=6)


@pytest.mark.parametrize(
    ("first", "second", "likeness"),
    [
        ("", "", 1.0), ("a", "", 0.0), ("", "a", 0.0), ("abc", "abc", 1.0), ("abc", "cba", 1 / 3),
        ("abc", "ab", 0.8), ("abc", "xabc", 6 / 7), ("ab", "xy", 0.0), ("aab", "ab", 0.8),
        ("ab", "aab", 0.8), ("abcbdab", "bdcaba", 8 / 13), ("aa", "a", 2 / 3),
    ],
)  # fmt: skip
def test_order_in_common_over_the_mean_length(first: str, second: str, likeness: float) -> None:
    assert sequence_likeness(first, second) == pytest.approx(likeness)


@given(STEPS, STEPS)
def test_likeness_is_mutual_and_whole_only_with_itself(first: list[str], second: list[str]) -> None:
    for likeness in (sequence_likeness, graph_likeness, jaccard):
        value = likeness(first, second)
        assert value == pytest.approx(likeness(second, first))
        assert -1e-9 <= value <= 1 + 1e-9
    assert sequence_likeness(first, first) == 1.0
    assert (sequence_likeness(first, second) == 1.0) is (first == second)
    if first:
        assert graph_likeness(first, first) == pytest.approx(1.0)


def test_steps_are_tied_to_their_neighbours_as_often_as_they_meet() -> None:
    assert step_graph("abab", "bc", "d") == {
        "a": {"b": 3.0}, "b": {"a": 3.0, "c": 1.0}, "c": {"b": 1.0}, "d": {},
    }  # fmt: skip
    assert step_graph("aa") == {"a": {}}
    assert step_graph() == {}


def test_heat_spreads_over_a_tie_as_physics_says() -> None:
    """Of two tied steps each keeps (1 + e^-2t) / 2 of its heat, t being one."""
    kept, given_away = (1 + math.exp(-2)) / 2, (1 - math.exp(-2)) / 2
    norm = math.sqrt(2 * kept**2 + 2 * given_away**2)
    assert graph_likeness("ab", "a") == pytest.approx(kept / norm, rel=1e-9)
    assert graph_likeness("ab", "ba") == pytest.approx(1.0)
    assert graph_likeness("ab", "cd") == 0.0
    assert graph_likeness("", "a") == graph_likeness("", "") == 0.0


def test_three_steps_in_a_row_against_two() -> None:
    """The Laplacian of three in a row has the eigenvalues 0, 1 and 3; of two, 0 and 2."""
    one, three = math.exp(-1), math.exp(-3)
    ends, middle, tie = 1 / 3 + one / 2 + three / 6, 1 / 3 + 2 * three / 3, 1 / 3 - three / 3
    kept, given_away = (1 + math.exp(-2)) / 2, (1 - math.exp(-2)) / 2
    norms = math.sqrt(1 + one**2 + three**2) * math.sqrt(1 + math.exp(-4))
    expected = (kept * (ends + middle) + 2 * given_away * tie) / norms
    assert graph_likeness("abc", "ab") == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("names", "bits"),
    [("", 0.0), ("a", 0.0), ("aaaa", 0.0), ("ab", 1.0), ("abcd", 2.0), ("aab", 0.9183)],
)
def test_entropy_in_bits(names: str, bits: float) -> None:
    assert entropy_bits(names) == pytest.approx(bits, abs=1e-4)


@pytest.mark.parametrize(
    ("first", "second", "share"),
    [("", "", 1.0), ("a", "", 0.0), ("ab", "bc", 1 / 3), ("aab", "ba", 1.0)],
)
def test_share_of_names_in_common(first: str, second: str, share: float) -> None:
    assert jaccard(first, second) == pytest.approx(share)


def test_leaning_on_few_modules_is_overfitting() -> None:
    assert overfitting("abc") == Overfitting(pytest.approx(math.log2(3)), False, ())
    assert overfitting("ab") == Overfitting(1.0, False, ())
    assert overfitting("aab").is_low_entropy
    assert overfitting("bbbbaaaac").repeated == ("a", "b")
    assert overfitting("aaabc").repeated == ()


@pytest.mark.parametrize(
    ("passed", "before", "now", "lost"),
    [
        (1.0, 1.0, 1.0, 0.0), (1.0, 1.0, 2.0, 0.5), (0.5, 1.0, 1.0, 0.5), (0.5, 1.0, 2.0, 0.75),
        (1.0, 2.0, 1.0, 0.0), (0.0, 1.0, 1.0, 1.0), (1.0, 0.001, 0.019, 0.0),
        (1.0, 0.001, 0.04, 0.5),
        (1.0, 1.0, math.inf, 1.0), (1.0, 1.0, math.nan, 1.0), (0.25, 4.0, 2.0, 0.5),
    ],
)  # fmt: skip
def test_what_is_lost_under_faults(passed: float, before: float, now: float, lost: float) -> None:
    assert degradation(passed, before, now) == pytest.approx(lost)
    assert NOISE_SECONDS == 0.02


def test_the_slowest_of_twenty_runs_decides() -> None:
    assert p95([]) is None
    assert p95([2.0]) == 2.0
    assert p95([float(n) for n in range(100, -1, -1)]) == pytest.approx(95.0)


@pytest.mark.parametrize(
    ("values", "steady"),
    [
        ([], None), ([1.0], None), ([1.0, 1.0], 1.0), ([0.0, 0.0], 1.0), ([-1.0, 1.0], 0.0),
        ([1.0, 3.0], 1 / (1 + math.sqrt(2) / 2)), ([-1.0, -3.0], 1 / (1 + math.sqrt(2) / 2)),
        ([1.0, 2.0, 3.0], 1 / 1.5),
    ],
)  # fmt: skip
def test_steady_is_one_over_one_and_the_variation(
    values: list[float], steady: float | None
) -> None:
    assert stability(values) == (None if steady is None else pytest.approx(steady))


@pytest.mark.parametrize(
    ("passed", "looked_at", "findings", "growth", "chance"),
    [
        (0, 0, 0, 0.0, 0.5), (1, 1, 0, 0.0, 2 / 3), (0, 8, 0, 0.0, 0.1), (0, 0, 1, 0.0, 0.25),
        (0, 0, 2, 0.0, 0.125), (0, 0, 0, 1.0, 0.4), (0, 0, 0, 0.5, 0.45), (0, 0, 0, 9.0, 0.4),
        (0, 0, 0, -1.0, 0.5), (8, 8, 1, 1.0, 0.36),
    ],
)  # fmt: skip
def test_a_dream_is_as_likely_as_its_rule_has_been(
    passed: int, looked_at: int, findings: int, growth: float, chance: float
) -> None:
    found = viability(passed, looked_at, findings, growth)
    assert found == pytest.approx(chance)
    assert type(found) is float
