"""How time grows with the size of the input: the exponent of n, with its interval."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from reverie.model.benchmark import Estimate
from reverie.scoring.chance import draws
from reverie.scoring.quantile import estimate, quantile

LEAST_SIZES = 3
_RESAMPLES = 500


def growth_exponent(seconds: Mapping[int, Sequence[float]], seed: int) -> Estimate | None:
    """The slope of log time over log n through the medians; None with fewer than three sizes."""
    sizes = sorted(size for size, times in seconds.items() if times and min(times) > 0)
    if len(sizes) < LEAST_SIZES:
        return None
    value = _slope([(size, _median(seconds[size])) for size in sizes])
    streams = {size: draws(seed + size, len(seconds[size])) for size in sizes}
    resampled = [
        _slope([(size, _median(_again(seconds[size], streams[size]))) for size in sizes])
        for _ in range(_RESAMPLES)
    ]
    return estimate(value, resampled)


def _again(times: Sequence[float], stream: Iterator[int]) -> list[float]:
    return [times[each] for each in islice(stream, len(times))]


def _median(times: Sequence[float]) -> float:
    return quantile(sorted(times), 0.5)


def _slope(points: Sequence[tuple[int, float]]) -> float:
    xs = [math.log(size) for size, _ in points]
    ys = [math.log(time) for _, time in points]
    x_mean, y_mean = sum(xs) / len(xs), sum(ys) / len(ys)
    rise = sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys, strict=True))
    return rise / sum((x - x_mean) ** 2 for x in xs)
