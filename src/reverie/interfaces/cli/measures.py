"""What a command knows of modules besides their source: coverage that was left, and the past."""

from dataclasses import dataclass, replace
from pathlib import Path

from reverie.bootstrap import measure_signals
from reverie.errors import GitFailed, UsageError
from reverie.index.coverage.report import find_report, read_report
from reverie.index.ranking import FoundCoverage
from reverie.index.signals import Measured
from reverie.interfaces.cli.app import App
from reverie.model.code import CodeIndex

_NO_COVERAGE = "no coverage report: what the tests run is not known"


@dataclass(frozen=True, slots=True)
class CoverageSearch:
    """The coverage that was found, and what went wrong with it."""

    found: FoundCoverage | None
    notes: tuple[str, ...] = ()


def find_coverage(repository: Path) -> CoverageSearch:
    """The coverage report that lies in a repository. Nobody asked for it: a bad one is said."""
    path = find_report(repository)
    if path is None:
        return CoverageSearch(None)
    try:
        return CoverageSearch(FoundCoverage(read_report(path), path.name))
    except UsageError as error:
        return CoverageSearch(None, (f"passed over: {error}",))


def measured(app: App, index: CodeIndex) -> Measured:
    """The signals of every module, and notes on what is not known."""
    search = find_coverage(app.loaded.repository)
    absent = (_NO_COVERAGE,) if search.found is None else ()
    try:
        found = measure_signals(index, search.found, app.settings.candidates)
    except GitFailed as error:  # a broken past is no reason to be silent about the present
        found = Measured(notes=(f"git age is not known: {error}",))
    return replace(found, notes=(*found.notes, *search.notes, *absent))
