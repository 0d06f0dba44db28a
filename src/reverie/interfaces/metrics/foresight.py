"""What is foreseen of modules and workflows, worked out once in a while."""

import threading
import time
from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING

from reverie.errors import StoreError
from reverie.interfaces.metrics.catalogue import Samples
from reverie.model.observation import Observation
from reverie.store.latest import newest_figures

if TYPE_CHECKING:
    from reverie.settings import Loaded
    from reverie.store import Journal

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
        from reverie.bootstrap.scores import open_foresight_tracker
        from reverie.learning.foresight.forecaster import UpgradeForecaster

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
