"""What tests are written for, and what came of it."""

from dataclasses import dataclass
from typing import Protocol


class Subject(Protocol):
    """One module: where it is, what it says, and with what it runs. Paths are absolute."""

    @property
    def module(self) -> str:
        """Its dotted name."""

    @property
    def path(self) -> str:
        """Its file."""

    @property
    def source(self) -> str:
        """What is in the file."""

    @property
    def import_root(self) -> str:
        """The folder that has to be importable from."""

    @property
    def python(self) -> str | None:
        """The interpreter with its dependencies; None is Reverie's own."""

    @property
    def roots(self) -> tuple[str, ...]:
        """Folders that have to be readable."""

    @property
    def repository(self) -> str | None:
        """The repository it belongs to, if there is one."""


@dataclass(frozen=True, slots=True)
class SuspectedBug:
    """Behaviour that no test should hold the code to before a person has looked at it."""

    module: str
    function: str
    line: int | None
    kind: str
    input: str
    expected: str
    actual: str
    why: str
    repro: str


@dataclass(frozen=True, slots=True)
class Written:
    """A test file, not yet on disk, with what it is worth."""

    path: str
    """Where it belongs, relative to the repository; no such file is there yet."""
    source: str
    """Empty when nothing was worth keeping."""
    tests: int = 0
    """As pytest counts them: every row of a table is one."""
    lines: int = 0
    """Lines of test code, without blank ones."""
    flaky_removed: int = 0
    findings: tuple[SuspectedBug, ...] = ()
    mutants: int | None = None
    """Judged while choosing; None where the isolation allows no forks."""
    killed: int | None = None
    arcs: frozenset[tuple[int, int]] = frozenset()
    """Steps through the module that the tests take."""
    executions: int = 0
    notes: tuple[str, ...] = ()
