"""The population of one callable: islands, an archive of niches, and who may have children.

The archive keeps the fastest of each cell of speed, size and means on each island, so that a detour
that is slower at first is not lost. Whoever is new in shape is raced; whoever gains what its cell's
best gains already is written down and kept out.
"""

import math
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from reverie.dreamers.evolve.operators import GRAFT, Mutation, graft, mutations
from reverie.dreamers.evolve.traits import (
    approach_of,
    identity_of,
    is_like,
    shape_of,
    statements_of,
)
from reverie.model.evolution import Fate, Individual, Niche

ISLANDS = 3
"""Of shown rewrites alone; with guesses; with guesses and mostly grafts."""
_MOST_MUTATIONS = 60
_MOST_STEPS = 12
_GRAFTS = (0.1, 0.1, 0.4)
_BOLD = 0.6
"""How often the best of an island is the parent; otherwise anybody of its archive is."""
_STRANGE = 0.85
"""Above it, anybody at all is asked first."""
_AS_GOOD = 1.15
_CURIOSITY = 0.7


@dataclass(slots=True)
class Credit:
    """What an operator has earned: how often it was tried, and by how much children were faster."""

    tries: int = 0
    earned: float = 0.0

    def promise(self, all_tries: int) -> float:
        """An upper bound of what the next try is worth."""
        mean = self.earned / self.tries if self.tries else 0.0
        return mean + _CURIOSITY * math.sqrt(math.log(all_tries + 2) / (self.tries + 1))


