"""Work in a worker of a cluster: a workshop per parcel, with a sandbox of its own.

A parcel holds what a worker elsewhere needs to work as this machine would: files, settings,
wishes.
"""

from __future__ import annotations

import atexit
import hashlib
import io
import os
import tarfile
import threading
from collections import OrderedDict
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.errors import Refused
from reverie.home.archives import extract_plain

if TYPE_CHECKING:
    from reverie.cycle.workshop import LocalWorkshop, Work
    from reverie.model.cycle import CycleWishes, Source, Step
    from reverie.model.dream import Dream
    from reverie.settings import Loaded, Settings
    from reverie.stages.grounds import Grounds, Interpreter

_SHARED = ("postgresql://", "postgres://", "postgresql+psycopg://")


@dataclass(frozen=True, slots=True)
class Parcel:
    """One repository at one revision, ready to be unpacked."""

    digest: str
    version: str
    archive: bytes
    settings: Settings
    wishes: CycleWishes
    interpreter: Interpreter
    source: Source
    journal_url: str | None
    """Where executions are recorded; None where only this machine could reach it."""


def pack(
    grounds: Grounds, settings: Settings, wishes: CycleWishes, journal_url: str | None
) -> Parcel:
    """The copy that a cycle stands on, as a parcel."""
    from reverie import __version__

    archive = _archive(grounds.folder)
    digest = hashlib.sha256(archive + repr(wishes).encode()).hexdigest()
    shared = journal_url is not None and journal_url.startswith(_SHARED)
    return Parcel(
        digest=digest,
        version=__version__,
        archive=archive,
        settings=settings,
        wishes=wishes,
        interpreter=grounds.interpreter,
        source=grounds.source,
        journal_url=journal_url if shared else None,
    )


def unpack(parcel: Parcel, folder: Path) -> None:
    """Lay the files out; refused where this is another Reverie, or the Python is not there."""
    from reverie import __version__

    if parcel.version != __version__:
        raise Refused(f"this worker has Reverie {__version__}, the cycle {parcel.version}")
    python = parcel.interpreter.path
    if python is not None and not os.access(python, os.X_OK):
        raise Refused(f"this worker has no interpreter {python!r}")
    with tarfile.open(fileobj=io.BytesIO(parcel.archive)) as archive:
        extract_plain(archive, folder)


def _archive(folder: Path) -> bytes:
    """Files and the links among them, in one order, without times and owners."""
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        for path in sorted(folder.rglob("*")):
            if not _is_kept(path, folder):
                continue
            about = archive.gettarinfo(path, path.relative_to(folder).as_posix())
            about.mtime = about.uid = about.gid = 0
            about.uname = about.gname = ""
            if about.isreg():
                with path.open("rb") as file:
                    archive.addfile(about, file)
            else:
                archive.addfile(about)
    return target.getvalue()


def _is_kept(path: Path, folder: Path) -> bool:
    if path.is_symlink():
        goal = path.readlink()
        inside = not goal.is_absolute()
        return inside and (path.parent / goal).resolve().is_relative_to(folder.resolve())
    return path.is_file() or path.is_dir()


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
    from reverie.cycle.workshop import Work
    from reverie.stages.dreamer import Allowance

    workshop = _workshop(parcel)
    before = workshop.executions
    dreamt = workshop.dream(step, Allowance(step.allowance, seed=seed))
    return Work(workshop.executions - before, dreamt)


def prove(parcel: Parcel, dream: Dream, seed: int) -> Work:
    """Try one dream, and less of it where a part is in the way."""
    from reverie.cycle.workshop import Work

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
    from reverie.bootstrap.workshops import Tools, build_workshop
    from reverie.cycle.workshop import Meter
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
