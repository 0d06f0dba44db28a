"""Checks a bundle: first what was signed, then the source, then the proof itself, run again.

A bundle is read as something that nobody trusts yet: every byte is signed for, or it is refused.
"""

import hashlib
import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reverie.errors import BundleRefused, Refused, UsageError
from reverie.model.codec import pick
from reverie.model.cycle import Proven, Source
from reverie.model.ruling import Evidence, Judgement
from reverie.promotion.applying import apply_patch, aside, write_change
from reverie.promotion.bundle.documents import Mismatch, Told, compare, read_documents
from reverie.promotion.bundle.keys import PublicKey, parse_public_key
from reverie.promotion.bundle.statement import (
    CLAIMS,
    ENVELOPE,
    Statement,
    decode,
    open_envelope,
    read_statement,
)
from reverie.promotion.bundle.writing import (
    ARCHIVE,
    ENVIRONMENT,
    MAX_BYTES,
    PATCH,
    PUBLIC_KEY,
    differences,
    unpack,
)
from reverie.promotion.git import Git
from reverie.promotion.patch import patch_of
from reverie.promotion.scratch import scratch_folder
from reverie.promotion.trees import empty_tree, is_safe, tree_of
from reverie.promotion.trial_tree import open_trial_tree, read_source

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
    if not {ENVELOPE, *_REQUIRED} & set(names):
        raise UsageError(f"{str(folder)!r} is no proof bundle: it has no {ENVELOPE}")
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


@dataclass(frozen=True, slots=True)
class Rerun:
    """What a trial came to when it was run again."""

    evidence: Evidence
    judgement: Judgement | None = None
    """None when only the measures were taken again."""


Rerunner = Callable[[Proven, Path], Rerun]
"""Runs the trial of a dream again, on a copy of the source without the change."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What checking a bundle came to."""

    accepted: bool
    reason_code: str | None = None
    reason: str | None = None
    bundle: Bundle | None = None
    """None when the bundle itself was refused."""
    checks: tuple[str, ...] = ()
    """What was checked and found in order, in turn."""
    mismatches: tuple[Mismatch, ...] = ()
    environment: tuple[str, ...] = ()
    """Where this machine is not the one of the proof."""


@dataclass(frozen=True, slots=True)
class Verifier:
    """Checks bundles on this machine."""

    trusted: Sequence[PublicKey]
    repository: Path | None = None
    rerun: Rerunner | None = None
    """None: stop once everything is checked that can be without running anything."""
    environment: dict[str, object] = field(default_factory=dict)

    def verify(self, folder: Path) -> Verification:
        """Check one bundle. What is wrong with it is the answer, not an error."""
        try:
            bundle = read_bundle(folder, self.trusted)
        except BundleRefused as error:
            return Verification(False, error.code, str(error))
        told = differences(bundle.environment, self.environment) if self.environment else ()
        checks = ("signature", "files", "contents")
        if self.rerun is None:
            return Verification(True, None, None, bundle, checks, (), told)
        try:
            with self._source(bundle) as tree:
                again = self.rerun(bundle.told.proven, tree)
        except BundleRefused as error:
            return Verification(False, error.code, str(error), bundle, checks, (), told)
        return _judge(bundle, again, (*checks, "source", "patch"), told)

    @contextmanager
    def _source(self, bundle: Bundle) -> Iterator[Path]:
        """The files that the proof is about, from the repository or from the bundle itself."""
        source = bundle.told.proven.source
        git = None if self.repository is None else Git.find(self.repository)
        is_there = git is not None and (
            source.revision is None or git.find_commit(source.revision) is not None
        )
        if self.repository is not None and git is None and source.revision is None:
            _require_source(read_source(self.repository, None, source.files), source)
            with open_trial_tree(self.repository) as tree:
                yield tree
        elif self.repository is not None and git is not None and is_there:
            _require_revision(git, bundle)
            with _exported(self.repository, source) as tree:
                yield tree
        elif bundle.archive is not None:
            with scratch_folder() as folder:
                unpack(bundle.archive, folder)
                _require_unpacked(folder, source)
                yield folder
        else:
            raise UsageError(f"the revision {source.revision} is not here; give --repo")


def _judge(
    bundle: Bundle, again: Rerun, checks: tuple[str, ...], environment: tuple[str, ...]
) -> Verification:
    told = bundle.told
    claimed, measured = told.proven.evidence.measures, again.evidence.measures
    mismatches = tuple(compare(claimed, measured, told.tolerances))
    verdict = told.proven.judgement.verdict
    reason = code = None
    if mismatches:
        code, reason = "not_reproduced", f"not reproduced: {_listed(mismatches)}"
    elif again.judgement is not None and again.judgement.verdict != verdict:
        code = "other_verdict"
        reason = f"the verdict is {again.judgement.verdict} here, and {verdict} in the bundle"
    passed = (*checks, "rerun") if code is None else checks
    return Verification(code is None, code, reason, bundle, passed, mismatches, environment)


def _listed(mismatches: tuple[Mismatch, ...]) -> str:
    return "; ".join(
        f"{each.measure} was {each.claimed:g}, is "
        + ("not measured" if each.measured is None else f"{each.measured:g}")
        for each in mismatches
    )


def _require_revision(git: Git, bundle: Bundle) -> None:
    """The repository has the source, and both forms of the change make the same of it."""
    told, source = bundle.told, bundle.told.proven.source
    if source.revision is not None:
        _require_source(read_source(git.folder, source.revision, source.files), source)
    with aside(git) as own:
        start = empty_tree(own) if source.revision is None else tree_of(own, source.revision)
        try:
            results = {write_change(own, start, told.proven.dream.change)}
        except Refused as error:
            raise BundleRefused("wrong_source", f"the change does not fit: {error}") from error
    with aside(git) as own:
        try:
            results.add(apply_patch(own, start, bundle.patch))
        except Refused as error:
            raise BundleRefused("wrong_source", str(error)) from error
    if results != {told.result_tree}:
        raise BundleRefused("wrong_source", "the change makes another tree of the source here")


def _require_source(found: Source, claimed: Source) -> None:
    if found.tree != claimed.tree:
        raise BundleRefused("wrong_source", f"the tree of {claimed.revision} is another one here")
    for path, digest in claimed.files.items():
        if found.files.get(path) != digest:
            raise BundleRefused("wrong_source", f"{path!r} is another file here")


def _require_unpacked(folder: Path, source: Source) -> None:
    for path, digest in source.files.items():
        place = folder / path
        is_there = is_safe(path) and place.is_file()
        if not is_there or hashlib.sha256(place.read_bytes()).hexdigest() != digest:
            raise BundleRefused("wrong_source", f"{path!r} is not in the bundle's own archive")


@contextmanager
def _exported(repository: Path, source: Source) -> Iterator[Path]:
    if source.revision is not None:
        with open_trial_tree(repository, source.revision) as tree:
            yield tree
    else:
        with scratch_folder(avoid=repository) as tree:
            yield tree
