"""Three numbers that describe a set of timings."""

import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Summary:
    """`min` is nearest to an idle machine; the others include whoever else was running."""

    count: int
    median: float
    p95: float
    min: float

    def as_dict(self) -> dict[str, float]:
        """For the JSON document."""
        return asdict(self)


def summarize(values: Sequence[float]) -> Summary:
    """Median, 95th percentile (nearest rank) and minimum."""
    ordered = sorted(values)
    rank = max(0, -(-95 * len(ordered) // 100) - 1)
    return Summary(len(ordered), statistics.median(ordered), ordered[rank], ordered[0])
