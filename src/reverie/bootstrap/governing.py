"""Governance of cycles, wired: history from the journal, the owner's rules, people's words."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reverie.cycle.governing import Governor
    from reverie.cycle.local import LocalWorkshop
    from reverie.cycle.pairing import Pairing
    from reverie.learning.foresight.tracker import ForesightTracker
    from reverie.model.cycle import CycleRecord
    from reverie.settings import Loaded
    from reverie.store import Journal

FLAGS = "flags"


def open_governor(loaded: Loaded, journal: Journal, workshop: LocalWorkshop) -> Governor:
    """What rules on the promotions of one cycle."""
    from reverie.bootstrap.scores import (
        open_foresight_tracker,
        open_policy,
        open_roi_tracker,
    )
    from reverie.cycle.governing import Governor
    from reverie.cycle.impact import impact_graph
    from reverie.store.worth import load_worths

    repository, settings = loaded.repository, loaded.settings
    policy = open_policy(journal, loaded)
    return Governor(
        worths=partial(open_roi_tracker, journal, repository, settings),
        tracker=open_foresight_tracker(journal, repository, settings),
        graph=impact_graph(workshop.grounds.index, load_worths(journal, repository)),
        policy=replace(policy, needs_history=settings.governance.needs_history),
        alignment=settings.alignment,
        pilots=workshop.pilots,
        recording=partial(_recording, journal, loaded),
        flags=loaded.data_dir / FLAGS,
    )


def open_pairing(workshop: LocalWorkshop, seed: int) -> Pairing:
    """What looks at dreams together."""
    from reverie.cycle.pairing import Pairing

    return Pairing(workshop.trying.prove_together, seed, frozenset(workshop.grounds.index.edges))


def _recording(journal: Journal, loaded: Loaded, record: CycleRecord) -> ForesightTracker | None:
    """A tracker that writes into the journal; None where this cycle is recorded already."""
    from reverie.learning.foresight.tracker import ForesightTracker
    from reverie.store.foresight import ForesightMemory

    memory = ForesightMemory(journal, loaded.repository, record.header.id)
    if memory.has_recorded(record.header.id):
        return None
    return ForesightTracker(memory, loaded.settings.governance.volatility)
