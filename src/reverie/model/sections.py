"""The sections of the settings, one frozen dataclass each.

A room receives its section as an argument and never reads the settings itself. Every field
carries its doc line and its bounds; `docs/reference/settings.md` is generated from here.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from reverie.model.outcome import MIB, IsolationTier, TrustTier
from reverie.model.settings.everyday import IndexSection, JournalSection, LoggingSection, LogLevel
from reverie.model.settings.setting import (
    ANY_VALUE,
    HIGHER,
    LOWER,
    Reader,
    among,
    choice,
    earlier,
    flag,
    later,
    number,
    seconds,
    setting,
    text,
    whole,
    words,
)

if TYPE_CHECKING:
    from reverie.model.execution import Limits, Policy

__all__ = [
    "EquivalenceSection",
    "IndexSection",
    "JournalSection",
    "LogLevel",
    "LoggingSection",
    "MapAlgorithm",
    "MapSection",
    "MutationSection",
    "OperatorSet",
    "OrphansSection",
    "PathTier",
    "SafetySection",
    "SandboxSection",
    "TierChoice",
]

_DOTTED_NAME = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
_RULE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


class TierChoice(StrEnum):
    """Which isolation to use: a tier by name, or the strongest that passes its self-check."""

    AUTO = "auto"
    NAMESPACES = "namespaces"
    LANDLOCK = "landlock"
    SRT = "srt"
    NONE = "none"

    @property
    def tier(self) -> IsolationTier | None:
        """The tier asked for by name; None for `auto`."""
        return None if self is TierChoice.AUTO else IsolationTier(self.value)


@dataclass(frozen=True, slots=True)
class PathTier:
    """The trust tier of the files whose path matches a pattern (`*` also matches `/`)."""

    pattern: str
    tier: TrustTier


def _path_tiers() -> Reader[tuple[PathTier, ...]]:
    bounds = "a table of path pattern = " + "/".join(TrustTier)

    def parse(given: str) -> object:
        pairs = [pair.partition("=") for pair in given.split(",") if pair.strip()]
        return {pattern.strip(): tier.strip() for pattern, _, tier in pairs}

    def check(value: object) -> tuple[PathTier, ...]:
        if not isinstance(value, dict) or not all(
            pattern and tier in list(TrustTier) for pattern, tier in value.items()
        ):
            raise ValueError(f"expected {bounds}")
        return tuple(PathTier(pattern, TrustTier(tier)) for pattern, tier in value.items())

    return Reader(bounds, parse, check)


_UP_TO_TESTING = among(
    "tiers up to testing", lambda each: each.tier in (TrustTier.SANDBOX, TrustTier.TESTING)
)


@dataclass(frozen=True, slots=True)
class SandboxSection:
    """How code that nobody trusts is run, and what one execution may spend."""

    tier: TierChoice = setting(
        TierChoice.AUTO,
        choice(TierChoice),
        "Isolation tier; `auto` takes the strongest that passes its self-check and refuses "
        "anything weaker than `landlock`.",
    )
    slots: int = setting(
        2, whole(1, 256), "Warm sandboxes kept, so executions at once.", repository=LOWER
    )
    timeout_seconds: float = setting(
        30.0, seconds(0.01, 86_400), "Wall time of one execution, in seconds.", repository=LOWER
    )
    memory_mb: int = setting(
        512,
        whole(16, 1_048_576),
        "Memory of one execution's whole process tree, in MiB.",
        repository=LOWER,
    )
    max_output_bytes: int = setting(
        1 * MIB,
        whole(0, 1024 * MIB),
        "Bytes kept of stdout, and as many of stderr.",
        repository=LOWER,
    )
    result_bytes: int = setting(
        4 * MIB,
        whole(1024, 1024 * MIB),
        "Bytes of the result of one execution, encoded.",
        repository=LOWER,
    )
    processes: int = setting(
        64, whole(1, 32_768), "Processes and threads of one execution at once.", repository=LOWER
    )
    open_files: int = setting(
        256, whole(16, 1_048_576), "Open files per process.", repository=LOWER
    )
    disk_mb: int = setting(
        128, whole(1, 1_048_576), "Scratch space of one execution, in MiB.", repository=LOWER
    )
    file_mb: int = setting(
        64, whole(1, 1_048_576), "Largest file it may write, in MiB.", repository=LOWER
    )
    recycle_after: int = setting(
        1000,
        whole(1, 1_000_000),
        "Executions after which a warm sandbox is replaced.",
        repository=LOWER,
    )
    preload: tuple[str, ...] = setting(
        (),
        words("a list of dotted module names", lambda name: bool(_DOTTED_NAME.fullmatch(name))),
        "Modules imported once, inside the isolation, before the first execution.",
    )
    python: str = setting(
        "",
        text("a path", lambda path: "\0" not in path),
        "Interpreter that executions use; absent, the one that runs Reverie.",
    )
    enable_network: bool = setting(
        False, flag(), "Whether executions reach the network.", repository=LOWER
    )
    enable_filesystem: bool = setting(
        False,
        flag(),
        "Whether executions get private copies of the given folders; originals are never written.",
        repository=LOWER,
    )

    def limits(self) -> "Limits":
        """What one execution may spend under this section."""
        from reverie.model.execution import Limits

        return Limits(
            wall_seconds=self.timeout_seconds,
            memory_bytes=self.memory_mb * MIB,
            processes=self.processes,
            open_files=self.open_files,
            file_bytes=self.file_mb * MIB,
            disk_bytes=self.disk_mb * MIB,
            output_bytes=self.max_output_bytes,
            result_bytes=self.result_bytes,
        )

    def policy(self) -> "Policy":
        """What one execution may reach under this section, before folders are given."""
        from reverie.model.execution import Policy

        return Policy(
            enable_network=self.enable_network,
            enable_filesystem=self.enable_filesystem,
            preload=self.preload,
            python=self.python or None,
        )


@dataclass(frozen=True, slots=True)
class SafetySection:
    """How strictly the static safety rules read a file."""

    tier: TrustTier = setting(
        TrustTier.SANDBOX,
        choice(TrustTier),
        "Trust tier of a file that no pattern names.",
        repository=earlier(TrustTier),
    )
    disable: tuple[str, ...] = setting(
        (),
        words("a list of rule names", lambda name: bool(_RULE_NAME.fullmatch(name))),
        "Rules that are switched off.",
    )
    paths: tuple[PathTier, ...] = setting(
        (),
        _path_tiers(),
        "Trust tier by path pattern; the first that matches decides.",
        repository=_UP_TO_TESTING,
    )

    def tier_of(self, path: str) -> TrustTier:
        """The trust tier of a path relative to the repository, written with `/`."""
        for each in self.paths:
            if fnmatchcase(path, each.pattern):
                return each.tier
        return self.tier


class OperatorSet(StrEnum):
    """Which mutation operators are used."""

    STANDARD = "standard"
    EXHAUSTIVE = "exhaustive"


@dataclass(frozen=True, slots=True)
class MutationSection:
    """How `reverie mutate` changes code and how far it looks at itself."""

    operators: OperatorSet = setting(
        OperatorSet.STANDARD,
        choice(OperatorSet),
        "Mutation operators; `exhaustive` replaces every operator by every other of its kind.",
        repository=later(OperatorSet),
    )
    verify: float = setting(
        0.05,
        number(0.0, 1.0),
        "Share of the verdicts made again in fresh processes.",
        repository=HIGHER,
    )
    baseline_seconds: float = setting(
        300.0,
        seconds(1.0, 86_400),
        "Wall time that the unchanged tests may take, in seconds.",
        repository=LOWER,
    )


@dataclass(frozen=True, slots=True)
class EquivalenceSection:
    """When two versions of a callable count as equivalent."""

    budget_seconds: float = setting(
        20.0,
        seconds(0.1, 86_400),
        "Time to search for a difference; then it is `unknown`.",
        repository=LOWER,
    )
    seed: int = setting(
        0,
        whole(0, 2**63 - 1),
        "Decides which inputs are tried; 0: the change and the user's key decide.",
    )
    coverage: float = setting(
        0.95,
        number(0, 1),
        "Share of the branches of both versions that counts as covered.",
        repository=HIGHER,
    )
    least_inputs: int = setting(
        2400,
        whole(1, 10_000_000),
        "Inputs on which both have to agree, at least.",
        repository=HIGHER,
    )
    quiet_inputs: int = setting(
        500,
        whole(1, 10_000_000),
        "Inputs in a row without news before a covered search stops.",
        repository=HIGHER,
    )
    exhausted_inputs: int = setting(
        1500,
        whole(1, 10_000_000),
        "Inputs in a row without news after which a search that is not covered is exhausted.",
        repository=HIGHER,
    )
    least_coverage: float = setting(
        0.75,
        number(0, 1),
        "Share of the branches without which exhaustion proves nothing.",
        repository=HIGHER,
    )
    adequacy: float = setting(
        0.95,
        number(0, 1),
        "Share of the mutants of the changed code that the inputs would have to notice.",
        repository=HIGHER,
    )
    novelty: float = setting(
        0.02,
        number(0, 1),
        "Share of the last inputs that may have shown behaviour no other input did.",
        repository=LOWER,
    )
    step_seconds: float = setting(
        0.5,
        seconds(0.01, 3600),
        "Time of one call; a version that needs more is too slow to judge.",
        repository=LOWER,
    )


@dataclass(frozen=True, slots=True)
class OrphansSection:
    """How modules that nothing uses are looked for."""

    recursive: bool = setting(
        True,
        flag(),
        "Whether the imports of orphans are followed to what only orphans use.",
        repository=ANY_VALUE,
    )
    recursive_isolated: bool = setting(
        True,
        flag(),
        "The same for orphans that are tied to nothing else of the repository.",
        repository=ANY_VALUE,
    )
    discover_isolated: bool = setting(
        True,
        flag(),
        "Whether modules tied to nothing else are marked as isolated.",
        repository=ANY_VALUE,
    )
    include_redundant: bool = setting(
        True,
        flag(),
        "Whether redundant and legacy orphans are followed as well.",
        repository=ANY_VALUE,
    )
    max_depth: int = setting(
        1000,
        whole(0, 100_000),
        "Imports followed from an orphan that nothing uses.",
        repository=LOWER,
    )
    similarity: float = setting(
        0.8,
        number(0.5, 1),
        "Share of a module's code in another that makes it redundant.",
        repository=ANY_VALUE,
    )


class MapAlgorithm(StrEnum):
    """How the module map is parted into groups."""

    LOUVAIN = "louvain"
    LABEL = "label"
    COMPONENTS = "components"


@dataclass(frozen=True, slots=True)
class MapSection:
    """How the module map is drawn up."""

    algorithm: MapAlgorithm = setting(
        MapAlgorithm.LOUVAIN,
        choice(MapAlgorithm),
        "Modularity by Louvain, label propagation, or connected components.",
        repository=ANY_VALUE,
    )
    threshold: float = setting(
        0.1,
        number(0, 1),
        "Ties weaker than this share of the strongest are left out.",
        repository=ANY_VALUE,
    )
    semantic: bool = setting(
        False,
        flag(),
        "Whether modules that use the same words are tied as well.",
        repository=ANY_VALUE,
    )