@dataclass(slots=True)
class Population:
    """Everybody, and the places that they hold."""

    entry: str
    original: Individual
    chance: random.Random
    members: dict[str, Individual] = field(default_factory=dict)
    archive: dict[tuple[int, Niche], str] = field(default_factory=dict)
    credits: dict[str, Credit] = field(default_factory=dict)
    generation: int = 0
    _shapes: set[str] = field(default_factory=set)
    _open: dict[tuple[str, bool], list[Mutation]] = field(default_factory=dict)

    @classmethod
    def begin(cls, text: str, entry: str, seed: int) -> "Population":
        """The original alone."""
        first = Individual(
            identity_of(text),
            text,
            (),
            "",
            (),
            0,
            0,
            approach_of(text, entry),
            statements_of(text, entry),
            {0: 1.0},
            Fate.ALIVE,
        )
        population = cls(entry, first, random.Random(seed))
        population.members[first.id] = first
        population._shapes.add(shape_of(text))
        return population

    def brood(self, count: int) -> list[Individual]:
        """Children for all islands, each of a shape that nobody has had."""
        self.generation += 1
        turns = [(self.generation + at) % ISLANDS for _ in range(count) for at in range(ISLANDS)]
        born = [self._child(island) for island in turns]
        return [child for child in born if child is not None]

    def adopt(
        self, source: str, parents: Iterable[str], operator: str, island: int
    ) -> Individual | None:
        """A new individual; None where its shape was there before."""
        try:
            shape = shape_of(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        if shape in self._shapes:
            return None
        self._shapes.add(shape)
        born_of = tuple(parents)
        steps = self.members[born_of[0]].steps
        made = Individual(
            identity_of(source),
            source,
            born_of,
            operator,
            (*steps, *self._added(born_of, operator)),
            self.generation,
            island,
            approach_of(source, self.entry),
            statements_of(source, self.entry),
        )
        self.members[made.id] = made
        return made

    def place(self, child: Individual) -> bool:
        """Write down how a child did; True when it takes a cell of the archive."""
        self.members[child.id] = child
        self._credit(child)
        if not child.is_fit or child.gain is None:
            return False
        cell = (child.island, child.niche(self.original.statements))
        holder = self.members.get(self.archive.get(cell, ""))
        if holder is not None and holder.is_fit and not _is_better(child, holder):
            return False
        self.archive[cell] = child.id
        return True

    def migrate(self) -> None:
        """The best of each island is known on the next one, too."""
        for island in range(ISLANDS):
            best = self._best_of(island)
            if best is not self.original:
                to = (island + 1) % ISLANDS
                cell = (to, best.niche(self.original.statements))
                self.archive.setdefault(cell, best.id)

    def ranked(self) -> list[Individual]:
        """Those that gain, fastest first, but of nearly equal ones the one of fewer steps."""
        fit = [each for each in self.members.values() if each.is_fit and (each.gain or 0) > 1.0]
        left = sorted(fit, key=lambda each: -(each.gain or 0.0))
        found = []
        while left:
            top = left[0].gain or 0.0
            near = [each for each in left if (each.gain or 0.0) * _AS_GOOD >= top]
            best = min(near, key=_plainness)
            found.append(best)
            left.remove(best)
        return found

    def elites(self) -> list[Individual]:
        """Who holds a cell, the fastest first, each once."""
        ids = dict.fromkeys(self.archive.values())
        held = [self.members[each] for each in ids if self.members[each].is_fit]
        return sorted(held, key=lambda each: -(each.gain or 0.0))

    def _child(self, island: int) -> Individual | None:
        if self.chance.random() < _GRAFTS[island]:
            child = self._grafted(island)
            if child is not None:
                return child
        for parent in self._parents(island):
            waiting = self._waiting(parent, is_bold=island > 0)
            while waiting:
                change = waiting.pop(self._chosen(waiting))
                child = self.adopt(change.source, (parent.id,), change.operator, island)
                if child is not None:
                    return child
        return None

    def _parents(self, island: int) -> Iterator[Individual]:
        """Whom to ask for a child: mostly the best, then others of the island, then anybody.

        Whoever holds no cell comes last, and comes: a step that gains nothing by itself may be what
        another one needs.
        """
        ids = [each for (place, _), each in self.archive.items() if place == island]
        others = [self.members[each] for each in dict.fromkeys(ids) if self.members[each].is_fit]
        self.chance.shuffle(others)
        drawn = self.chance.random()
        if drawn < _BOLD:
            yield self._best_of(island)
        elif drawn > _STRANGE:
            yield self.chance.choice([each for each in self.members.values() if each.is_fit])
        yield from others
        yield self.original
        anybody = [each for each in self.members.values() if each.is_fit]
        self.chance.shuffle(anybody)
        yield from anybody

    def _best_of(self, island: int) -> Individual:
        ids = [each for (place, _), each in self.archive.items() if place == island]
        fit = [self.members[each] for each in ids if self.members[each].is_fit]
        return max(fit, key=lambda each: each.gain or 0.0, default=self.original)

    def _waiting(self, parent: Individual, *, is_bold: bool) -> list[Mutation]:
        """Changes to a parent that were not made yet."""
        key = (parent.id, is_bold)
        if key not in self._open:
            found: list[Mutation] = []
            if len(parent.steps) < _MOST_STEPS:
                for each in mutations(parent.source, self.entry, with_guesses=is_bold):
                    found.append(each)
                    if len(found) >= _MOST_MUTATIONS:
                        break
            self._open[key] = found
        return self._open[key]

    def _chosen(self, waiting: list[Mutation]) -> int:
        """The place of the change whose operator promises most."""
        tries = sum(each.tries for each in self.credits.values())
        promise = [
            self.credits.get(each.operator, Credit()).promise(tries) - 0.2 * each.is_guess
            for each in waiting
        ]
        return max(range(len(waiting)), key=lambda at: (promise[at], -at))

    def _grafted(self, island: int) -> Individual | None:
        """The steps of somebody else, made to the best of an island."""
        best = self._best_of(island)
        others = [
            each
            for each in self.elites()
            if each.id != best.id and set(each.steps) - set(best.steps)
        ]
        if best is self.original or not others:
            return None
        other = self.chance.choice(others[:8])
        steps = tuple(step for step in other.steps if step not in best.steps)
        made = graft(best.source, self.entry, steps)
        if made is None:
            return None
        return self.adopt(made.source, (best.id, other.id), GRAFT, island)

    def _added(self, parents: tuple[str, ...], operator: str) -> tuple[str, ...]:
        if operator != GRAFT:
            return (operator,)
        first, other = (self.members[each].steps for each in parents)
        return tuple(step for step in other if step not in first)

    def _credit(self, child: Individual) -> None:
        credit = self.credits.setdefault(child.operator, Credit())
        credit.tries += 1
        before = self.members[child.parents[0]].gain if child.parents else None
        if child.is_fit and child.gain and before:
            credit.earned += min(max(math.log2(child.gain / before), 0.0), 3.0)

    def refuted(self, individual: Individual) -> None:
        """Somebody behaves otherwise after all: so may whoever came of it."""
        self.members[individual.id] = individual.with_fate(Fate.REFUTED)
        fallen = {individual.id}
        for each in list(self.members.values()):
            if fallen & set(each.parents):
                fallen.add(each.id)
                if each.is_fit and each.fate is not Fate.PROVEN:
                    self.members[each.id] = replace(each, fate=Fate.REFUTED)


def _plainness(individual: Individual) -> tuple[int, int, int]:
    guesses = sum(step.startswith("guess:") for step in individual.steps)
    return guesses, len(individual.steps), individual.statements


def _is_better(child: Individual, holder: Individual) -> bool:
    """Faster by more than noise, or the same in fewer statements."""
    if is_like(child.gains, holder.gains):
        return child.statements < holder.statements
    return (child.gain or 0.0) > (holder.gain or 0.0)
