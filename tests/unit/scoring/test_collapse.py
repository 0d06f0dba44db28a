"""Every label of a series of worth, on series made for it."""

import math

import pytest

from reverie.model.foresight import CollapseRisk, CycleMetrics, RiskLabel
from reverie.scoring.samples import theil_sen
from reverie.scoring.trajectory import collapse_risk, is_brittle, trend_of, volatility_of


def risk_of(*worths: float | None) -> CollapseRisk:
    return collapse_risk([CycleMetrics(roi_delta=each) for each in worths])


@pytest.mark.parametrize(
    ("worths", "label"),
    [
        ((), RiskLabel.UNKNOWN),
        ((5.0, 4.0), RiskLabel.UNKNOWN),
        ((5.0, 4.0, 3.0, 2.0), RiskLabel.UNKNOWN),
        ((math.nan,) * 8, RiskLabel.UNKNOWN),
        ((None, 5.0, math.inf, 4.0, math.nan, 5.0, 5.0), RiskLabel.UNKNOWN),
        ((7.0,) * 10, RiskLabel.STABLE),
        ((0.0,) * 10, RiskLabel.STABLE),
        (tuple(range(1, 11)), RiskLabel.STABLE),
        ((10.0, 10.2, 9.9, 10.1, 9.8, 10.0, 10.1, 9.9, 10.2, 10.0), RiskLabel.STABLE),
        ((10.0, 10.1, 9.9, 10.0, 90.0, 10.1, 10.0, 9.9, 10.1, 10.0), RiskLabel.STABLE),
        ((5.0, -5.0, 6.0, -4.0, 5.0, -6.0, 5.0, -5.0, 4.0, -5.0), RiskLabel.VOLATILE),
        (tuple(50 - each for each in range(10)), RiskLabel.SLOW_DECAY),
        (tuple(20 - 2 * each for each in range(10)), RiskLabel.IMMEDIATE),
        ((10.0, 10.1, 9.9, 10.0, 10.1, 9.9, 7.6, 5.4, 3.1, 1.0), RiskLabel.IMMEDIATE),
        ((-3.0,) * 10, RiskLabel.IMMEDIATE),
        (tuple(-10.0 - each for each in range(10)), RiskLabel.IMMEDIATE),
        (tuple(-10.0 + 0.1 * each for each in range(10)), RiskLabel.IMMEDIATE),
        (tuple(-10.0 + 1.05 * each for each in range(10)), RiskLabel.STABLE),
    ],
    ids=str,
)
def test_the_label_of_a_series(worths: tuple[float | None, ...], label: RiskLabel) -> None:
    assert risk_of(*worths).risk is label


def test_no_data_is_unknown_and_says_nothing_else() -> None:
    assert risk_of() == CollapseRisk(RiskLabel.UNKNOWN, False, None, None, None, 0.0, 0)
    assert trend_of([]).slope is None
    assert theil_sen([1.0]) is None
    assert volatility_of([1.0, 2.0]) is None


def test_the_cycles_that_are_left() -> None:
    assert risk_of(*(20 - 2 * each for each in range(10))).collapse_in == 1
    assert risk_of(*(50 - each for each in range(10))).collapse_in == 41
    assert risk_of(*range(1, 11)).collapse_in is None
    assert risk_of(*(-1.0,) * 6).collapse_in == 0


def test_only_the_last_ten_cycles_count() -> None:
    late = [50.0 - each for each in range(10)]
    assert risk_of(*range(30), *late) == risk_of(*late)


def test_the_interval_of_a_slope_holds_it_and_an_outlier_does_not_move_it() -> None:
    found = theil_sen([1.0, 2.0, 3.0, 4.0, 500.0, 6.0, 7.0, 8.0])
    assert found is not None
    assert found.low <= found.value <= found.high
    assert found.value == pytest.approx(1.0)


def _cycle(worth: float, degradation: float | None) -> CycleMetrics:
    return CycleMetrics(roi_delta=worth, scenario_degradation=degradation)


def test_brittle_is_a_small_rise_with_a_fall_ten_times_as_large() -> None:
    assert is_brittle([_cycle(5.0, 0.1), _cycle(4.0, 0.12)])
    assert not is_brittle([_cycle(5.0, 0.1), _cycle(4.9, 0.12)])
    assert not is_brittle([_cycle(5.0, 0.1), _cycle(1.0, 0.4)])
    assert not is_brittle([_cycle(5.0, 0.1), _cycle(1.0, 0.1)])
    assert not is_brittle([_cycle(5.0, None), _cycle(1.0, 0.1)])
    assert not is_brittle([])


def test_confidence_grows_with_cycles_that_are_well_foretold() -> None:
    short, long = (risk_of(*range(1, n)).confidence for n in (6, 11))
    assert 0 < short < long < 1


def test_where_brittle_begins() -> None:
    assert is_brittle([_cycle(5.0, None), _cycle(5.0, 0.1), _cycle(4.0, 0.12)])
    assert not is_brittle([_cycle(5.0, 0.0), _cycle(1.0, 0.05)])
    assert not is_brittle([_cycle(5.0, 0.0), _cycle(4.6875, 0.03125)])
    assert is_brittle([_cycle(5.0, 0.0), _cycle(4.6874, 0.03125)])


def test_a_rise_that_takes_longer_than_five_cycles_does_not_save() -> None:
    rising = [-10.5 + each for each in range(6)]
    assert risk_of(*rising).risk is RiskLabel.IMMEDIATE
    assert risk_of(*(each + 1.0 for each in rising)).risk is RiskLabel.STABLE


def test_whoever_asks_says_from_where_a_series_is_volatile() -> None:
    history = [CycleMetrics(roi_delta=each) for each in (9.0, 10.5, 9.2, 10.1, 9.9, 10.4)]
    volatility = collapse_risk(history).volatility
    assert volatility is not None
    assert 0 < volatility < 1
    assert collapse_risk(history).risk is RiskLabel.STABLE
    assert collapse_risk(history, volatility).risk is RiskLabel.VOLATILE
    assert collapse_risk(history, volatility * 1.01).risk is RiskLabel.STABLE
