"""Writes a proof bundle: a folder that appears whole or not at all.

The files that a proof is about are packed: always the same bytes for the same files. The lock
says what a trial ran on (interpreter, machine, every installed distribution), read from files
alone: the interpreter of the target is not started.
"""

import hashlib
import io
import os
import platform
import re
import shutil
import sys
import tarfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

from reverie.errors import BundleRefused, Refused
from reverie.model.cycle import Proven
from reverie.promotion.applying import aside, write_change
from reverie.promotion.bundle.documents import documents_of
from reverie.promotion.bundle.keys import SigningKey
from reverie.promotion.bundle.statement import ENVELOPE, encode, seal, statement_of
from reverie.promotion.git import Git
from reverie.promotion.patch import patch_of
from reverie.promotion.trees import (
    EXECUTABLE,
    SUBMODULE,
    SYMLINK,
    contents,
    empty_tree,
    is_safe,
    path_bytes,
    read_tree,
    tree_of,
)

MAX_BYTES = 256 << 20


def pack_revision(git: Git, revision: str) -> bytes:
    """All files of a revision, below the folder that `git` stands for."""
    entries = read_tree(git, tree_of(git, git.resolve(revision)))
    packed = io.BytesIO()
    found = dict(contents(git, entries))
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted(entries):
            entry = entries[path]
            about = tarfile.TarInfo(os.fsdecode(path_bytes(path)))
            if entry.mode == SUBMODULE:
                about.type, about.mode = tarfile.DIRTYPE, 0o755
            elif entry.mode == SYMLINK:
                about.type, about.linkname = tarfile.SYMTYPE, os.fsdecode(found[path])
            else:
                about.size = len(found[path])
                about.mode = 0o755 if entry.mode == EXECUTABLE else 0o644
            archive.addfile(about, io.BytesIO(found.get(path, b"")))
            if packed.tell() > MAX_BYTES:
                raise Refused(f"the files of {revision!r} are too many to put into a bundle")
    return packed.getvalue()


def unpack(packed: bytes, folder: Path) -> None:
    """Write packed files into an empty folder; `BundleRefused` for whatever leads out of it."""
    links: list[tuple[Path, str]] = []
    with tarfile.open(fileobj=io.BytesIO(packed), mode="r:") as archive:
        for about in archive:
            if not is_safe(about.name):
                raise BundleRefused("unsafe_name", f"the archive holds {about.name!r}")
            place = folder / about.name
            place.parent.mkdir(parents=True, exist_ok=True)
            if about.isdir():
                place.mkdir(exist_ok=True)
            elif about.issym():
                links.append((place, about.linkname))
            elif about.isreg():
                stream = archive.extractfile(about)
                place.write_bytes(stream.read() if stream is not None else b"")
                place.chmod(0o755 if about.mode & 0o100 else 0o644)
            else:
                raise BundleRefused(
                    "unsafe_name", f"the archive holds more than files: {about.name!r}"
                )
    for place, target in links:  # last, so that no file was ever written through one
        os.symlink(target, place)


_VERSION = re.compile(r"(?m)^version(?:_info)?\s*=\s*(\S+)")


def read_environment(python: Path | None = None) -> dict[str, Any]:
    """The lock of an interpreter: the one given, by its virtual environment, or this one."""
    home = None if python is None else _virtual_environment(python)
    paths = None if home is None else [str(path) for path in _site_packages(home)]
    found = distributions() if paths is None else distributions(path=paths)
    return {
        "python": platform.python_version() if home is None else _version(home),
        "implementation": sys.implementation.name if home is None else None,
        "system": platform.system(),
        "machine": platform.machine(),
        "distributions": _locked(found),
    }


def differences(locked: Mapping[str, Any], found: Mapping[str, Any]) -> tuple[str, ...]:
    """Where this environment is not the one that was locked, one line each."""
    lines = [
        f"{name}: {locked.get(name)} there, {found.get(name)} here"
        for name in ("python", "implementation", "system", "machine")
        if locked.get(name) != found.get(name) and None not in (locked.get(name), found.get(name))
    ]
    there, here = locked.get("distributions", {}), found.get("distributions", {})
    for name in sorted({*there, *here}):
        one, two = there.get(name), here.get(name)
        if one == two:
            continue
        versions = [about["version"] if about else "not installed" for about in (one, two)]
        same = versions[0] == versions[1]
        told = "another build" if same else f"{versions[0]} there, {versions[1]} here"
        lines.append(f"{name}: {told}")
    return tuple(lines)


