"""What is left of a workflow under faults."""

import math
from collections.abc import Sequence

from reverie.scoring.quantile import quantile

NOISE_SECONDS = 0.02


def p95(seconds: Sequence[float]) -> float | None:
    """The time that 95 of 100 runs stay below; None without runs."""
    return quantile(sorted(seconds), 0.95) if seconds else None


def degradation(pass_rate: float, baseline_p95: float, own_p95: float) -> float:
    """What is lost: one less the pass rate times the baseline's p95 over p95, within 0 and 1.

    Times below `NOISE_SECONDS` count as that: what differs there is the machine's doing.
    """
    if not math.isfinite(own_p95):
        return 1.0
    kept = max(baseline_p95, NOISE_SECONDS) / max(own_p95, NOISE_SECONDS)
    return min(1.0, max(0.0, 1.0 - pass_rate * kept))


def stability(values: Sequence[float]) -> float | None:
    """1 / (1 + coefficient of variation): 1 when nothing moves; None below two values."""
    if len(values) < 2:
        return None
    mean = sum(values) / len(values)
    deviation = math.sqrt(sum((each - mean) ** 2 for each in values) / (len(values) - 1))
    if deviation == 0:
        return 1.0
    return 1.0 / (1.0 + deviation / abs(mean)) if mean else 0.0
