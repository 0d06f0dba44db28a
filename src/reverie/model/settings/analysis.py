"""The settings of what is said about a repository: where a test is worth most, and how good it is.

As in `sections`: a frozen dataclass each, every field with its doc line and its bounds.
"""

from dataclasses import dataclass
from enum import StrEnum

from reverie.model.outcome import TrustTier
from reverie.model.repository.quality import Grade
from reverie.model.settings.setting import (
    ANY_VALUE,
    HIGHER,
    INSIDE,
    LOWER,
    Reader,
    choice,
    earlier,
    flag,
    is_path,
    later,
    number,
    patterns,
    seconds,
    setting,
    text,
    whole,
)


class ToolConfiguration(StrEnum):
    """Whose configuration ruff and mypy follow."""

    REPOSITORY = "repository"
    OWN = "own"


def _steps(*, rising: bool) -> Reader[tuple[float, ...]]:
    """Four numbers, each worse than the one before: the ends of all grades but the last."""
    direction = "growing" if rising else "falling"
    bounds = f"four {direction} numbers from 0 to 1000"

    def parse(given: str) -> object:
        try:
            return [float(word) for word in given.split(",")]
        except ValueError:
            return given

    def check(value: object) -> tuple[float, ...]:
        if not isinstance(value, list) or len(value) != len(Grade) - 1:
            raise ValueError(f"expected {bounds}")
        is_number = all(isinstance(each, int | float) and type(each) is not bool for each in value)
        if not is_number or not all(0 <= each <= 1000 for each in value):
            raise ValueError(f"expected {bounds}")
        if value != sorted(value, reverse=not rising) or len(set(value)) != len(value):
            raise ValueError(f"expected {bounds}")
        return tuple(float(each) for each in value)

    return Reader(bounds, parse, check)


def _weight(default: float, part: str) -> float:
    doc = f"Weight of {part} in the overall grade; 0: none."
    return setting(default, number(0, 100), doc)


def _at_most(*steps: float, what: str) -> tuple[float, ...]:
    doc = f"{what} at most, grade by grade."
    return setting(steps, _steps(rising=True), doc, repository=LOWER)


def _at_least(*steps: float, what: str) -> tuple[float, ...]:
    doc = f"{what} at least, grade by grade."
    return setting(steps, _steps(rising=False), doc, repository=HIGHER)


@dataclass(frozen=True, slots=True)
class CandidatesSection:
    """Where a test is worth most."""

    half_life_days: float = setting(
        180.0,
        number(1, 36_500),
        "Days after which a change counts half, from the newest commit backwards.",
        repository=ANY_VALUE,
    )
    max_commits: int = setting(
        10_000,
        whole(1, 1_000_000),
        "Commits read at most, newest first; more are mentioned.",
        repository=LOWER,
    )
    bots: tuple[str, ...] = patterns(
        (
            *("*[bot]*", "*dependabot*", "*renovate*", "*github-actions*", "*pre-commit-ci*"),
            *("*greenkeeper*", "*pyup*bot*", "*snyk-bot*", "*-bot@*", "*-bot <*"),
        ),
        "Authors, as `Name <email>`, whose commits do not count; `*` stands for any text.",
        repository=ANY_VALUE,
    )
    ignore_formatting: bool = setting(
        True,
        flag(),
        "Whether a change that leaves the syntax tree as it was counts for nothing.",
        repository=ANY_VALUE,
    )
    ignore_revs_file: str = setting(
        ".git-blame-ignore-revs",
        text("a file name", is_path),
        "File in the repository with commits that do not count, one a line.",
        repository=INSIDE,
    )
    exclude: tuple[str, ...] = patterns(
        (),
        "Paths that are no candidates; `*` stands for any text, also with `/` in it.",
        repository=ANY_VALUE,
    )
    benchmarks: tuple[str, ...] = patterns(
        (
            *("benchmarks/*.py", "benchmark/*.py", "bench/*.py", "perf/*.py", "asv_bench/*.py"),
            *("*/benchmarks/*.py", "*bench_*.py", "*_bench.py", "*_benchmark.py", "*test_perf*.py"),
        ),
        "Files with benchmarks, run by `reverie optimise --profile benchmarks`; `*` is any text.",
        repository=ANY_VALUE,
    )
    measure_seconds: float = setting(
        600.0,
        seconds(1, 86_400),
        "Wall time of the suite when its coverage is measured.",
        repository=LOWER,
    )
    measure_memory_mb: int = setting(
        2048,
        whole(64, 1_048_576),
        "Memory of the suite when its coverage is measured, in MiB.",
        repository=LOWER,
    )


@dataclass(frozen=True, slots=True)
class QualitySection:
    """How good a piece of code is, and what is good enough."""

    minimum: Grade = setting(
        Grade.NEEDS_WORK,
        choice(Grade),
        "The grade below which the answer is no (exit code 1).",
        repository=earlier(Grade),
    )
    configuration: ToolConfiguration = setting(
        ToolConfiguration.REPOSITORY,
        choice(ToolConfiguration),
        "Whose configuration ruff and mypy follow: the repository's, or Reverie's own.",
        repository=later(ToolConfiguration),
    )
    tier: TrustTier = setting(
        TrustTier.TRUSTED,
        choice(TrustTier),
        "Trust tier at which safety rules count, for files that `safety.paths` does not name.",
        repository=earlier(TrustTier),
    )
    complexity_limit: int = setting(
        10,
        whole(1, 1000),
        "Cyclomatic complexity above which a function is complex.",
        repository=LOWER,
    )
    duplicate_tokens: int = setting(
        100,
        whole(20, 100_000),
        "Tokens from which on a repetition is a duplicate.",
        repository=LOWER,
    )
    tool_seconds: float = setting(
        300.0, seconds(1, 86_400), "Wall time of one tool (ruff, mypy).", repository=LOWER
    )
    tool_memory_mb: int = setting(
        2048, whole(64, 1_048_576), "Memory of one tool (ruff, mypy), in MiB.", repository=LOWER
    )
    lint: tuple[float, ...] = _at_most(1, 5, 15, 40, what="Findings of ruff per 1,000 lines")
    types: tuple[float, ...] = _at_most(1, 4, 12, 30, what="Errors of mypy per 1,000 lines")
    complexity: tuple[float, ...] = _at_most(
        0.02, 0.1, 0.25, 0.5, what="Share of the functions' lines in complex functions"
    )
    docstrings: tuple[float, ...] = _at_least(
        0.9, 0.7, 0.4, 0.1, what="Share of public modules, classes and functions with a docstring"
    )
    security: tuple[float, ...] = _at_most(
        0, 0.5, 2, 5, what="Findings of the safety rules per 1,000 lines"
    )
    duplication: tuple[float, ...] = _at_most(
        0.03, 0.06, 0.12, 0.25, what="Share of lines that are repeated elsewhere"
    )
    weight_lint: float = _weight(1.0, "ruff's findings")
    weight_types: float = _weight(1.0, "mypy's errors")
    weight_complexity: float = _weight(1.0, "complexity")
    weight_docstrings: float = _weight(0.5, "docstrings")
    weight_security: float = _weight(1.5, "security")
    weight_duplication: float = _weight(1.0, "duplication")
