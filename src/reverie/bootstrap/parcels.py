"""What a worker elsewhere needs to work as this machine would: files, settings, wishes."""

from __future__ import annotations

import hashlib
import io
import os
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.errors import Refused

if TYPE_CHECKING:
    from reverie.model.cycle import CycleWishes
    from reverie.model.promotion import Source
    from reverie.settings import Settings
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
        archive.extractall(folder, filter="data")


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
