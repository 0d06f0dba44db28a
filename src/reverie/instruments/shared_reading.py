"""Read a repository's files on all cores: a share of them per execution, in the sandbox.

The reader is our own and pure; the sandbox is what may start processes, and it keeps a file that
ends the parser from ending us. Where there is little to read, one core, or no isolation that can
show the files, they are read in this process: the records are the same.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path

import reverie
from reverie.errors import MachineryError, PolicyError
from reverie.index.discovery import FoundFile
from reverie.index.linking import ReadFile
from reverie.index.reading import FileFacts
from reverie.index.remembering.rereading import (
    Known,
    Reading,
    hash_of,
    read_here,
    readings_of,
    record_of,
    trusted_signature,
)
from reverie.model.execution import MIB, Call, Execution, Limits, Policy, Request
from reverie.model.outcome import IsolationTier
from reverie.model.sections import IndexSection
from reverie.sandbox.engine import Sandbox

LEAST_BYTES = 12 * MIB
"""Measured: two cores are slower at 5 MiB, as fast at 6, and need two thirds of the time at 25."""
SHARE_BYTES = 4 * MIB
"""At most; every share costs some tens of milliseconds beside its reading."""
ENDED = "ends the parser, or takes more than it may"
_CODE = "from reverie.index.remembering.rereading import read_share"
_LIMITS = Limits(wall_seconds=120.0, memory_bytes=1024 * MIB, result_bytes=256 * MIB)
_TIERS = (IsolationTier.NAMESPACES, IsolationTier.LANDLOCK)

OpenSandbox = Callable[[], AbstractContextManager[Sandbox]]
Share = Sequence[tuple[FoundFile, str]]


@dataclass(frozen=True, slots=True)
class SharedReading:
    """Reads the files of one repository; a sandbox is opened when that pays."""

    repository: Path
    open_sandbox: OpenSandbox
    least_bytes: int = LEAST_BYTES
    share_bytes: int = SHARE_BYTES

    def __call__(
        self, looked: Sequence[FoundFile], section: IndexSection, known: Known
    ) -> Iterator[Reading]:
        """Read every file once, in any order."""
        left = {each.path: each for each in looked}
        total, cores = sum(each.size for each in looked), _cores()
        if total >= self.least_bytes and cores > 1:
            # Nothing is lost with the sandbox: what it has not read is read here.
            with suppress(MachineryError, PolicyError), self.open_sandbox() as sandbox:
                if sandbox.tier in _TIERS:
                    work = _Work(sandbox, self._policy(), section, known, left)
                    yield from work.read(self._shares(looked, total // cores))
        yield from read_here(list(left.values()), section, known)

    def _shares(self, looked: Sequence[FoundFile], fair_bytes: int) -> Iterator[Share]:
        share, size = list[tuple[FoundFile, str]](), 0
        for each in looked:
            if each.problem is not None:
                continue
            share.append((each, trusted_signature(each)))
            size += each.size
            if size >= min(self.share_bytes, fair_bytes):
                yield share
                share, size = [], 0
        if share:
            yield share

    def _policy(self) -> Policy:
        own = str(Path(reverie.__file__).parents[1])
        return Policy(
            readonly=(os.path.realpath(self.repository), own),
            import_paths=(own,),
            preload=("reverie.index.remembering.rereading",),
        )


@dataclass(frozen=True, slots=True)
class _Work:
    sandbox: Sandbox
    policy: Policy
    section: IndexSection
    known: Known
    left: dict[str, FoundFile]
    """What is still to be read; made smaller."""

    def read(self, shares: Iterator[Share]) -> Iterator[Reading]:
        """Read shares on all slots."""
        given, failed = list[Share](), list[Share]()

        def requests() -> Iterator[Request]:
            for share in shares:
                given.append(share)
                yield self._request(share)

        for number, execution in enumerate(self.sandbox.run_batch(requests())):
            yield from self._told(given[number], execution, failed)
        while failed:
            yield from self._halved(failed.pop(), failed)

    def _told(self, share: Share, execution: Execution, failed: list[Share]) -> Iterator[Reading]:
        """The readings of a share; a share that came to nothing goes to the failed ones."""
        try:
            if not execution.succeeded:
                raise ValueError(execution.outcome)
            told = readings_of(share, execution.output)
        except (ValueError, TypeError, RecursionError):
            failed.append(share)
            return
        for reading in told:
            del self.left[reading.path]
            yield reading

    def _halved(self, share: Share, failed: list[Share]) -> Iterator[Reading]:
        """Half of a failed share at a time, until the file is found that is to blame."""
        if len(share) == 1:
            ((found, signature),) = share
            del self.left[found.path]
            blamed = ReadFile(found.path, "", FileFacts(0, error=ENDED))
            yield Reading(found.path, signature, record_of(blamed, signature))
            return
        middle = len(share) // 2
        for half in (share[:middle], share[middle:]):
            execution = self.sandbox.run(self._request(half))
            yield from self._told(half, execution, failed)

    def _request(self, share: Share) -> Request:
        files = [(each.path, each.place, hash_of(self.known.get(each.path))) for each, _ in share]
        params = {"files": files, "max_file_mb": self.section.max_file_mb}
        return Request(Call(_CODE, "read_share", params), _LIMITS, self.policy)


def _cores() -> int:
    return len(os.sched_getaffinity(0))
