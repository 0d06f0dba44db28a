"""The settings of judgement: what a change may touch, what it must show, what it is worth.

As in `sections`: a frozen dataclass each, every field with its doc line and its bounds.
"""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from reverie.errors import ConfigError
from reverie.model.settings.setting import (
    ANY_VALUE,
    HIGHER,
    INSIDE,
    LOWER,
    MORE,
    Permission,
    flag,
    number,
    patterns,
    seconds,
    setting,
    text,
    whole,
    words,
)
from reverie.model.worth import Severity


def _is_severity(value: str) -> bool:
    pattern, _, severity = value.rpartition("=")
    return bool(pattern.strip()) and severity.strip() in list(Severity)


def _share(default: float, doc: str, repository: Permission) -> float:
    return setting(default, number(0, 1), doc, repository=repository)


def _points(default: float, what: str) -> float:
    doc = f"Points {what}."
    return setting(default, number(0, 10_000), doc, repository=ANY_VALUE)


def parse_severities(content: str, place: str) -> tuple[str, ...]:
    """`pattern=severity` for each line of the table `[severity]` of a TOML file."""
    try:
        document = tomllib.loads(content)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{place}: not valid TOML: {error}") from error
    table = document.get("severity")
    if set(document) != {"severity"} or not isinstance(table, dict):
        raise ConfigError(f"{place}: expected one table, [severity], and nothing else")
    found = tuple(f"{pattern}={severity}" for pattern, severity in table.items())
    for each in found:
        if not _is_severity(each):
            raise ConfigError(f"{place}: {each!r}: expected a path and {', '.join(Severity)}")
    return found


@dataclass(frozen=True, slots=True)
class GuardSection:
    """What a change may touch at each stage, and what it must show."""

    protected: tuple[str, ...] = patterns(
        (),
        "Paths that no change may touch, besides the built-in ones; `*` stands for any text.",
        repository=MORE,
    )
    critical: tuple[str, ...] = patterns(
        (),
        "Paths of modules that are too important for speed-ups; `*` stands for any text.",
        repository=MORE,
    )
    test_roots: tuple[str, ...] = patterns(
        ("tests", "test"),
        "Folders of tests, by name or by path from the repository on.",
        repository=ANY_VALUE,
    )
    test_files: int = setting(
        2, whole(1, 1000), "Files that a change of tests may touch.", repository=LOWER
    )
    files: int = setting(
        2, whole(1, 1000), "Files that a refactoring or a speed-up may touch.", repository=LOWER
    )
    lines: int = setting(
        40,
        whole(1, 100_000),
        "Lines that a refactoring may add and remove together.",
        repository=LOWER,
    )
    runs: int = setting(
        5, whole(2, 100), "Runs in random order that every new test must pass.", repository=HIGHER
    )
    coverage_refactor: float = _share(
        0.5, "Share of lines that tests must run before a refactoring.", repository=HIGHER
    )
    coverage_optimise: float = _share(
        0.7, "Share of lines that tests must run before a speed-up.", repository=HIGHER
    )
    added_decisions: int = setting(
        3,
        whole(0, 1000),
        "Decisions (branches, loops) that a speed-up may add.",
        repository=LOWER,
    )
    gain_p50: float = _share(
        0.10, "Gain of a speed-up at the median: 0.2 is 1.2x as fast.", repository=HIGHER
    )
    gain_p95: float = _share(
        0.15,
        "Gain of a speed-up at the 95th percentile: 0.2 is 1.2 times.",
        repository=HIGHER,
    )
    gain_p99: float = _share(
        0.20,
        "Gain of a speed-up at the 99th percentile: 0.2 is 1.2 times.",
        repository=HIGHER,
    )
    memory: float = setting(
        0.10,
        number(0, 100),
        "Share of memory that a speed-up may need more.",
        repository=LOWER,
    )
    mutants: int = setting(
        60,
        whole(1, 100_000),
        "Mutants that the tests before and after are compared on.",
        repository=HIGHER,
    )
    keepability: float = _share(
        0.3,
        "Score that every test must reach which Reverie writes itself: how likely a maintainer "
        "keeps it as it is.",
        repository=HIGHER,
    )
    budget_seconds: float = setting(
        180.0,
        seconds(1, 86_400),
        "CPU time for all trials of one change; what is left is not measured.",
        repository=LOWER,
    )
    approvals: int = setting(
        2,
        whole(1, 20),
        "People who must approve a speed-up, none of them its author.",
        repository=HIGHER,
    )


@dataclass(frozen=True, slots=True)
class RoiSection:
    """What a change is worth and what it costs, in points: one condition protected is one."""

    condition: float = _points(1.0, "for a condition or statement that tests newly protect")
    clarity: float = _points(0.5, "for a point of nested decisions that code has less")
    doubling: float = _points(1.0, "for each doubling of the speed of a callable")
    profile_share: float = _points(50.0, "for all of the time that the profile has: 2 % are one")
    growth_class: float = _points(4.0, "for a class of growth less, as from quadratic to linear")
    mended_test: float = _points(5.0, "for a failing test made to pass")
    mended_finding: float = _points(5.0, "for a finding that a change mends")
    integrated_orphan: float = _points(4.0, "for an orphan that is integrated")
    reviewed_line: float = _points(0.02, "that reading a changed line costs")
    least_review: float = _points(0.1, "that a review costs at the least")
    reworked_test: float = _points(0.25, "that a test costs which nobody keeps as it is written")
    added_complexity: float = _points(0.5, "that a decision costs which code has more")
    compute_minute: float = _points(0.01, "that a minute of computing costs, for planning")
    confidence: float = _share(
        0.4,
        "Confidence in its worth below which a proven change waits for a person's word.",
        repository=HIGHER,
    )
    severities: tuple[str, ...] = setting(
        (),
        words("a list of path pattern=" + "/".join(Severity), _is_severity),
        "How much a rollback would hurt, by path, where the reach of a module says too little.",
        repository=ANY_VALUE,
    )
    severity_file: str | None = setting(
        None,
        text("a path", lambda value: bool(value.strip()) and "\0" not in value),
        "TOML file with more of them, relative to the repository.",
        repository=INSIDE,
    )
    learned_weights: bool = setting(
        True,
        flag(),
        "Whether weights that `reverie weights train` has learned are used.",
        repository=ANY_VALUE,
    )

    def severity_of(self, paths: Iterable[str]) -> Severity | None:
        """The gravest that is laid down for any of the paths; None where nothing is."""
        laid_down = [each.rpartition("=") for each in self.severities]
        found = [
            Severity(severity.strip())
            for path in paths
            for pattern, _, severity in laid_down
            if fnmatchcase(path, pattern.strip())
        ]
        return max(found, key=lambda each: each.weight, default=None)
