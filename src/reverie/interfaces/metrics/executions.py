"""Executions counted as they come: each look reads only what was recorded since the last."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection

from reverie.interfaces.metrics.exposition import Histogram
from reverie.model.observation import Observation
from reverie.store.pruned import Bucket, counted_buckets, merged, recorded_buckets
from reverie.store.tallies import BOUNDS_SECONDS

Samples = tuple[Observation, ...]


@dataclass(slots=True)
class ExecutionCounts:
    """Totals that only grow, whatever is pruned meanwhile."""

    _last: int = 0
    _prune: str | None = None
    _buckets: tuple[Bucket, ...] = ()

    def look(self, connection: Connection) -> None:
        """Count what is new; after a prune, from what is kept of it."""
        prune, counted = counted_buckets(connection)
        if prune != self._prune or not self._buckets:
            self._prune, self._last, self._buckets = prune, counted.last, counted.buckets
        recorded = recorded_buckets(connection, self._last)
        self._last = max(self._last, recorded.last)
        self._buckets = merged((*self._buckets, *recorded.buckets))

    def totals(self) -> Mapping[str, Samples]:
        """By outcome, tier and target; CPU time; the mean time of a test run."""
        cpu: dict[tuple[str, str], float] = defaultdict(float)
        counts: dict[tuple[str, str, str], int] = defaultdict(int)
        for each in self._buckets:
            cpu[each.tier, each.target] += each.cpu_seconds
            counts[each.outcome, each.tier, each.target] += each.executions
        return {
            "executions": tuple(
                Observation(count, {"outcome": outcome, "tier": tier, "target": target})
                for (outcome, tier, target), count in sorted(counts.items())
            ),
            "cpu": tuple(
                Observation(seconds, {"tier": tier, "target": target})
                for (tier, target), seconds in sorted(cpu.items())
            ),
            "test_seconds": self._mean_of("pytest"),
        }

    def histograms(self) -> tuple[Histogram, ...]:
        """Durations by tier and target."""
        places = sorted({(each.tier, each.target) for each in self._buckets})
        return tuple(self._histogram(tier, target) for tier, target in places)

    def _histogram(self, tier: str, target: str) -> Histogram:
        counts, total = [0] * (len(BOUNDS_SECONDS) + 1), 0.0
        for each in self._buckets:
            if (each.tier, each.target) == (tier, target) and each.place >= 0:
                counts[each.place] += each.executions
                total += each.total_ms / 1000
        return Histogram({"tier": tier, "target": target}, BOUNDS_SECONDS, tuple(counts), total)

    def _mean_of(self, target: str) -> Samples:
        some = [each for each in self._buckets if each.target == target and each.place >= 0]
        count = sum(each.executions for each in some)
        mean = sum(each.total_ms for each in some) / 1000 / count if count else None
        return () if mean is None else (Observation(mean),)
