"""A repository ranked by what a test is worth: from its index, its past and its coverage.

    value = change * fault * spread * untested * complexity

`change` * `fault` is how many faulty changes to expect, `untested` the share of them that no test
would see; `spread` and `complexity` say how easily a change goes wrong. A factor that is not known
is left out of the product; `remarks` says what was not known, and what was left out.
"""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from reverie.index import remarks
from reverie.index.coverage import map_coverage
from reverie.index.coverage_files import RawCoverage
from reverie.index.hotness import (
    FileCommit,
    Ignored,
    is_formatting_only,
    measure_history,
    parse_ignored_revisions,
    trace_files,
)
from reverie.index.outlook import exclusions_of
from reverie.model.repository.candidate import (
    BlobPair,
    Candidate,
    CoverageMap,
    Factors,
    FileCoverage,
    History,
    ModuleComplexity,
    ModuleHistory,
    Ranking,
)
from reverie.model.repository.code import CodeIndex, Function, Module
from reverie.model.repository.standing import ModuleSignals
from reverie.model.settings.analysis import CandidatesSection

FORMULA = "value = change * fault * spread * untested * complexity"
UNNOTICED = 0.15
"""Of the faults in lines that a test runs, those that no assertion sees: the suites of five
packages let 7 to 19 % of planted faults live (docs/internal/benchmarks.md, enrich)."""
CHANGE_PRIOR = 0.1
"""Nothing is sure never to change again."""
FAULT_PRIOR = (1.0, 9.0)
"""Beta prior: before anything is known, one change in ten goes wrong."""


def rank(
    modules: Sequence[Module],
    histories: Mapping[str, ModuleHistory] | None,
    coverage: CoverageMap | None,
    line_counts: Mapping[str, int],
) -> tuple[Candidate, ...]:
    """The modules, most valuable first; equals by path."""
    candidates = [
        _candidate(
            module,
            None if histories is None else histories.get(module.path),
            None if coverage is None else coverage.files.get(module.path),
            line_counts.get(module.path, module.loc),
        )
        for module in modules
    ]
    return tuple(sorted(candidates, key=lambda each: (-each.value, each.path)))


def functions_of(module: Module) -> list[Function]:
    """The functions of a module and the methods of its classes."""
    return [*module.functions, *(each for owner in module.classes for each in owner.methods)]


def complexity_of(module: Module) -> ModuleComplexity:
    """What the index knows of a module's functions, summed up."""
    functions = functions_of(module)
    return ModuleComplexity(
        functions=len(functions),
        total=sum(each.complexity for each in functions),
        highest=max((each.complexity for each in functions), default=0),
        cognitive=sum(each.cognitive for each in functions),
    )


def factors_of(
    complexity: ModuleComplexity, history: ModuleHistory | None, coverage: FileCoverage | None
) -> Factors:
    """The factors of a value, each from one thing that was measured."""
    change = fault = spread = None
    if history is not None:
        change = CHANGE_PRIOR + history.churn
        fault = (FAULT_PRIOR[0] + history.faults) / (sum(FAULT_PRIOR) + history.churn)
        share = history.main_author_share
        spread = 1.0 if share is None else 2.0 - share
    share = None if coverage is None else coverage.share
    return Factors(
        change=change,
        fault=fault,
        spread=spread,
        untested=None if share is None else 1.0 - share,
        complexity=math.log2(1 + complexity.total),
    )


def value_of(factors: Factors) -> float:
    """The product of the factors that are known."""
    known = (factors.change, factors.fault, factors.spread, factors.untested, factors.complexity)
    return math.prod(factor for factor in known if factor is not None)


def worth_of_tests(factors: Factors) -> float:
    """The same where a module that tests run whole is worth some more: they overlook faults."""
    if factors.untested is None:
        return value_of(factors)
    unseen = factors.untested + UNNOTICED * (1.0 - factors.untested)
    return value_of(replace(factors, untested=unseen))


def _candidate(
    module: Module, history: ModuleHistory | None, coverage: FileCoverage | None, lines: int
) -> Candidate:
    complexity = complexity_of(module)
    factors = factors_of(complexity, history, coverage)
    return Candidate(
        module=module.name,
        path=module.path,
        lines=lines,
        value=value_of(factors),
        factors=factors,
        complexity=complexity,
        history=history,
        coverage=coverage,
    )


MAX_SOURCE_BYTES = 16 << 20
ReadPairs = Callable[[Sequence[BlobPair]], Iterator[tuple[BlobPair, bytes, bytes]]]


