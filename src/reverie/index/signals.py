"""What the past and the tests say of each module, for whoever judges or draws it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from reverie.index.coverage.report import map_coverage
from reverie.index.ranking import FoundCoverage, Past, histories_of, read_source
from reverie.model.analysis_sections import CandidatesSection
from reverie.model.candidate import ModuleHistory
from reverie.model.code import CodeIndex
from reverie.model.coverage import FileCoverage
from reverie.model.standing import ModuleSignals


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
