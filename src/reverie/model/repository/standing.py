"""How a module stands in its repository: who uses it, its group, and its integration."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from reverie.model.settings.setting import ANY_VALUE, HIGHER, LOWER, flag, number, seconds, setting

ORPHANS_FILE = "orphan_modules.json"
CLASSIFICATIONS_FILE = "orphan_classifications.json"
MAP_FILE = "module_map.json"
"""In the data folder of a repository, for people and programs to read."""


@dataclass(frozen=True, slots=True)
class ModuleSignals:
    """What others measured of a module. An absent measure is None."""

    coverage: float | None = None
    """Share of its lines that the tests run."""
    hotness: float | None = None
    """How much it changes, from 0 to 1 within its repository."""
    days_since_change: float | None = None


@dataclass(frozen=True, slots=True)
class ModuleStanding:
    """A module that has at least one of four marks, and why."""

    name: str
    path: str
    orphan: bool
    isolated: bool
    redundant: bool
    legacy: bool
    confidence: float
    reasons: tuple[str, ...]
    parents: tuple[str, ...]
    """The modules that import or name it; for an orphan these are orphans themselves."""
    duplicate_of: str | None = None
    """The path of the module that covers a redundant one."""
    depth: int | None = None
    """Imports between an orphan and the first of its chain."""


@dataclass(frozen=True, slots=True)
class Group:
    """Modules that import and call one another more than the rest."""

    KEYS = "id label modules=members"

    id: str
    """The same between runs as long as most of its members are."""
    label: str
    members: tuple[str, ...]
    """Paths, sorted."""


@dataclass(frozen=True, slots=True)
class ModuleMap:
    """The groups of a repository, largest first, with how well they part it."""

    algorithm: str
    threshold: float
    semantic: bool
    modularity: float | None
    """Newman's, of the weighted graph; None without edges."""
    groups: tuple[Group, ...]

    def group_of(self) -> Mapping[str, str]:
        """The id of the group of each path."""
        return {path: group.id for group in self.groups for path in group.members}


@dataclass(frozen=True, slots=True)
class IntegrationSection:
    """How modules that nothing uses are tested, and made part of the repository."""

    enabled: bool = setting(
        True,
        flag(),
        "Whether `reverie run` integrates modules that nothing uses as well.",
        repository=ANY_VALUE,
    )
    include_isolated: bool = setting(
        True,
        flag(),
        "Whether modules tied to nothing else of the repository are candidates.",
        repository=ANY_VALUE,
    )
    promote: bool = setting(
        True,
        flag(),
        "Whether what passes is offered; otherwise it is only tested.",
        repository=LOWER,
    )
    clean: bool = setting(
        True,
        flag(),
        "Whether integrated modules are taken off `orphan_modules.json`.",
        repository=ANY_VALUE,
    )
    min_roi: float = setting(
        0.0,
        number(-1e6, 1e6),
        "Points that an integration has to be worth at least.",
        repository=HIGHER,
    )
    test_seconds: float = setting(
        20.0,
        seconds(1, 86_400),
        "Time for writing the tests of one module, outside of a cycle.",
        repository=LOWER,
    )


@dataclass(frozen=True, slots=True)
class SelfTest:
    """One module imported with all it needs, and tried out by tests that were written for it."""

    module: str
    path: str
    source_hash: str
    """Of the module and all of the repository that it imports."""
    passed: bool
    closure: tuple[str, ...]
    """Paths of the module and of all that it may import of the repository."""
    reason: str | None = None
    """Why it did not pass, or why there is nothing to promote."""
    failing: tuple[str, ...] = ()
    """Paths of the closure that cannot be imported."""
    tests: int = 0
    test_path: str | None = None
    test_source: str | None = None
    coverage: float | None = None
    """Share of the module's lines that its tests run."""
    isolated: bool = False
    redundant: bool = False
    legacy: bool = False
    dormant: bool = False
    """Named in the list of orphans that somebody keeps."""
    seconds: float = 0.0
    executions: int = field(default=0, compare=False)

    @property
    def is_welcome(self) -> bool:
        """Whether it may become part of the repository."""
        return self.passed and not self.redundant and not self.legacy


@dataclass(frozen=True, slots=True)
class Inclusion:
    """What became of one candidate in the end."""

    test: SelfTest
    included: bool
    reason: str | None
    """Why it is not included; None when it is."""
    dream_id: str | None = None
    verdict: str | None = None
    branch: str | None = None
    roi: float | None = None
    workflow: str | None = None


@dataclass(frozen=True, slots=True)
class IntegrationFigures:
    """How many modules were tested, came back, failed, or are better left where they are."""

    tested: int = 0
    reintroduced: int = 0
    failed: int = 0
    redundant: int = 0
    legacy: int = 0
    passed: int = 0
    average_seconds: float | None = None
    average_coverage: float | None = None

    def gauges(self) -> Mapping[str, float]:
        """By the names under which they are exported; what was not measured is absent."""
        named = {
            "orphan_modules_tested_total": self.tested,
            "orphan_modules_reintroduced_total": self.reintroduced,
            "orphan_modules_failed_total": self.failed,
            "orphan_modules_redundant_total": self.redundant,
            "orphan_modules_legacy_total": self.legacy,
            "self_test_passed_total": self.passed,
            "self_test_failed_total": self.tested - self.passed,
            "self_test_average_runtime_seconds": self.average_seconds,
            "self_test_average_coverage": self.average_coverage,
        }
        return {name: float(value) for name, value in named.items() if value is not None}
