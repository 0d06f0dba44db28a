"""Forecasts: what is chosen, how wide it is, and what is said with little to go by."""

import math

import pytest

from reverie.scoring.forecasting import MODELS, choose, forecast, period_of, student


def test_nothing_is_said_of_nothing() -> None:
    assert forecast([]) is None
    assert forecast([1.0, 2.0]) is None
    assert forecast([math.nan] * 9) is None


def test_a_constant_series_goes_on_and_its_intervals_have_no_width() -> None:
    found = forecast([3.0] * 12)
    assert found is not None
    assert {each.value for each in found.projections} == {3.0}
    assert all(each.low95 == each.high95 == 3.0 for each in found.projections)
    assert (found.error, found.n, found.borrowed) == (0.0, 12, 0.0)


def test_a_line_goes_on_as_a_line() -> None:
    found = forecast([float(each) for each in range(20)], 3)
    assert found is not None
    assert "theil-sen" in found.model
    assert [each.value for each in found.projections] == pytest.approx([20, 21, 22])


def test_a_period_is_seen_and_repeated() -> None:
    wave = [(0.0, 5.0, 1.0, -4.0)[at % 4] for at in range(24)]
    assert period_of(wave) == 4
    found = forecast(wave, 4)
    assert found is not None
    assert [each.value for each in found.projections] == pytest.approx([0, 5, 1, -4], abs=0.5)
    assert period_of([1.0] * 24) is None


def test_intervals_hold_one_another_and_the_value_and_grow_with_little_data() -> None:
    values = [10.0, 12.0, 9.0, 11.0, 13.0, 8.0, 10.0, 12.0, 9.5, 11.0]
    found = forecast(values)
    assert found is not None
    for each in found.projections:
        assert each.low95 <= each.low80 <= each.value <= each.high80 <= each.high95
    assert student(0.95, 4) > student(0.95, 40) > 1.96


def test_the_intervals_are_checked_against_the_history() -> None:
    noise = [10 + (each * 7919 % 13 - 6) / 3 for each in range(30)]
    found = forecast(noise)
    assert found is not None
    assert found.coverage is not None
    assert found.coverage.n > 20
    assert 0.6 <= found.coverage.share80 <= found.coverage.share95 <= 1
    short = forecast(noise[:5])
    assert short is not None
    assert short.coverage is None


def test_every_model_takes_the_shortest_history() -> None:
    for model in MODELS.values():
        assert len(model([1.0, 5.0, 2.0, 2.0], 5)) == 5
    assert choose([1.0, 2.0, 3.0], 2).names == ("median",)


def test_a_cold_start_borrows_and_says_so() -> None:
    others = [[float(each) for each in range(12)], [each * 1.2 for each in range(12)]]
    first = forecast([], 3, others)
    assert first is not None
    assert (first.model, first.borrowed, first.coverage) == ("templates", 1.0, None)
    assert [each.value for each in first.projections] == pytest.approx([0, 1.1, 2.2])
    later = forecast([10.0, 11.0], 3, others)
    assert later is not None
    assert later.borrowed == pytest.approx(0.6)
    assert 11 < later.projections[0].value < 13
    assert forecast([1.0], 3, [[1.0, 2.0]]) is None


def test_what_is_not_a_number_is_left_out() -> None:
    found = forecast([1.0, math.nan, 2.0, None, 3.0, math.inf, 4.0, 5.0, 6.0])
    assert found is not None
    assert found.n == 6
