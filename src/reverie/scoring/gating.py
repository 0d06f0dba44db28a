"""Whether another attempt is worth it, by what the earlier ones gained."""

from collections.abc import Sequence
from dataclasses import dataclass

_MEMORY = 0.5
"""Weight of the latest gain in the moving average."""


@dataclass(frozen=True, slots=True)
class Gate:
    """The answer of the gate, with what it rests on."""

    is_stable: bool
    ema: float | None
    below: int
    """How often in a row the average stayed at the threshold or below, up to now."""


def moving_averages(gains: Sequence[float]) -> list[float]:
    """The exponential moving average after each gain."""
    averages: list[float] = []
    for gain in gains:
        averages.append(gain if not averages else averages[-1] + _MEMORY * (gain - averages[-1]))
    return averages


def gate_by_gains(gains: Sequence[float], threshold: float, consecutive: int) -> Gate:
    """Stable when the moving average failed to exceed the threshold so many times in a row."""
    averages = moving_averages(gains)
    below = 0
    for average in averages:
        below = below + 1 if average <= threshold else 0
    return Gate(below >= consecutive, averages[-1] if averages else None, below)
