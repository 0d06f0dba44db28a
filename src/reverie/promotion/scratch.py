"""Folders outside of the user's tree, gone with the process that asked for them; and locks.

A folder is held by a lock on the file beside it. A process that dies loses its locks, so what it
left is known by them, and removed by the next process that asks for a folder.
"""

import fcntl
import hashlib
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reverie.errors import MachineryError, Refused

_LOCK = ".lock"
_POLL_SECONDS = 0.05


@contextmanager
def scratch_folder(avoid: Path | None = None) -> Iterator[Path]:
    """An empty folder outside of `avoid`, removed afterwards, whatever happens."""
    parent = _own_folder(avoid, "scratch")
    sweep(parent)
    while True:
        folder = parent / os.urandom(8).hex()
        descriptor = _lock(parent / f"{folder.name}{_LOCK}")
        if descriptor is not None:
            break
    try:
        folder.mkdir(mode=0o700)
        yield folder
    finally:
        _remove(folder)
        os.unlink(parent / f"{folder.name}{_LOCK}")
        os.close(descriptor)


def sweep(parent: Path) -> int:
    """Remove the folders that dead processes left; returns how many."""
    count = 0
    for lock in parent.glob(f"*{_LOCK}"):
        descriptor = _lock(lock)
        if descriptor is None:
            continue
        try:
            _remove(lock.with_suffix(""))
            lock.unlink(missing_ok=True)
            count += 1
        finally:
            os.close(descriptor)
    return count


@contextmanager
def held_alone(what: str, name: str, wait_seconds: float) -> Iterator[None]:
    """Run while no other process holds `what`; `Refused` when that takes too long."""
    path = _lock_file(what)
    deadline = time.monotonic() + wait_seconds
    descriptor = _lock(path)
    while descriptor is None:
        if time.monotonic() > deadline:
            raise Refused(f"{name} is under way for {what!r} in another process")
        time.sleep(_POLL_SECONDS)
        descriptor = _lock(path)
    try:
        os.truncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        yield
    finally:
        os.close(descriptor)


def holder_of(what: str) -> int | None:
    """The process of this user that holds `what`; None when none does.

    A number that a dead holder left is not believed: the process has to have the file open.
    """
    path = _lock_file(what)
    descriptor = _lock(path)
    if descriptor is not None:
        os.close(descriptor)
        return None
    try:
        number = int(path.read_text("ascii"))
        opened = os.listdir(f"/proc/{number}/fd")
        links = (os.readlink(f"/proc/{number}/fd/{each}") for each in opened)
        return number if str(path) in links else None
    except (OSError, ValueError):
        return None


def _lock_file(what: str) -> Path:
    name = hashlib.sha256(what.encode("utf-8", "surrogateescape")).hexdigest()[:32]
    return _own_folder(None, "locks") / name


def _lock(path: Path) -> int | None:
    """The file at `path`, locked; None when another process holds it or has just removed it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.fstat(descriptor).st_ino == os.stat(path, follow_symlinks=False).st_ino:
            return descriptor
    except OSError:
        os.close(descriptor)
        return None
    os.close(descriptor)
    return None


def _own_folder(avoid: Path | None, name: str) -> Path:
    """A folder of this user's in the machine's place for temporary files, not inside `avoid`."""
    places = [Path(tempfile.gettempdir()).resolve(), Path("/var/tmp"), Path("/tmp")]
    for place in places:
        if avoid is not None and place.is_relative_to(avoid.resolve()):
            continue
        root = place / f"reverie-{os.getuid()}"
        for folder in (root, root / name):
            folder.mkdir(mode=0o700, exist_ok=True)
            _require_private(folder)
        return root / name
    raise MachineryError(f"no folder for temporary files outside of {str(avoid)!r}")


def _require_private(folder: Path) -> None:
    about = os.lstat(folder)
    is_ours = stat.S_ISDIR(about.st_mode) and about.st_uid == os.getuid()
    if not is_ours or about.st_mode & 0o077:
        raise MachineryError(f"{str(folder)!r} is not a folder that only its user can reach")


def _remove(folder: Path) -> None:
    """Remove a tree, also one with folders that cannot be written."""
    if not os.path.lexists(folder):
        return
    for place, names, _ in os.walk(folder):
        for name in names:
            inner = os.path.join(place, name)
            if not os.path.islink(inner):
                os.chmod(inner, 0o700)
    shutil.rmtree(folder)
