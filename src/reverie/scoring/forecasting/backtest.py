"""Forecasts of the past: what each model would have said, and how far off it was."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reverie.scoring.forecasting.models import MODELS, Model

LEAST_HISTORY = 5
_MOST_ORIGINS = 16
_CLOSE = 1.05
"""A model that is not worse than the best by more than this may still be used with it."""


@dataclass(frozen=True, slots=True)
class Miss:
    """One forecast of the past: how many cycles ahead, and what came less what was expected."""

    origin: int
    ahead: int
    error: float


@dataclass(frozen=True, slots=True)
class Chosen:
    """The models that history speaks for, with what they missed by when used together."""

    names: tuple[str, ...]
    misses: tuple[Miss, ...]

    def expect(self, values: Sequence[float], ahead: int) -> list[float]:
        """The mean of what they expect."""
        return _together(values, ahead, self.names)

    @property
    def error(self) -> float | None:
        """Mean absolute error one cycle ahead."""
        return mean_error([each for each in self.misses if each.ahead == 1])


def choose(values: Sequence[float], ahead: int, models: Mapping[str, Model] = MODELS) -> Chosen:
    """The model with the least error over all rolling origins, with any that is as good."""
    origins = range(max(LEAST_HISTORY - 1, len(values) - _MOST_ORIGINS), len(values))
    missed = {name: _misses(values, ahead, (name,), origins) for name in models}
    errors = {name: mean_error(each) for name, each in missed.items()}
    known = {name: error for name, error in errors.items() if error is not None}
    if not known:
        return Chosen(("median",), ())
    least = min(known.values())
    names = tuple(name for name, error in known.items() if error <= least * _CLOSE)
    return Chosen(names, tuple(_misses(values, ahead, names, origins)))


def mean_error(misses: Sequence[Miss]) -> float | None:
    """The mean of the absolute errors; None without any."""
    return sum(abs(each.error) for each in misses) / len(misses) if misses else None


def _misses(
    values: Sequence[float], ahead: int, names: Sequence[str], origins: range
) -> list[Miss]:
    found = []
    for origin in origins:
        reach = min(ahead, len(values) - origin)
        expected = _together(values[:origin], reach, names)
        found += [
            Miss(origin, each + 1, values[origin + each] - expected[each]) for each in range(reach)
        ]
    return found


def _together(values: Sequence[float], ahead: int, names: Sequence[str]) -> list[float]:
    each = [MODELS[name](values, ahead) for name in names]
    return [sum(at) / len(names) for at in zip(*each, strict=True)]
