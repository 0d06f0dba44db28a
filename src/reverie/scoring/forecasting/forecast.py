"""One forecast: the model that history chooses, its intervals, and how often they held before."""

from collections.abc import Sequence

from reverie.model.foresight import Coverage, Forecast, Projection
from reverie.scoring.forecasting.backtest import LEAST_HISTORY, Chosen, Miss, choose
from reverie.scoring.forecasting.intervals import Widths, widths_of
from reverie.scoring.robust import finite

HORIZON = 5
_LEAST_CHECKED = 6


def forecast(
    history: Sequence[float | None], ahead: int = HORIZON, others: Sequence[Sequence[float]] = ()
) -> Forecast | None:
    """The cycles to come; None with too short a history and nobody to borrow from.

    `others`: curves of similar modules or workflows. They count (5 - n) / 5 while there are n < 5.
    """
    values = finite(history)
    if len(values) < LEAST_HISTORY:
        from reverie.scoring.forecasting.cold_start import borrow

        return borrow(values, ahead, others)
    chosen = choose(values, ahead)
    widths = widths_of(chosen.misses, values)
    expected = chosen.expect(values, ahead)
    return Forecast(
        "+".join(chosen.names),
        tuple(project(value, at + 1, widths) for at, value in enumerate(expected)),
        len(values),
        checked(values, chosen),
        chosen.error,
    )


def project(value: float, ahead: int, widths: Widths) -> Projection:
    """A value with its intervals."""
    inner, outer = widths.half(0.80, ahead), widths.half(0.95, ahead)
    return Projection(ahead, value, value - inner, value + inner, value - outer, value + outer)


def checked(values: Sequence[float], chosen: Chosen) -> Coverage | None:
    """The share of past forecasts whose intervals, made from what was known then, held."""
    held80 = held95 = n = 0
    for miss in chosen.misses:
        earlier = [each for each in chosen.misses if _was_known(each, miss)]
        if len(earlier) < _LEAST_CHECKED:
            continue
        widths = widths_of(earlier, values[: miss.origin])
        held80 += abs(miss.error) <= widths.half(0.80, miss.ahead)
        held95 += abs(miss.error) <= widths.half(0.95, miss.ahead)
        n += 1
    return Coverage(held80 / n, held95 / n, n) if n else None


def _was_known(earlier: Miss, now: Miss) -> bool:
    return earlier.origin + earlier.ahead <= now.origin
