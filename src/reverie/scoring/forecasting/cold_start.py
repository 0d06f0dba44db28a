"""The first cycles: what others did at that age, shifted to where this one stands."""

from collections.abc import Sequence

from reverie.model.foresight import Forecast
from reverie.scoring.forecasting.backtest import LEAST_HISTORY, Miss
from reverie.scoring.forecasting.intervals import widths_of
from reverie.scoring.forecasting.models import drift, naive
from reverie.scoring.robust import finite, median


def borrow(
    values: Sequence[float], ahead: int, others: Sequence[Sequence[float]]
) -> Forecast | None:
    """A blend of what the few cycles say and what similar curves did; None without any to borrow.

    The share of the others is (5 - n) / 5, and the forecast says so.
    """
    n = len(values)
    curves = [finite(each) for each in others]
    curves = [each for each in curves if len(each) >= n + ahead]
    if not curves:
        return None
    share = (LEAST_HISTORY - n) / LEAST_HISTORY
    shifted = [_continued(each, values, ahead) for each in curves]
    theirs = [median(at) for at in zip(*shifted, strict=True)]
    own = _own(values, ahead)
    expected = [
        share * their + (1 - share) * mine
        for their, mine in zip(theirs, own if own is not None else theirs, strict=True)
    ]
    misses = [
        Miss(place, at + 1, curve[at] - theirs[at])
        for place, curve in enumerate(shifted)
        for at in range(ahead)
    ]
    widths = widths_of(misses, curves[0])
    from reverie.scoring.forecasting.forecast import project

    projections = tuple(project(value, at + 1, widths) for at, value in enumerate(expected))
    return Forecast("templates", projections, n, None, None, share)


def _continued(curve: Sequence[float], values: Sequence[float], ahead: int) -> list[float]:
    """What another curve did after this age, moved by how far the two lie apart so far."""
    n = len(values)
    apart = median([mine - other for mine, other in zip(values, curve, strict=False)]) if n else 0.0
    return [each + apart for each in curve[n : n + ahead]]


def _own(values: Sequence[float], ahead: int) -> list[float] | None:
    if not values:
        return None
    return naive(values, ahead) if len(values) < 3 else drift(values, ahead)