@dataclass(frozen=True, slots=True)
class Past:
    """What git tells of a repository, and how to read the contents that it speaks of."""

    history: History
    read_pairs: ReadPairs


@dataclass(frozen=True, slots=True)
class FoundCoverage:
    """A coverage report, and where it came from."""

    raw: RawCoverage
    source: str


def rank_repository(
    index: CodeIndex,
    past: Past | None,
    coverage: FoundCoverage | None,
    section: CandidatesSection,
) -> Ranking:
    """Where in a repository a test is worth most."""
    repository = Path(index.repository)
    sources = {each.path: read_source(repository, each.path) for each in index.modules}
    excluded = exclusions_of(index.modules, sources, section.exclude)
    modules = [each for each, why in zip(index.modules, excluded, strict=True) if why is None]
    paths = [each.path for each in modules]
    histories = None if past is None else histories_of(repository, past, paths, section)
    covered = None
    if coverage is not None:
        covered = map_coverage(coverage.raw, coverage.source, repository, sources, sources.get)
    notes = [] if past is None else remarks.remarks_on_history(past.history, histories)
    notes += remarks.remarks_on_coverage(covered, paths) if paths else [remarks.NO_MODULES]
    lines = {path: len(source.splitlines()) for path, source in sources.items() if source}
    return Ranking(
        candidates=rank(modules, histories, covered, lines),
        excluded=tuple(why for why in excluded if why is not None),
        notes=(*index.notes, *notes),
        head=None if past is None else past.history.head,
    )


def histories_of(
    repository: Path, past: Past, paths: Collection[str], section: CandidatesSection
) -> Mapping[str, ModuleHistory] | None:
    """The history of every path; None when no commit counts for any of them."""
    traced = trace_files(past.history, paths)
    ignored = _ignored(repository, past, traced.values(), section)
    measured = {
        path: measure_history(past.history, entries, section, ignored)
        for path, entries in traced.items()
    }
    return measured if any(each.touches for each in measured.values()) else None


def _ignored(
    repository: Path,
    past: Past,
    traced: Iterable[Sequence[FileCommit]],
    section: CandidatesSection,
) -> Ignored:
    """Commits that the repository wants passed over, and changes that are none."""
    listed = read_source(repository, section.ignore_revs_file) or b""
    commits = parse_ignored_revisions(listed.decode("utf-8", "replace"))
    if not section.ignore_formatting:
        return Ignored(commits)
    touches = (each.touch for entries in traced for each in entries)
    pairs = list(dict.fromkeys(touch.blobs for touch in touches if touch.blobs is not None))
    read = past.read_pairs(pairs)
    return Ignored(
        commits, frozenset(pair for pair, old, new in read if is_formatting_only(old, new))
    )


def read_source(repository: Path, path: str) -> bytes | None:
    """A file of the repository; None when it is none, lies elsewhere or is very large."""
    place = repository / path
    try:
        is_own = place.resolve().is_relative_to(repository.resolve()) and place.is_file()
        return place.read_bytes() if is_own and place.stat().st_size <= MAX_SOURCE_BYTES else None
    except (OSError, ValueError):
        return None


@dataclass(frozen=True, slots=True)
class Measured:
    """The signals by path, and what is not known of any module."""

    signals: Mapping[str, ModuleSignals] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def measure_modules(
    index: CodeIndex,
    past: Past | None,
    coverage: FoundCoverage | None,
    section: CandidatesSection,
) -> Mapping[str, ModuleSignals]:
    """The signals of every module. Contents of old commits are not read: that takes long."""
    repository = Path(index.repository)
    paths = [each.path for each in index.modules]
    histories: Mapping[str, ModuleHistory] = {}
    if past is not None:
        quick = replace(section, ignore_formatting=False)
        histories = histories_of(repository, past, paths, quick) or {}
    covered: Mapping[str, FileCoverage] = {}
    if coverage is not None:
        read = partial(read_source, repository)
        covered = map_coverage(coverage.raw, coverage.source, repository, paths, read).files
    most = max((each.churn for each in histories.values()), default=0.0)
    return {path: _signals(histories.get(path), covered.get(path), most) for path in paths}


def _signals(
    history: ModuleHistory | None, covered: FileCoverage | None, most: float
) -> ModuleSignals:
    is_dated = history is not None and bool(history.touches)
    return ModuleSignals(
        coverage=None if covered is None else covered.share,
        hotness=history.churn / most if history is not None and most else None,
        days_since_change=history.touches[0].age_days if history is not None and is_dated else None,
    )
