"""What runs in a worker of a cluster: a workshop per parcel, with a sandbox of its own."""

from __future__ import annotations

import atexit
import threading
from collections import OrderedDict
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from reverie.bootstrap.parcels import Parcel
    from reverie.cycle.local import LocalWorkshop
    from reverie.cycle.spread import Work
    from reverie.model.cycle import Step
    from reverie.model.dream import Dream
    from reverie.settings import Loaded

MOST_STATIONS = 2
"""Workshops that one process keeps; the one not used for longest is closed for another."""


@dataclass(frozen=True, slots=True)
class Station:
    """A workshop, and what has to be closed with it."""

    workshop: LocalWorkshop
    stack: ExitStack


_STATIONS: OrderedDict[str, Station] = OrderedDict()
_OPENING = threading.Lock()


def keep(parcel: Parcel) -> Parcel:
    """The parcel itself: a cluster that loses it asks again."""
    return parcel


def dream(parcel: Parcel, step: Step, seed: int) -> Work:
    """Let a step's dreamer loose."""
    from reverie.cycle.spread import Work
    from reverie.stages.dreamer import Allowance

    workshop = _workshop(parcel)
    before = workshop.executions
    dreamt = workshop.dream(step, Allowance(step.allowance, seed=seed))
    return Work(workshop.executions - before, dreamt)


def prove(parcel: Parcel, dream: Dream, seed: int) -> Work:
    """Try one dream, and less of it where a part is in the way."""
    from reverie.cycle.spread import Work

    workshop = _workshop(parcel)
    before = workshop.executions
    tried = workshop.trying.settle(dream, seed)
    return Work(workshop.executions - before, tried=tried)


def close_all() -> None:
    """End every workshop of this process."""
    with _OPENING:
        while _STATIONS:
            _STATIONS.popitem()[1].stack.close()


def _workshop(parcel: Parcel) -> LocalWorkshop:
    with _OPENING:
        if parcel.digest not in _STATIONS:
            while len(_STATIONS) >= MOST_STATIONS:
                _STATIONS.popitem(last=False)[1].stack.close()
            _STATIONS[parcel.digest] = _open(parcel)
        _STATIONS.move_to_end(parcel.digest)
        return _STATIONS[parcel.digest].workshop


def _open(parcel: Parcel) -> Station:
    from reverie.bootstrap import open_index, open_recorder
    from reverie.bootstrap.cycles import Tools, build_workshop
    from reverie.bootstrap.parcels import unpack
    from reverie.cycle.local import Meter
    from reverie.promotion.scratch import scratch_folder
    from reverie.sandbox.engine import Sandbox
    from reverie.stages.grounds import Grounds

    settings, url = parcel.settings, parcel.journal_url
    with ExitStack() as stack:
        folder = stack.enter_context(scratch_folder())
        unpack(parcel, folder)
        with open_index(folder, settings.index, settings.safety, None) as index:
            index.refresh()
            code = index.load()
        meter = Meter(None if url is None else open_recorder(stack, url))
        sandbox = stack.enter_context(Sandbox(settings.sandbox, meter))
        grounds = Grounds(folder, folder, parcel.source, code, parcel.interpreter)
        tools = Tools(sandbox, meter, stack.enter_context(scratch_folder()))
        workshop = build_workshop(_loaded(parcel, folder), grounds, parcel.wishes, tools)
        return Station(workshop, stack.pop_all())


def _loaded(parcel: Parcel, folder: Path) -> Loaded:
    from reverie.settings import Loaded

    return Loaded(folder, parcel.settings, {})


atexit.register(close_all)
