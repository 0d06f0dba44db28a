"""Writes a proof bundle: a folder that appears whole or not at all."""

import hashlib
import os
import shutil
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from reverie.model.promotion import Proven
from reverie.promotion.applying import aside, write_change
from reverie.promotion.bundle.archive import pack_revision
from reverie.promotion.bundle.canonical import encode
from reverie.promotion.bundle.documents import documents_of
from reverie.promotion.bundle.envelope import seal
from reverie.promotion.bundle.keys import SigningKey
from reverie.promotion.bundle.statement import ENVELOPE, statement_of
from reverie.promotion.git import Git
from reverie.promotion.patch import patch_of
from reverie.promotion.trees import empty_tree, tree_of

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
