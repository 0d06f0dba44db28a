"""All metrics of one journal. Looking reads; it never waits for a cycle, nor a cycle for it."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from reverie import __version__
from reverie.interfaces.metrics.catalogue import (
    DOCUMENT_NAMES,
    GAUGE,
    METRICS,
    DocumentName,
    Family,
    Metric,
    Samples,
    exposition,
)
from reverie.interfaces.metrics.samples import ExecutionCounts, ForesightLook, standing
from reverie.model.events import Observation
from reverie.store import Journal
from reverie.store.cycles.measures import observed
from reverie.store.database.backend import SCHEMA_VERSION
from reverie.store.tallies import tally

if TYPE_CHECKING:
    from reverie.settings import Loaded

Pool = Callable[[], Mapping[str, int]]
_OBSERVED = frozenset({"orphans", "synergy", "trainer_iterations", "trainer_last_id"})
_BARS = ("borderline_raroi", "borderline_confidence", "roi_threshold", "completion_points")

FIRST_SCRAPE_SECONDS = 1.0
"""A scraper does not wait for forecasts over a journal of years: they come with a later scrape."""


class Exporter:
    """Counts along while it lives: ask one exporter often rather than many once."""

    def __init__(
        self,
        loaded: "Loaded",
        pool: Pool | None = None,
        keys: frozenset[str] | None = None,
        lend: Callable[[], Journal | None] | None = None,
        patience_seconds: float | None = None,
    ) -> None:
        self._loaded = loaded
        self._lend = lend
        self._pool = pool
        self._keys = keys
        self._counts = ExecutionCounts()
        self._foresight = ForesightLook(loaded, patience_seconds)
        self._one_at_a_time = threading.Lock()

    def render(self) -> str:
        """The text that Prometheus reads."""
        with self._one_at_a_time:
            return exposition(self.families())

    def families(self) -> list[Family]:
        """Every metric, ours first, then the documents' names."""
        found = self._samples()
        ours = [self._family(each, found) for each in METRICS if self._is_wanted(each.key)]
        also = [_renamed(each, found) for each in DOCUMENT_NAMES if self._is_wanted(each.key)]
        return [*ours, *also, *_synergies(found.get("synergy", ()))]

    def _is_wanted(self, key: str) -> bool:
        return self._keys is None or key in self._keys

    def _family(self, metric: Metric, found: Mapping[str, Samples]) -> Family:
        histograms = self._counts.histograms() if metric.key == "durations" else ()
        samples = found.get(metric.key, ())
        return Family(metric.name, metric.kind, metric.help, samples, histograms)

    def _samples(self) -> Mapping[str, Samples]:
        found = {"info": _info(), "slots": self._slots(), "threshold": self._thresholds()}
        with self._opened() as journal:
            return found if journal is None else {**found, **self._journaled(journal)}

    @contextmanager
    def _opened(self) -> Iterator[Journal | None]:
        """The journal that somebody has open for us, or our own for as long as a look takes."""
        if self._lend is not None:
            yield self._lend()
            return
        url = self._loaded.journal_url
        journal = None if url is None else Journal.find(url)
        if journal is None:
            yield None
            return
        with journal:
            yield journal

    def _journaled(self, journal: Journal) -> Mapping[str, Samples]:
        with journal.reading() as connection:
            seen = dict(observed(connection))
            if self._keys is not None and self._keys <= _OBSERVED:
                return seen
            self._counts.look(connection)
            counted = {**self._counts.totals(), **tally(connection), **standing(connection)}
        return {**seen, **counted, **self._foresight.look(journal)}

    def _slots(self) -> Samples:
        if self._pool is None:
            return ()
        return tuple(Observation(count, {"state": state}) for state, count in self._pool().items())

    def _thresholds(self) -> Samples:
        section = self._loaded.settings.governance
        return tuple(Observation(float(getattr(section, bar)), {"name": bar}) for bar in _BARS)


def _info() -> Samples:
    return (Observation(1, {"version": __version__, "schema": SCHEMA_VERSION}),)


def _renamed(alias: DocumentName, found: Mapping[str, Samples]) -> Family:
    """A document's gauge; left out where nobody measured what it is made of."""
    values = [each.value for each in found.get(alias.key, ()) if alias.chosen(each)]
    total = sum(values) / (len(values) if alias.is_mean and values else 1)
    samples = (Observation(total),) if values else ()
    return Family(alias.name, GAUGE, f"Name of the documents for: {alias.told}.", samples)


def _synergies(samples: Samples) -> list[Family]:
    """`synergy_<metric>`: the documents have a gauge per metric."""
    by_metric: dict[str, list[Observation]] = {}
    for each in samples:
        subject = {"subject": each.labels.get("subject", "")}
        by_metric.setdefault(each.labels["metric"], []).append(Observation(each.value, subject))
    return [
        Family(f"synergy_{metric}", GAUGE, f"Interaction in {metric}.", tuple(some))
        for metric, some in sorted(by_metric.items())
        if metric.isidentifier() and metric.isascii()
    ]