def _locked(found: Iterable[Distribution]) -> dict[str, dict[str, str | None]]:
    """By name; of two installations the one that is imported counts."""
    locked: dict[str, dict[str, str | None]] = {}
    for each in found:
        name = each.metadata["Name"]
        if name:
            record = each.read_text("RECORD")
            digest = hashlib.sha256(record.encode("utf-8")).hexdigest() if record else None
            key = re.sub(r"[-_.]+", "-", str(name)).lower()
            locked.setdefault(key, {"version": str(each.version), "record_sha256": digest})
    return locked


def _virtual_environment(python: Path) -> Path | None:
    """The environment that an interpreter belongs to; None for the one that runs this."""
    home = python.parent.parent
    is_other = (home / "pyvenv.cfg").is_file() and home.resolve() != Path(sys.prefix).resolve()
    return home if is_other else None


def _site_packages(home: Path) -> list[Path]:
    return sorted(home.glob("lib/python*/site-packages"))


def _version(home: Path) -> str | None:
    found = _VERSION.search((home / "pyvenv.cfg").read_text("utf-8", "replace"))
    return found[1] if found else None


PATCH, PUBLIC_KEY, ENVIRONMENT, ARCHIVE = (
    "change.patch",
    "key.pub",
    "environment.json",
    "source.tar",
)
_PART = ".part-"


@dataclass(frozen=True, slots=True)
class WrittenBundle:
    """Where a bundle lies, and what names it: the digest of its envelope."""

    folder: Path
    digest: str


@dataclass(frozen=True, slots=True)
class Sealing:
    """All that a bundle holds besides the proof itself."""

    key: SigningKey
    at: datetime
    environment: dict[str, Any]
    version: str
    with_archive: bool = False


def write_bundle(parent: Path, proven: Proven, sealing: Sealing, repository: Path) -> WrittenBundle:
    """Write the bundle of a dream into `parent`, under the dream's id; an older one is replaced."""
    git = Git.find(repository)
    result = None if git is None else result_tree(git, proven)
    files = {name: encode(each) for name, each in documents_of(proven, result).items()}
    files[ENVIRONMENT] = encode(sealing.environment)
    files[PATCH] = patch_of(proven.dream.change, result or "")
    files[PUBLIC_KEY] = sealing.key.public.pem
    if sealing.with_archive and git is not None and proven.source.revision is not None:
        files[ARCHIVE] = pack_revision(git, proven.source.revision)
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    statement = statement_of(proven, digests, result, sealing.at, sealing.version)
    envelope = seal(statement, sealing.key)
    folder = _lay(parent, proven.dream.id, {**files, ENVELOPE: envelope})
    return WrittenBundle(folder, f"sha256:{hashlib.sha256(envelope).hexdigest()}")


def result_tree(git: Git, proven: Proven) -> str:
    """What git calls the tree that the change makes of the source. Nothing is written for it."""
    with aside(git) as own:
        revision = proven.source.revision
        start = empty_tree(own) if revision is None else tree_of(own, own.resolve(revision))
        return write_change(own, start, proven.dream.change)


def _lay(parent: Path, name: str, files: dict[str, bytes]) -> Path:
    parent.mkdir(parents=True, exist_ok=True)
    _sweep(parent)
    part = parent / f"{_PART}{os.getpid()}-{os.urandom(4).hex()}"
    part.mkdir()
    try:
        for file, content in files.items():
            (part / file).write_bytes(content)
        folder = parent / name
        if folder.is_dir():
            old = parent / f"{part.name}-old"
            folder.rename(old)
            part.rename(folder)
            shutil.rmtree(old)
        else:
            part.rename(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return folder


def _sweep(parent: Path) -> None:
    """Remove what dead processes left half written."""
    for leftover in parent.glob(f"{_PART}*"):
        process = leftover.name.removeprefix(_PART).partition("-")[0]
        if process.isdigit() and not os.path.exists(f"/proc/{process}"):
            shutil.rmtree(leftover, ignore_errors=True)
