"""Every error raised here on purpose.

    ReverieError
    ├── UsageError            the caller asked for something that cannot be done as asked
    │   ├── ConfigError       the settings cannot be used as written
    │   ├── PolicyError       a sandbox policy is over-wide or contradicts itself
    │   └── RequestError      a request for the sandbox is malformed
    ├── OutOfTime             the time that a person gave is over
    ├── Refused               the answer is no: what was asked for is not allowed to happen
    │   └── BundleRefused     a proof bundle is not what somebody trusted has signed
    └── MachineryError        our side failed; it says nothing about the code under test
        ├── IsolationUnavailable  no isolation tier that was asked for works on this machine
        ├── SandboxLost       the sandbox vanished, or never started
        ├── GitFailed         git did not answer
        │   └── NoRepository  what lies there is no repository with files that git can read
        ├── ProgramFailed     a program that a person asked for did not do its job
        ├── ModelFailed       a model or an agent gave no usable answer
        ├── InstrumentUnproven    an instrument did not see what was planted for it
        ├── SilentTests           the tests that were given say nothing about the code
        └── StoreError        the journal cannot be read or written
            └── NoJournal     the file that is named as the journal is none

What the code under test does wrong is not in this list: it is evidence, and travels as a
value (`reverie.model.execution.Execution`).
"""

from collections.abc import Sequence
from typing import ClassVar


class ReverieError(Exception):
    """Base of every error this package raises on purpose."""

    slug: ClassVar[str] = "error"
    """Names the troubleshooting page, and the label in metrics."""

    exit_code: ClassVar[int] = 3
    """What a command that ends with this error returns to its shell."""


class UsageError(ReverieError):
    """The caller's mistake, named with the value received."""

    slug = "usage"
    exit_code = 2


class ConfigError(UsageError):
    """The settings cannot be used as written."""

    slug = "config"


class PolicyError(UsageError):
    """A sandbox policy is over-wide or contradicts itself."""

    slug = "policy"


class RequestError(UsageError):
    """A request for the sandbox is malformed."""

    slug = "request"


class OutOfTime(ReverieError):
    """The time that a person gave is over: nothing more is begun, and what ran was ended."""

    slug = "out-of-time"
    exit_code = 1


class Refused(ReverieError):
    """The answer is no: nothing was done, and the message says why."""

    slug = "refused"
    exit_code = 1


class BundleRefused(Refused):
    """A proof bundle is not what somebody trusted has signed, or is not whole."""

    slug = "bundle-refused"

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code


class MachineryError(ReverieError):
    """Our side failed. The work may be repeated; the code under test is not blamed."""

    slug = "machinery"


class IsolationUnavailable(MachineryError):
    """No isolation tier that was asked for works on this machine."""

    slug = "isolation-unavailable"


class SandboxLost(MachineryError):
    """The sandbox vanished, or never started, while an execution was due."""

    slug = "sandbox-lost"

    def __init__(self, tier: str, detail: str) -> None:
        super().__init__(f"{tier} sandbox lost: {detail}")
        self.tier = tier
        self.detail = detail


class GitFailed(MachineryError):
    """git did not answer, or not within its limits."""

    slug = "git"

    def __init__(self, arguments: Sequence[str], detail: str) -> None:
        first_line = detail.strip().partition("\n")[0] or "no reason given"
        super().__init__(f"git {arguments[0]}: {first_line}")
        self.detail = detail


class NoRepository(GitFailed):
    """What lies there is no repository with files that git can read: not our side's failure."""

    slug = "no-repository"
    exit_code = 2

    def __init__(self, place: str, arguments: Sequence[str], reason: str) -> None:
        super().__init__(arguments, reason)
        self.args = (f"{place!r} cannot be read as a git repository: {reason}",)


class ProgramFailed(MachineryError):
    """A program that a person asked for failed, or passed its limits."""

    slug = "program"

    def __init__(self, program: str, detail: str) -> None:
        first_line = detail.strip().partition("\n")[0] or "no reason given"
        super().__init__(f"{program}: {first_line}")
        self.detail = detail


class ModelFailed(MachineryError):
    """A model or an agent was asked and gave no answer that can be used."""

    slug = "model"


class InstrumentUnproven(MachineryError):
    """An instrument did not see what was planted for it; nothing it says is evidence."""

    slug = "instrument-unproven"

    def __init__(self, instrument: str, complaint: str) -> None:
        super().__init__(f"the instrument {instrument!r} is not to be believed: {complaint}")
        self.instrument = instrument
        self.complaint = complaint


class SilentTests(MachineryError):
    """The tests that were given say nothing: none is collected, none passes, none runs the code."""

    slug = "silent-tests"
    exit_code = 2


class StoreError(MachineryError):
    """The journal cannot be read or written."""

    slug = "store"


class NoJournal(StoreError):
    """The file that is named as the journal is none: another one has to be named."""

    slug = "no-journal"
    exit_code = 2


def reason_of(error: Exception) -> str:
    """Why a file could not be read or written, for a line that names the file already."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8 at byte {error.start}"
    return str(error)
