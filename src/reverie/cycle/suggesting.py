"""Everything that a repository's index, past, coverage, profile and journal suggest, ranked."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from reverie.index.graph import reverse_reach
from reverie.index.ranking import functions_of
from reverie.model.measurements.benchmark import Profile, Regression
from reverie.model.repository.candidate import Ranking
from reverie.model.repository.code import CodeIndex
from reverie.model.settings.judgement import RoiSection
from reverie.model.worth import Suggestion, SuggestionKind
from reverie.scoring.suggestions import (
    Known,
    Tally,
    suggest_mending,
    suggest_optimisation,
    suggest_refactoring,
    suggest_review,
    suggest_test,
)
from reverie.stages.hotspots import find_hotspots
from reverie.store.cycles.cycles import known_dreams
from reverie.store.cycles.measures import load_regressions
from reverie.store.cycles.promotions import WaitingDream, tally_of, waiting_dreams
from reverie.store.journal import Journal

_KINDS = {
    "test": SuggestionKind.TEST,
    "refactor": SuggestionKind.REFACTOR,
    "optimisation": SuggestionKind.OPTIMISE,
}


@dataclass(frozen=True, slots=True)
class Past:
    """What the journal knows of a repository."""

    tallies: dict[SuggestionKind, Tally]
    regressions: tuple[Regression, ...] = ()
    waiting: tuple[WaitingDream, ...] = ()


def read_past(journal: Journal | None, repository: Path) -> Past:
    """From the journal; nothing where there is none."""
    if journal is None:
        return Past({})
    counts = tally_of(known_dreams(journal, repository, but="").values())
    tallies = {
        _KINDS[kind]: Tally(tried, promoted)
        for kind, (tried, promoted) in counts.items()
        if kind in _KINDS
    }
    latest = {each.callable: each for each in load_regressions(journal, repository)}
    return Past(tallies, tuple(latest.values()), waiting_dreams(journal, repository))


def suggest(
    index: CodeIndex,
    ranking: Ranking,
    profile: Profile | None,
    past: Past,
    section: RoiSection,
) -> tuple[Suggestion, ...]:
    """Most worth first."""
    known = Known(
        section,
        {each.path: each.history for each in ranking.candidates},
        _reach(index),
        past.tallies,
        0.0 if profile is None else profile.seconds,
    )
    found = [
        *_tests(known, ranking),
        *_refactorings(known, index),
        *_speed(known, index, profile, past),
        *(suggest_review(e.dream_id, e.title, e.verdict, e.raroi) for e in past.waiting),
    ]
    return tuple(sorted(found, key=lambda each: each.rank))


def _tests(known: Known, ranking: Ranking) -> Iterator[Suggestion]:
    for each in ranking.candidates:
        if (found := suggest_test(known, each)) is not None:
            yield found


def _refactorings(known: Known, index: CodeIndex) -> Iterator[Suggestion]:
    for module in index.modules:
        if module.is_test:
            continue
        for function in functions_of(module):
            if (found := suggest_refactoring(known, module.path, function)) is not None:
                yield found


def _speed(
    known: Known, index: CodeIndex, profile: Profile | None, past: Past
) -> Iterator[Suggestion]:
    costs = {f"{each.path}:{each.qualname}": each for each in (profile.hot if profile else ())}
    for spot in find_hotspots(index, profile):
        yield suggest_optimisation(known, spot.path, spot.qualname, spot.rewrites, spot.cost)
    for regression in past.regressions:
        yield suggest_mending(known, regression, costs.get(regression.callable))


def _reach(index: CodeIndex) -> dict[str, float | None]:
    """By path: the share of the other modules that import one, directly or not."""
    paths = {module.name: module.path for module in index.modules}
    graph: dict[str, set[str]] = {path: set() for path in paths.values()}
    for importer, imported in index.edges:
        if importer in paths and imported in paths:
            graph[paths[importer]].add(paths[imported])
    return reverse_reach(graph)
