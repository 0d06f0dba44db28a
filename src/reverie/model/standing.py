"""How a module stands in its repository: who uses it, and which modules belong together."""

from collections.abc import Mapping
from dataclasses import dataclass

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
