"""The search for a difference: guided by the branches of both versions and by what they compare.

Versions that were too slow for large arguments get smaller ones (`Pace`).
"""

import itertools
import random
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from reverie.inputs import Literals, calls_for, mutate_call
from reverie.instruments.equivalence.around import Around
from reverie.instruments.equivalence.contract import Contract, misfit_arguments
from reverie.instruments.equivalence.facts import Facts
from reverie.instruments.equivalence.laboratory import Laboratory, Pair
from reverie.instruments.equivalence.mutants import changed_functions, constant_names, is_dead
from reverie.instruments.equivalence.neighbours import Neighbours
from reverie.instruments.equivalence.pools import pools_of
from reverie.instruments.equivalence.scenario import (
    Difference,
    Lens,
    Scenario,
    Shown,
    first_difference,
    is_which_of_equals,
)
from reverie.instruments.equivalence.targets import shape_in
from reverie.instruments.equivalence.variants import ASKED, Variants
from reverie.model.call import Call, Expression
from reverie.model.measurements.equivalence import DifferenceKind

_NUMBER = re.compile(r"\d+")
_POWER = re.compile(r"\b10 \*\* (\d+)")
_MOST_DIGITS = 500
_READ_DIGITS = 80
_TAMED = 16
"""Numbers up to this are always tried."""


