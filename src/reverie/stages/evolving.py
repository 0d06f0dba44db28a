"""One callable made faster by a population: breed, race, keep what differs, prove the best.

The proof is the one of `optimise`: what is offered went through the same trial.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from reverie.dreamers.evolve.author import AUTHOR, Author
from reverie.dreamers.evolve.heats import Heats
from reverie.dreamers.evolve.population import Population
from reverie.dreamers.evolve.population_file import keep_population, read_population, restore
from reverie.dreamers.optimise.race import Finish, Lap, Race, first_lap, raced
from reverie.dreamers.optimise.variants import Variant, reached_functions
from reverie.dreamers.rewriting.source import Source
from reverie.errors import UsageError
from reverie.instruments.benchmark.target import CallableTarget
from reverie.model.evolution import Evolution, Fate, Individual
from reverie.model.measurements.attempts import Optimisation, OptimisationTrial
from reverie.model.measurements.benchmark import SpeedVerdict
from reverie.model.measurements.equivalence import EquivalenceVerdict
from reverie.model.settings.judgement import GuardSection
from reverie.sandbox.engine import Sandbox
from reverie.stages.hotspots import (
    CALL_SECONDS,
    TRIAL_SECONDS,
    Given,
    inputs_for,
    question_of,
    read_source,
)
from reverie.trials.speed_trial import Question, duel, try_variant

Progress = Callable[[str], None]
_SEARCH_SHARE = 0.4
"""Of what is left, for breeding; the rest is for proving."""
_BROOD = 4
"""Children per island and generation."""
_MIGRATION = 3
"""Generations between migrations."""
_STALE = 6
"""Generations without a better one, after which breeding pauses for a proof."""
_MOST_TRIALS = 8
_WORTH_TRYING = 1.08
"""A gain that a trial might prove: without one, the whole time is for breeding."""
_WORTH_PROVING = 1.15
"""By how much a variant has to be faster than the one that is proven."""
_DUEL_SECONDS = 3.0
_MOST_GENERATIONS = 400
_ASKED_EVERY = 4
_INSPIRATIONS = 2


@dataclass(frozen=True, slots=True)
class Wish:
    """How far a population is bred."""

    budget_seconds: float
    seed: int = 0
    state: Path | None = None
    """Where the population is kept, and taken up again."""
    author: Author | None = None
    shown: tuple[str, ...] = ()
    """Calls of tests that try many items."""


@dataclass(slots=True)
class _Run:
    """One evolution under way."""

    sandbox: Sandbox
    population: Population
    heats: Heats
    question: Question
    race: Race
    wish: Wish
    deadline: float
    progress: Progress
    trials: list[OptimisationTrial] = field(default_factory=list)
    is_exhausted: bool = False
    resumed: int = 0
    authored: int = 0

    @property
    def left(self) -> float:
        return self.deadline - time.monotonic()

    @property
    def proven(self) -> OptimisationTrial | None:
        return next((each for each in reversed(self.trials) if each.is_promoted), None)


def evolve_callable(
    sandbox: Sandbox,
    target: CallableTarget,
    maker: CallableTarget | None,
    wish: Wish,
    section: GuardSection,
    progress: Progress = lambda text: None,
) -> Evolution:
    """Breed variants of one callable within the budget, and prove the best of them."""
    began = time.monotonic()
    source = read_source(target.file)
    if not reached_functions(Source(source).tree, target.attribute):
        raise UsageError(f"{target.file!r} has no function {target.attribute!r}")
    population = Population.begin(source, target.attribute, wish.seed)
    progress("timing the original")
    given, begun = _begun(sandbox, target, source, maker, wish)
    named = f"{target.file}:{target.attribute}"
    if begun is None:
        note = "the original does not get through the race with these inputs"
        none = Optimisation(named, (), 0, time.monotonic() - began, note)
        return Evolution(none, (population.original,), 0, 0, is_exhausted=False)
    race = raced(begun, [])
    run = _Run(
        sandbox,
        population,
        Heats(sandbox, given.course, source, begun),
        question_of(target, source, given, race, section),
        race,
        wish,
        began + wish.budget_seconds,
        progress,
    )
    _resume(run)
    _live(run)
    return _told(run, named, time.monotonic() - began)


def _begun(
    sandbox: Sandbox, target: CallableTarget, source: str, maker: CallableTarget | None, wish: Wish
) -> tuple[Given, Lap | None]:
    """The first inputs that the original takes, and its lap with them."""
    for given in inputs_for(target, source, maker, wish.seed, wish.shown):
        begun = first_lap(sandbox, given.course, source)
        if begun is not None and not begun.is_refused:
            break
    return given, begun


def _resume(run: _Run) -> None:
    """Race those of an earlier run again: times of another day are no times."""
    if run.wish.state is None:
        return
    population = run.population
    kept = read_population(run.wish.state, population.original, population.entry)
    again = restore(population, kept)
    for child in run.heats.run(again):
        population.place(child)
    run.resumed = len(kept)


def _live(run: _Run) -> None:
    """Breed and prove in turns, until the time is over or nothing new is left."""
    while True:
        _breed(run)
        _prove(run)
        _keep(run)
        is_over = run.left < TRIAL_SECONDS or len(run.trials) >= _MOST_TRIALS
        if is_over or run.is_exhausted or run.population.generation >= _MOST_GENERATIONS:
            return


def _breed(run: _Run) -> None:
    """Generations, until their share of the time is over, or nothing gets better any more."""
    until = time.monotonic() + _SEARCH_SHARE * max(run.left, 0.0)
    population, best, stale = run.population, _top(run), 0
    while (best < _WORTH_TRYING or stale < _STALE) and population.generation < _MOST_GENERATIONS:
        children = population.brood(_BROOD)
        written = _written(run)
        if written is not None:
            children.append(written)
        if not children:
            run.is_exhausted = True
            return
        run.progress(f"generation {population.generation}: {len(children)} variants")
        for child in run.heats.run(children):
            population.place(child)
        if population.generation % _MIGRATION == 0:
            population.migrate()
        now = _top(run)
        stale = 0 if now > best * 1.02 else stale + 1
        best = max(best, now)
        _keep(run)
        is_late = run.left < TRIAL_SECONDS
        if is_late or (best >= _WORTH_TRYING and time.monotonic() > until):
            return


def _written(run: _Run) -> Individual | None:
    """A child by the author, every few generations."""
    population, author = run.population, run.wish.author
    if author is None or population.generation % _ASKED_EVERY != 1:
        return None
    parent, *others = [*population.elites()[: _INSPIRATIONS + 1], population.original]
    inspirations = [each for each in others if each.steps][:_INSPIRATIONS]
    run.progress("asking the author")
    source = author.write(population.entry, parent, inspirations)
    if source is None:
        return None
    run.authored += 1
    return population.adopt(source, (parent.id,), AUTHOR, population.generation % 3)


def _top(run: _Run) -> float:
    return max((each.gain or 1.0 for each in run.population.elites()), default=1.0)


def _prove(run: _Run) -> None:
    """Try the best that nobody has tried, until one passes or the time is over."""
    while len(run.trials) < _MOST_TRIALS:
        chosen = _chosen(run)
        is_late = bool(run.trials) and run.left <= 1.0
        if chosen is None or is_late:
            return
        run.progress(f"trying {_pattern(chosen)}")
        seconds = max(run.left * (1.0 if run.is_exhausted else 0.7), TRIAL_SECONDS)
        finish = Finish(Variant(chosen.source, chosen.steps), chosen.gain or 1.0, chosen.gains)
        asked = replace(
            run.question, size=run.race.size_for(finish, CALL_SECONDS) or run.question.size
        )
        trial = try_variant(run.sandbox, asked, chosen.source, _pattern(chosen), seconds)
        run.trials.append(trial)
        _note(run, chosen, trial)
        if trial.is_promoted:
            return


def _chosen(run: _Run) -> Individual | None:
    """The best that was not tried; of two that are near, the winner of a duel."""
    tried = {each.id for each in run.trials}
    proven = run.proven
    known = run.population.members[proven.id].gain or 1.0 if proven else 0.0
    ranked = [
        each
        for each in run.population.ranked()
        if each.id not in tried and (each.gain or 0.0) > max(_WORTH_TRYING, known * _WORTH_PROVING)
    ]
    if not ranked:
        return None
    first, second = ranked[0], ranked[1] if len(ranked) > 1 else None
    has_time = run.left > 2 * TRIAL_SECONDS + _DUEL_SECONDS
    if second is None or not has_time or (second.gain or 0.0) < 0.8 * (first.gain or 0.0):
        return first
    run.progress("a duel of the two best")
    found = duel(run.sandbox, run.question, first.source, second.source, _DUEL_SECONDS)
    is_beaten = found is not None and found.judgement.verdict is SpeedVerdict.FASTER
    return second if is_beaten else first


def _note(run: _Run, individual: Individual, trial: OptimisationTrial) -> None:
    if trial.is_promoted:
        run.population.members[individual.id] = individual.with_fate(Fate.PROVEN)
    elif (
        trial.equivalence is not None and trial.equivalence.verdict is EquivalenceVerdict.DIFFERENT
    ):
        run.population.refuted(individual)
    else:
        run.population.members[individual.id] = individual.with_fate(Fate.HELD)


def _pattern(individual: Individual) -> str:
    return "+".join(individual.steps)


def _keep(run: _Run) -> None:
    if run.wish.state is not None:
        keep_population(run.wish.state, run.population)


def _told(run: _Run, named: str, seconds: float) -> Evolution:
    population = run.population
    imagined = len(population.members) - 1
    note = None
    if not imagined:
        note = "no known pattern fits"
    elif not run.trials:
        note = "no variant gives the same answers in less time"
    return Evolution(
        Optimisation(named, tuple(run.trials), imagined, seconds, note),
        tuple(population.members.values()),
        population.generation,
        len({niche for _, niche in population.archive}),
        run.is_exhausted,
        run.resumed,
        run.authored,
    )
