"""Reads a bundle that nobody trusts yet: every byte is signed for, or the bundle is refused."""

import hashlib
import os
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reverie.errors import BundleRefused, UsageError
from reverie.model.codec import pick
from reverie.promotion.bundle.archive import MAX_BYTES
from reverie.promotion.bundle.canonical import decode
from reverie.promotion.bundle.documents import Told, read_documents
from reverie.promotion.bundle.envelope import open_envelope
from reverie.promotion.bundle.keys import PublicKey, parse_public_key
from reverie.promotion.bundle.statement import CLAIMS, ENVELOPE, Statement, read_statement
from reverie.promotion.bundle.writing import ARCHIVE, ENVIRONMENT, PATCH, PUBLIC_KEY
from reverie.promotion.patch import patch_of

_REQUIRED = frozenset(
    {"dream.json", "source.json", "evidence.json", "rulings.json", ENVIRONMENT, PATCH, PUBLIC_KEY}
)
_MAX_FILES = 32
_MAX_FILE_BYTES = 64 << 20
_MAX_BYTES = MAX_BYTES + (128 << 20)


@dataclass(frozen=True, slots=True)
class Bundle:
    """A bundle that is whole, consistent, and signed by a key that is trusted."""

    folder: Path
    digest: str
    signer: PublicKey
    statement: Statement
    told: Told
    environment: Mapping[str, Any]
    patch: bytes
    archive: bytes | None


def read_bundle(folder: Path, trusted: Sequence[PublicKey]) -> Bundle:
    """What a bundle says, once all of it is checked; `BundleRefused` with the reason otherwise."""
    files = _read_folder(folder)
    envelope = open_envelope(_take(files, ENVELOPE))
    signer = _signer(files)
    if not any(key.raw == signer.raw for key in trusted):
        known = "" if trusted else "; no key is trusted here"
        reason = f"signed by the key {signer.fingerprint}, which is not trusted{known}"
        raise BundleRefused("untrusted_key", reason)
    envelope.require_signed_by((signer,))
    statement = read_statement(envelope.payload)
    _require_files(files, statement)
    told = read_documents({name: decode(files[name], name) for name in files if _is_json(name)})
    _require_agreement(statement, told, files[PATCH])
    return Bundle(
        folder=folder,
        digest=f"sha256:{hashlib.sha256(files[ENVELOPE]).hexdigest()}",
        signer=signer,
        statement=statement,
        told=told,
        environment=decode(files[ENVIRONMENT], ENVIRONMENT),
        patch=files[PATCH],
        archive=files.get(ARCHIVE),
    )


def _is_json(name: str) -> bool:
    return name.endswith(".json") and name != ENVELOPE


def _read_folder(folder: Path) -> dict[str, bytes]:
    """Every file, as long as there is nothing but files, and few and small ones."""
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        raise UsageError(f"cannot read the bundle {str(folder)!r}: {error.strerror}") from error
    if len(names) > _MAX_FILES:
        raise BundleRefused("added_file", f"{len(names)} files are more than a bundle has")
    if ENVELOPE not in names:
        raise BundleRefused("missing_file", f"{ENVELOPE} is missing: this is no proof bundle")
    files: dict[str, bytes] = {}
    for name in names:
        files[name] = _read_file(folder, name)
        if sum(map(len, files.values())) > _MAX_BYTES:
            raise BundleRefused("too_large", f"the bundle is larger than {_MAX_BYTES} bytes")
    return files


def _read_file(folder: Path, name: str) -> bytes:
    limit = MAX_BYTES if name == ARCHIVE else _MAX_FILE_BYTES
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        with open(os.open(folder / name, flags), "rb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                raise BundleRefused("not_a_file", f"{name!r} is no file")
            content = stream.read(limit + 1)
    except OSError as error:
        reason = f"{name!r} is no file that can be read: {error.strerror}"
        raise BundleRefused("not_a_file", reason) from error
    if len(content) > limit:
        raise BundleRefused("too_large", f"{name!r} is larger than {limit} bytes")
    return content


def _take(files: Mapping[str, bytes], name: str) -> bytes:
    if name not in files:
        raise BundleRefused("missing_file", f"{name} is missing")
    return files[name]


def _signer(files: Mapping[str, bytes]) -> PublicKey:
    content = _take(files, PUBLIC_KEY)
    try:
        key = parse_public_key(content)
    except ValueError as error:
        raise BundleRefused("malformed", f"{PUBLIC_KEY}: {error}") from error
    if key.pem != content:
        raise BundleRefused("malformed", f"{PUBLIC_KEY} is not spelled as Reverie spells it")
    return key


def _require_files(files: Mapping[str, bytes], statement: Statement) -> None:
    there, signed = set(files) - {ENVELOPE}, set(statement.files)
    for name in sorted(there - signed):
        raise BundleRefused("added_file", f"{name!r} is not part of what was signed")
    for name in sorted((signed | _REQUIRED) - there):
        raise BundleRefused("missing_file", f"{name} is missing")
    for name in sorted(there):
        if hashlib.sha256(files[name]).hexdigest() != statement.files[name]:
            raise BundleRefused("changed_file", f"{name} is not what was signed")


def _require_agreement(statement: Statement, told: Told, patch: bytes) -> None:
    proven = told.proven
    for name, value in pick(proven, CLAIMS).items():
        if statement.predicate.get(name) != value:
            raise BundleRefused("contradiction", f"the statement has another {name}")
    if patch_of(proven.dream.change, told.result_tree or "") != patch:
        raise BundleRefused("contradiction", f"{PATCH} is not the change of {proven.dream.id}")