class Pace:
    """Learns from scenarios that did not end in time."""

    def __init__(self, is_recursive: bool) -> None:
        self.is_recursive = is_recursive
        self.largest: int | None = None
        """None as long as nothing was slow for the number of its steps."""
        self._digits = _MOST_DIGITS

    def allows(self, scenario: Scenario) -> bool:
        """Whether a scenario is smaller than what was too slow."""
        if _most_digits(scenario) > self._digits:
            return False
        return self.largest is None or _largest(scenario) <= self.largest

    def slow_down(self, scenario: Scenario) -> None:
        """Smaller numbers from now on; recursive code can be slow for quite small ones."""
        self._digits = min(self._digits, max(4, _most_digits(scenario) // 2))
        if self.is_recursive:
            tamed = max(_TAMED, _largest(scenario) * 2 // 3)
            self.largest = min(tamed, tamed if self.largest is None else self.largest)


def _largest(scenario: Scenario) -> int:
    """The largest number among the arguments, signs aside."""
    found = (_NUMBER.findall(each.call.arguments) for each in scenario.steps)
    return max((int(number[:_READ_DIGITS]) for numbers in found for number in numbers), default=0)


def _most_digits(scenario: Scenario) -> int:
    """The length of the longest number among the arguments."""
    texts = [each.call.arguments for each in scenario.steps]
    plain = (len(number) for text in texts for number in _NUMBER.findall(text))
    powers = (int(number) for text in texts for number in _POWER.findall(text))
    return max((*plain, *powers), default=0)


FIRST_CALLS = 120
BATCH = 120
_LARGE_BATCH = 400
_DIRECTED = 0.4
"""How often a neighbour is one of a call that came near to what was not tried."""
_AFTER = 600
"""Inputs after which batches are large: what is learned by then rarely changes the next ones."""
_RECENT = 1000
"""Inputs among which behaviour that was seen only once is counted."""
_CHEAP = 0.05
"""Calls that took longer are not made again for every mutant."""
_ABSTRACTION = re.compile(r"'[^']*'|\"[^\"]*\"|\d+")
_MOST_ANSWERS = 300
_MOST_PATHS = 200
_MOST_SLOW = 3
_WALKING = 0.5
"""How often a neighbour's neighbour is tried instead of one of a call that brought news."""


Behaviour = tuple[frozenset[int], frozenset[int], str]
"""The ways that old and new went, and how the call ended."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """A scenario on which the probed versions differed, with what ran before it in its process."""

    scenario: Scenario
    difference: Difference
    before: tuple[Scenario, ...]


@dataclass(slots=True)
class Progress:
    """How far the search is."""

    inputs: int = 0
    conclusive: int = 0
    since_news: int = 0
    """Executions since a branch, or a new combination of branches, was taken for the first time."""
    old_taken: set[int] = field(default_factory=set)
    new_taken: set[int] = field(default_factory=set)
    seen: Counter[Behaviour] = field(default_factory=Counter)
    recent: deque[Behaviour] = field(default_factory=lambda: deque(maxlen=_RECENT))

    def take(self, shown: Shown) -> None:
        """What others have seen counts as if it had been seen here."""
        self.conclusive += shown.inputs
        self.old_taken |= shown.taken[0]
        self.new_taken |= shown.taken[1]

    @property
    def novelty(self) -> float:
        """How likely the next input is to show new behaviour, as Good and Turing estimate it."""
        once = sum(self.seen[each] == 1 for each in self.recent)
        return once / len(self.recent) if self.recent else 1.0

    @property
    def taken(self) -> tuple[set[int], set[int]]:
        """Ways of branches that were taken, by old and by new."""
        return self.old_taken, self.new_taken


class Search:
    """Makes batches of scenarios and learns from their traces."""

    def __init__(
        self, laboratory: Laboratory, contract: Contract, seed: int, given: tuple[Call, ...] = ()
    ) -> None:
        self.laboratory = laboratory
        self.facts: Facts = laboratory.facts
        self.contract = contract
        self.strict = contract
        """What the docstring demands beyond doubt."""
        self.doubt: Scenario | None = None
        """They differ here, and the docstring may or may not exclude it."""
        self.lens = Lens(
            excuses_misfits=not self.facts.is_fully_annotated,
            step_seconds=laboratory.step_seconds,
        )
        self.progress = Progress()
        self.chance = random.Random(f"equivalence {seed}")
        self.pools = pools_of(self.facts, self.chance)
        self.neighbours = Neighbours(self.pools, self.chance)
        self.shape = shape_in(self.facts.old, self.facts.old.qualname)
        self.hints = Literals.from_nodes([self.facts.old.tree, self.facts.new.tree])
        old, new = self.facts.versions
        self._counted: list[dict[int, str]] | None = None
        self._changed_ways: tuple[frozenset[int], frozenset[int]] = frozenset(), frozenset()
        self._changed_names = changed_functions(old, new), changed_functions(new, old)
        self._constants = [constant_names(each.tree) for each in self.facts.versions]
        self.variants = Variants(self.facts, self.chance)
        self.corpus: list[Call] = []
        self.tried: list[Scenario] = []
        """Those whose every answer counts."""
        self._compared: dict[Call, tuple[tuple[str, str], ...]] = {}
        self._taken: dict[Call, tuple[frozenset[int], frozenset[int]]] = {}
        self._near: list[Call] = []
        """Calls that came near to what was not tried yet."""
        self._answers: set[str] = set()
        self._varied: set[Call] = set()
        self._walked: Call | None = None
        self.around = Around(self.facts)
        self._paths: set[tuple[frozenset[int], frozenset[int]]] = set()
        self.pace = Pace(self.facts.is_recursive)
        self._postponed: list[Scenario] = []
        self._avoided: frozenset[str] = frozenset()
        self._is_wary = False
        """What the docstring excludes was too slow: it is left alone from now on."""
        drawn = calls_for(self.shape, seed=seed, count=FIRST_CALLS, hints=self.hints)
        self._seeds = iter((*given, *drawn))

    def batch(self) -> list[Scenario]:
        """The next scenarios to try."""
        made, self._postponed = self._postponed, []
        made = made or [Scenario.of(call) for call in itertools.islice(self._seeds, BATCH)]
        made = made or list(self._guided())
        return [each for each in made if self._is_bearable(each)]

    def _is_bearable(self, scenario: Scenario) -> bool:
        """Not so large that the versions have already been too slow for it; of the right types."""
        if not self.pace.allows(scenario) or not self._is_well_typed(scenario):
            return False
        if self.avoids(scenario):
            return False
        is_patient = self.pace.largest is None and not self._is_wary
        return is_patient or self.contract.allows(scenario)

    def _guided(self) -> Iterator[Scenario]:
        made = 0
        self._near = list(self._calls_near())
        wanted = BATCH if self.progress.inputs < _AFTER else _LARGE_BATCH
        for call in self.corpus:
            if call not in self._varied and made < wanted:
                self._varied.add(call)
                for scenario in self._varied_calls(call):
                    made += 1
                    yield scenario
        while made < wanted:
            made += 1
            yield self.variants.one_of(self._neighbour(), self.corpus)

    def _varied_calls(self, call: Call) -> Iterator[Scenario]:
        yield from self.variants.of(call)
        yield from self.around.of(call, self.contract)

    def _neighbour(self) -> Call:
        if not self.corpus:
            return calls_for(self.shape, seed=self.chance.randrange(10**9), count=1)[0]
        if self._near and self.chance.random() < _DIRECTED:
            call = self.chance.choice(self._near)
        elif self._walked and self.chance.random() < _WALKING:
            call = self._walked
        else:
            call = self.chance.choice(self.corpus)
        compared = self._compared.get(call)
        draw = self.chance.random()
        if compared and draw < 0.2:
            changed = self.neighbours.solve(call, *self.chance.choice(compared))
        elif draw < 0.45:
            changed = mutate_call(call, self.chance, self.hints, self.shape)
        else:
            changed = self.neighbours.mutate(call, self.corpus)
        self._walked = self.contract.fit(_with_one_nan(changed))
        return self._walked

    def many(self, count: int) -> list[Scenario]:
        """Plain calls, one like the other: what is kept of each of them adds up."""
        made = (Scenario.of(self._neighbour()) for _ in range(count))
        return [each for each in made if self._is_bearable(each)]

    def learn(self, scenarios: list[Scenario], pairs: Iterable[Pair]) -> Iterator[Sighting]:
        """Take in what a batch showed; differences are yielded.

        After a few slow ones the rest waits: some of it is known to be slow, too, by now.
        """
        slow = 0
        for number, (scenario, pair) in enumerate(zip(scenarios, pairs, strict=False)):
            self.progress.inputs += 1
            self._learn(scenario, pair)
            found = self.difference(scenario, pair)
            if found is not None:
                yield Sighting(scenario, found, tuple(scenarios[:number]))
            slow += pair.is_slow
            if slow == _MOST_SLOW:
                self._postponed = scenarios[number + 1 :]
                return

    def difference(self, scenario: Scenario, pair: Pair) -> Difference | None:
        """The first difference within the old version's contract.

        What the old version refuses on purpose it also promises to refuse.
        """
        found = first_difference(pair.old, pair.new, self.lens)
        if found is None or not self._is_well_typed(scenario):
            return None
        if scenario.steps[found.step].is_partial and found.old.outcome == "raised":
            return None
        if scenario.steps[found.step].is_raising and not _is_swallowed(found):
            return None
        if is_which_of_equals(found):
            return None
        if found.old.is_deliberate or self.contract.allows(scenario):
            return found
        if self.doubt is None and self.strict.allows(scenario):
            self.doubt = scenario
        return None

    def _is_well_typed(self, scenario: Scenario) -> bool:
        return not any(
            misfit_arguments(step.call, self.facts.annotations)
            for step in scenario.steps
            if step.callee is None
        )

    def _learn(self, scenario: Scenario, pair: Pair) -> None:
        progress = self.progress
        if pair.is_slow:
            self.pace.slow_down(scenario)
            self._is_wary = self._is_wary or not self.contract.allows(scenario)
            return
        if self._counts(scenario, pair):
            self.tried.append(scenario)
        path = (pair.old.taken, pair.new.taken)
        is_new_path = path not in self._paths and len(self._paths) < _MOST_PATHS
        self._paths.add(path)
        news = not (pair.old.taken <= progress.old_taken and pair.new.taken <= progress.new_taken)
        progress.old_taken |= pair.old.taken
        progress.new_taken |= pair.new.taken
        news |= is_new_path
        if news:
            self._taken[scenario.call] = path
        progress.since_news = 0 if news else progress.since_news + 1
        last = pair.old.steps[-1]
        is_misfit = last.outcome not in ("returned", "raised") or last.is_misfit
        progress.conclusive += not is_misfit
        behaviour = (
            *self._changed_part(path),
            f"{last.outcome} {last.value if last.outcome == 'raised' else ''}",
        )
        progress.seen[behaviour] += 1
        progress.recent.append(behaviour)
        for left, right in (*pair.old.operands, *pair.new.operands):
            self.pools.learn(left)
            self.pools.learn(right)
        step = scenario.steps[0]
        is_plain = len(scenario.steps) == 1 and not (
            step.is_partial or step.is_large or step.is_raising
        )
        if not is_plain or (is_misfit and not news):
            return
        answer = f"{last.outcome} {_ABSTRACTION.sub('_', last.value)[:60]}"
        is_new_answer = answer not in self._answers and len(self._answers) < _MOST_ANSWERS
        if news or is_new_answer:
            self._answers.add(answer)
            self.corpus.append(scenario.call)
            self._compared[scenario.call] = (*pair.old.operands, *pair.new.operands)

    def _counts(self, scenario: Scenario, pair: Pair) -> bool:
        """Whether a difference on it would count, and it takes next to no time."""
        if any(step.is_partial or step.is_raising for step in scenario.steps):
            return False
        if any(step.seconds > _CHEAP for step in (*pair.old.steps, *pair.new.steps)):
            return False
        return pair.old.steps[-1].is_deliberate or self.contract.allows(scenario)

    def avoid(self, names: frozenset[str]) -> None:
        """No more objects of these names as arguments: what is done with them wavers."""
        self._avoided |= names

    def avoids(self, scenario: Scenario) -> bool:
        """Whether a scenario is made of such objects."""
        return bool(scenario.objects & self._avoided)

    def ignore(self, noise: frozenset[DifferenceKind]) -> None:
        """From now on, kinds in which the old version differs from itself say nothing."""
        self.lens = replace(self.lens, ignored=self.lens.ignored | noise)

    def _changed_part(
        self, path: tuple[frozenset[int], frozenset[int]]
    ) -> tuple[frozenset[int], frozenset[int]]:
        """The ways that were taken in functions that are not the same in both versions."""
        old, new = (taken & counted for taken, counted in zip(path, self._changed(), strict=True))
        return old, new

    def _changed(self) -> tuple[frozenset[int], frozenset[int]]:
        """Ways of functions that are not the same in both versions; all where no function is."""
        if self._counted is not self.laboratory.homes:
            self._counted, names = self.laboratory.homes, self._changed_names
            old, new = (
                frozenset(way for way, home in homes.items() if home in changed or not any(names))
                for homes, changed in zip(self._counted, names, strict=True)
            )
            self._changed_ways = old, new
        return self._changed_ways

    def unreached_change(self) -> str | None:
        """A condition that only one version has, with a way that was never taken."""
        return next((condition for _, _, condition in self._undecided()), None)

    def _undecided(self) -> Iterator[tuple[int, int, str]]:
        """Ways of changed conditions that were never taken: of which version, and the condition."""
        ways = self._ways()
        both = set(ways[0].values()) & set(ways[1].values())
        for side, (counted, seen) in enumerate(zip(ways, self.progress.taken, strict=True)):
            for way, condition in counted.items():
                if condition not in both and way not in seen:
                    yield side, way, condition

    def _calls_near(self) -> Iterator[Call]:
        """Calls that came to a changed condition which all of them decided alike."""
        others = [(side, way ^ 1) for side, way, _ in self._undecided()]
        for call, taken in self._taken.items():
            if any(other in taken[side] for side, other in others):
                yield call

    def coverage(self) -> tuple[float, float]:
        """Shares of the branches of old and new that were taken."""
        return self._shares(self._ways())

    def changed_coverage(self) -> tuple[float, float]:
        """Shares of the branches that were taken in functions that are not the same in both."""
        return self._shares(
            [
                {way: word for way, word in counted.items() if way in changed}
                for counted, changed in zip(self._ways(), self._changed(), strict=True)
            ]
        )

    def _shares(self, ways: list[dict[int, str]]) -> tuple[float, float]:
        old, new = (
            len(counted.keys() & seen) / len(counted) if counted else 1.0
            for counted, seen in zip(ways, self.progress.taken, strict=True)
        )
        return old, new

    def _ways(self) -> list[dict[int, str]]:
        """The ways that branches can go, by version, without those that are dead."""
        return [
            {
                way: condition
                for way, condition in counted.items()
                if not is_dead(condition, way % 2, constants)
            }
            for counted, constants in zip(self.laboratory.branches, self._constants, strict=True)
        ]


def _is_swallowed(found: Difference) -> bool:
    """Whether both asked the question that raises, and the new version did something about it."""
    is_asked = ASKED in found.old.stdout and ASKED in found.new.stdout
    return is_asked and found.kind is DifferenceKind.EXCEPTION


def _with_one_nan(call: Call) -> Call:
    """Every NaN as the one that `math` holds: a container can find that one by identity."""
    if "float('nan')" not in call.arguments:
        return call
    args = tuple(
        Expression(
            each.source.replace("float('nan')", "math.nan"),
            each.modules | {"math"},
            each.names,
            each.definitions,
        )
        for each in call.args
    )
    return replace(call, args=args)
