"""Checks a bundle: first what was signed, then the source, then the proof itself, run again."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from reverie.errors import BundleRefused, Refused, UsageError
from reverie.model.evidence import Evidence
from reverie.model.promotion import Proven, Source
from reverie.model.ruling import Judgement
from reverie.promotion.applying import apply_patch, aside, write_change
from reverie.promotion.bundle.archive import unpack
from reverie.promotion.bundle.environment import differences
from reverie.promotion.bundle.keys import PublicKey
from reverie.promotion.bundle.reading import Bundle, read_bundle
from reverie.promotion.bundle.tolerances import Mismatch, compare
from reverie.promotion.git import Git
from reverie.promotion.scratch import scratch_folder
from reverie.promotion.source import read_source
from reverie.promotion.trees import empty_tree, is_safe, tree_of
from reverie.promotion.trial_tree import open_trial_tree


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
