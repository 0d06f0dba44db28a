"""The environment of a repository: which interpreter runs it, and what a look before work found."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The interpreter that was settled on for a repository, and what is known of it."""

    python: str | None
    """None: the one that runs Reverie."""
    python_version: str
    label: str
    """Where it comes from: `environment made from pyproject.toml [test]`."""
    missing: tuple[str, ...] = ()
    """Declared requirements that it does not have."""
    is_made: bool = False
    """Whether Reverie made it."""
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    """What a preflight found, when somebody went on anyway."""
    fresh: str | None = None
    """An interpreter that has what is declared and nothing else; None: there is none."""
    generated: Mapping[str, bytes] = field(default_factory=dict)
    """Files that a build would write and the repository does not have, by path."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that stops, with the command that mends it."""

    code: str
    text: str
    command: str


@dataclass(frozen=True, slots=True)
class Preflight:
    """What a look at a repository found before anything is tried."""

    python_version: str
    label: str
    missing: tuple[str, ...] = ()
    passed: int | None = None
    """None: the suite was not run."""
    failed: int = 0
    skipped: int = 0
    seconds: float = 0.0
    failing: Mapping[str, str] = field(default_factory=dict)
    """Why each failing test fails, by id."""
    broken: Mapping[str, str] = field(default_factory=dict)
    """Why test files cannot be imported, by path."""
    unimportable: Mapping[str, str] = field(default_factory=dict)
    """Why modules cannot be imported, by name."""
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def is_ready(self) -> bool:
        """Whether work can begin."""
        return not self.findings

    @property
    def line(self) -> str:
        """All of it in one line."""
        suite = (
            f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped "
            f"in {self.seconds:.0f} s"
            if self.passed is not None
            else "suite not run"
        )
        return f"{suite}, Python {self.python_version}, {self.label}"
