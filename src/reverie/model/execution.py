"""What a sandbox is asked to run, what it may spend, and what it saw.

Everything inside an `Execution` that the code under test could have written (`output`,
`stdout`, `stderr`, `error`, names of changed files) is its claim: never trusted, never
rendered raw, never compared inside the sandbox.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from reverie.model.outcome import MIB as MIB
from reverie.model.outcome import ErrorCategory, IsolationTier, TestOutcome

_NO_PARAMS: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Limits:
    """What one execution may spend. There is no value for "unlimited"."""

    wall_seconds: float = 30.0
    cpu_seconds: int | None = None  # None: twice the wall time, rounded up, plus one
    memory_bytes: int = 512 * MIB
    processes: int = 64
    open_files: int = 256
    file_bytes: int = 64 * MIB
    disk_bytes: int = 128 * MIB
    output_bytes: int = 1 * MIB  # each of stdout and stderr
    result_bytes: int = 4 * MIB

    @property
    def effective_cpu_seconds(self) -> int:
        """The CPU limit in force, in whole seconds."""
        if self.cpu_seconds is not None:
            return self.cpu_seconds
        return int(2 * self.wall_seconds) + 2


@dataclass(frozen=True, slots=True)
class Policy:
    """What one execution may reach. The default reaches nothing but its own scratch space."""

    enable_network: bool = False
    enable_filesystem: bool = False
    """Gives `private_copies`; their originals are never written."""
    readonly: tuple[str, ...] = ()
    """Folders and files visible at their own path, read-only."""
    private_copies: tuple[str, ...] = ()
    """Folders visible at their own path through a private copy-on-write view."""
    environment: tuple[str, ...] = ()
    """Names of host environment variables passed on. Everything else is absent."""
    python: str | None = None
    """Interpreter to run; None is the one that runs Reverie."""
    import_paths: tuple[str, ...] = ()
    """Put in front of `sys.path`; each must be inside a mount."""
    preload: tuple[str, ...] = ()
    """Modules imported once in the warm parent, inside the isolation."""
    working_directory: str | None = None
    seed: int | None = None
    """Seeds `random` (and numpy's global generator); None is fresh entropy per execution."""
    hash_seed: int = 0
    """Of the hashes of texts: it decides the order of a set of them."""
    disguise: int = 0
    """Number of the machine that it seems to run on: name, user, zone and language differ."""


@dataclass(frozen=True, slots=True)
class Expression:
    """Evaluate one expression."""

    code: str


@dataclass(frozen=True, slots=True)
class Call:
    """Execute `code`, then call `entry` with `params` as keyword arguments."""

    code: str
    entry: str
    params: Mapping[str, Any] = field(default_factory=lambda: _NO_PARAMS)


@dataclass(frozen=True, slots=True)
class Script:
    """Execute `code` as `__main__`; `params` become globals, the output is `_result`."""

    code: str
    argv: tuple[str, ...] = ()
    params: Mapping[str, Any] = field(default_factory=lambda: _NO_PARAMS)
    path: str = "<dream>"


@dataclass(frozen=True, slots=True)
class Module:
    """Run a module of the sandbox's import path as `python -m` would."""

    name: str
    argv: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pytest:
    """Run pytest with arguments inside the warm interpreter."""

    args: tuple[str, ...] = ()


Target = Expression | Call | Script | Module | Pytest


@lru_cache(maxsize=64)  # one piece of code is run many times
def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Request:
    """One execution, asked for."""

    target: Target
    limits: Limits = Limits()
    policy: Policy = Policy()
    expected_output_type: str | None = None

    @property
    def code_hash(self) -> str:
        """sha256 of what is run: the source, or the module or arguments when there is none."""
        match self.target:
            case Expression(code) | Call(code) | Script(code):
                text = code
            case Module(name, argv):
                text = "\0".join(("-m", name, *argv))
            case Pytest(args):
                text = "\0".join(("pytest", *args))
        return _hash(text)


class ChangeKind(StrEnum):
    """What happened to a file of a private copy."""

    CREATED = "created"
    MODIFIED = "modified"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class FileChange:
    """One difference between a private copy and its original."""

    path: str
    """Bytes of a name that are not UTF-8 are written as `\\xNN`."""
    kind: ChangeKind


@dataclass(frozen=True, slots=True)
class Usage:
    """What an execution spent, as the kernel counted it. Absent where nobody counted."""

    wall_seconds: float
    cpu_seconds: float | None = None
    peak_rss_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class ErrorReport:
    """The error of an execution, as it claimed it or as we saw it from outside."""

    message: str
    type_name: str | None = None
    location: str | None = None  # innermost frame of the code under test, "file:function"
    traceback: str | None = None


@dataclass(frozen=True, slots=True)
class Execution:
    """One execution, finished."""

    id: str
    outcome: TestOutcome
    error_category: ErrorCategory | None
    output: Any
    error: ErrorReport | None
    stdout: str
    stderr: str
    usage: Usage
    isolation: IsolationTier
    code_hash: str
    started_at: datetime
    exit_code: int | None = None
    output_truncated: bool = False
    changes: tuple[FileChange, ...] = ()
    changes_truncated: bool = False
    """There are changes that are not listed: what is listed proves nothing about the rest."""

    @property
    def succeeded(self) -> bool:
        """Whether the outcome is `success`."""
        return self.outcome is TestOutcome.SUCCESS

    @property
    def duration_ms(self) -> float:
        """Wall time in milliseconds."""
        return self.usage.wall_seconds * 1000.0
