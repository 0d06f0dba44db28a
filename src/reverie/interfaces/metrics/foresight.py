"""What is foreseen of modules and workflows, worked out once in a while."""

import time
from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING

from reverie.interfaces.metrics.catalogue import Samples
from reverie.model.observation import Observation

if TYPE_CHECKING:
    from reverie.settings import Loaded
    from reverie.store import Journal

EVERY_SECONDS = 60.0
MOST_SUBJECTS = 200
"""Of which a forecast is made; those with most cycles first."""


class ForesightLook:
    """Forecasts change with a cycle, and cost more than counting: they are kept for a while."""

    def __init__(self, loaded: "Loaded") -> None:
        self._loaded = loaded
        self._made_at: float | None = None
        self._made: Mapping[str, Samples] = {}

    def look(self, journal: "Journal") -> Mapping[str, Samples]:
        """Worth of the last cycle and of those to come, by subject."""
        now = time.monotonic()
        if self._made_at is None or now - self._made_at > EVERY_SECONDS:
            self._made, self._made_at = self._make(journal), now
        return self._made

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
