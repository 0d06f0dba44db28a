"""Samples taken from the journal: executions, the standing of repositories, and forecasts.

Executions are counted as they come: each look reads only what was recorded since the last.
Forecasts of modules and workflows are worked out once in a while.
"""

import threading
import time
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from reverie.errors import StoreError
from reverie.interfaces.metrics.catalogue import Histogram, Samples
from reverie.model.events import Observation
from reverie.store.cycles.repositories import (
    LatestCycle,
    latest_cycles,
    latest_health,
    newest_figures,
)
from reverie.store.retention import Bucket, counted_buckets, merged, recorded_buckets
from reverie.store.tallies import BOUNDS_SECONDS

if TYPE_CHECKING:
    from reverie.settings import Loaded
    from reverie.store import Journal


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


_SECOND = 1e6


def standing(connection: Connection) -> Mapping[str, Samples]:
    """Of every repository its last cycle and its suite; the health of dreams."""
    cycles = latest_cycles(connection)
    health = latest_health(connection)
    ended = [each for each in cycles if each.ended_us is not None]
    return {
        "last_start": tuple(_of(each, each.started_us / _SECOND) for each in cycles),
        "last_end": tuple(_of(each, (each.ended_us or 0) / _SECOND) for each in ended),
        "last_seconds": tuple(_of(each, each.seconds) for each in cycles),
        "suite_tests": tuple(
            _of(each, each.figures[outcome], outcome=outcome)
            for each in cycles
            for outcome in ("passed", "failed")
            if outcome in each.figures
        ),
        "line_coverage": _shares(cycles, "line_coverage"),
        "branch_coverage": _shares(cycles, "branch_coverage"),
        "health": () if health is None else (Observation(health),),
    }


def _shares(cycles: tuple[LatestCycle, ...], name: str) -> Samples:
    return tuple(
        _of(each, each.figures[name]) for each in cycles if each.figures.get(name) is not None
    )


def _of(cycle: LatestCycle, value: float, **labels: str) -> Observation:
    return Observation(float(value), {"repository": cycle.repository, **labels})


EVERY_SECONDS = 60.0
MOST_SUBJECTS = 200
"""Of which a forecast is made; those with most cycles first."""


class ForesightLook:
    """Forecasts change with a cycle, and cost more than counting: they are kept for a while."""

    def __init__(self, loaded: "Loaded", patience_seconds: float | None = None) -> None:
        """`patience_seconds`: how long the first look waits; None: until it is there."""
        self._loaded = loaded
        self._patience = patience_seconds
        self._made_at: float | None = None
        self._made: Mapping[str, Samples] = {}
        self._newest: tuple[int, ...] | None = None
        """When what forecasts are made from last changed; the same again: so are they."""
        self._making: threading.Thread | None = None

    def look(self, journal: "Journal") -> Mapping[str, Samples]:
        """Worth of the last cycle and of those to come, by subject.

        Only the first look waits for it; later ones are told what is known, and have it made anew.
        """
        if self._made_at is None and self._patience is None:
            self._made, self._made_at = self._make(journal), time.monotonic()
        elif self._made_at is None or time.monotonic() - self._made_at > EVERY_SECONDS:
            self._have_it_made(journal)
        return self._made

    def _have_it_made(self, journal: "Journal") -> None:
        if self._making is not None and self._making.is_alive():
            return
        newest = newest_figures(journal)
        if self._made_at is not None and newest == self._newest:
            self._made_at = time.monotonic()
            return
        is_first, self._newest = self._making is None, newest
        self._making = threading.Thread(target=self._make_again, daemon=True)
        self._making.start()
        if is_first and self._made_at is None:
            self._making.join(self._patience)

    def _make_again(self) -> None:
        from reverie.store import Journal

        url = self._loaded.journal_url
        try:
            found = None if url is None else Journal.find(url)
            if found is not None:
                with found as journal:
                    self._made = self._make(journal)
        except StoreError:
            return  # busy or gone: the look that finds it so says so
        self._made_at = time.monotonic()

    def _make(self, journal: "Journal") -> Mapping[str, Samples]:
        from reverie.bootstrap.governance import open_foresight_tracker
        from reverie.learning.foresight_tracker import UpgradeForecaster

        repository, settings = self._loaded.repository, self._loaded.settings
        tracker = open_foresight_tracker(journal, repository, settings)
        forecaster = UpgradeForecaster(tracker)
        found: dict[str, list[Observation]] = defaultdict(list)
        longest = sorted(tracker.history, key=lambda name: -len(tracker.worths(name)))
        for subject in longest[:MOST_SUBJECTS]:
            of = {"subject": subject}
            worths = tracker.worths(subject)
            found["foresight_cycles"].append(Observation(len(worths), of))
            if worths:
                found["foresight_roi"].append(Observation(worths[-1], of))
            forecast = forecaster.forecast(subject)
            if forecast.cycles:
                found["forecast_confidence"].append(Observation(forecast.confidence, of))
            for each in forecast.cycles:
                ahead = {**of, "ahead": str(each.cycle)}
                found["forecast_roi"].append(Observation(each.roi, ahead))
                found["forecast_risk"].append(Observation(each.risk, ahead))
        return {name: tuple(some) for name, some in found.items()}
