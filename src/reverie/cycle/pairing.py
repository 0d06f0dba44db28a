"""Which of a module's proven dreams are promoted together: the best set without a conflict.

One trial of all of them tells whether anything is wrong at all; only then pairs are measured. Small
changes of one kind that pass together are one change, as a person would commit them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

from reverie.model.change import merged, together
from reverie.model.cycle import CycleDream, Trial
from reverie.model.dream import Dream, DreamKind
from reverie.model.outcome import counted
from reverie.model.ruling import Verdict
from reverie.model.workflow_evolution import Interaction, SynergyKind
from reverie.scoring.synergy import LEAST_REPETITIONS, best_subset, interaction

MOST_MEASURED = 4
"""Dreams whose pairs are measured; of more, those worth most."""
WORTH_A_LOOK = 1.0
"""Points that all together have to gain less than each alone before pairs are measured."""
UNSHOWN = "it is not shown to go with those promoted"
_DIGITS = 6

Together = Callable[[tuple[Dream, ...], int], Trial]
"""Tries several dreams as one change."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What is promoted, and what is kept apart from it and why."""

    kept: tuple[str, ...]
    apart: tuple[tuple[str, str], ...] = ()
    """Id and reason."""
    interactions: tuple[Interaction, ...] = ()
    joined: tuple[Dream, Trial] | None = None
    """All that is kept as one change, with the trial of it; None where each stays by itself."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Measures what dreams do together."""

    prove: Together
    seed: int = 0
    edges: frozenset[tuple[str, str]] = frozenset()
    """Modules that import one another."""
    lines: int = 0
    """Changed ones that fit into one change."""

    def choose(
        self, proven: Sequence[CycleDream], is_late: Callable[[], bool] = lambda: False
    ) -> Choice:
        """The best set of dreams that passed by themselves. Once it is late, the best one alone."""
        every = tuple(each.dream.id for each in proven)
        if len(proven) < 2:
            return Choice(every)
        clashes = _clashes(proven)
        whole = None if clashes else self._sound(proven)
        if whole is not None:
            return Choice(every, joined=self._joined(proven, whole))
        worths = {each.dream.id: _gain(each.trial) or 0.0 for each in proven}
        best = sorted(proven, key=lambda each: (-worths[each.dream.id], each.dream.id))
        if is_late():
            return _choice(worths, (best[0].dream.id,), clashes)
        if all(worth <= 0 for worth in worths.values()):
            return _choice(worths, self._one_after_another(best, is_late), clashes)
        found = (*clashes, *self._pairs(best[:MOST_MEASURED]))
        kept = compatible(worths, found)
        rest = [each for each in proven if each.dream.id in kept]
        if len(rest) > 1 and not self._passes(rest):
            kept = (best[0].dream.id,)
        return _choice(worths, kept, found)

    def _one_after_another(
        self, best: Sequence[CycleDream], is_late: Callable[[], bool]
    ) -> tuple[str, ...]:
        """As many as pass together: where no worth was measured, there is no best set."""
        kept = [best[0]]
        for each in best[1:]:
            is_free = not any(do_meet(each.dream, other.dream) for other in kept)
            if is_free and not is_late() and self._passes([*kept, each]):
                kept.append(each)
        return tuple(each.dream.id for each in kept)

    def goes_with(self, each: CycleDream, promoted: Sequence[CycleDream]) -> bool:
        """Whether a change of code still passes on top of those promoted in modules around it."""
        if each.dream.kind is DreamKind.TEST:
            return True  # each test stands by itself; all of them are measured at the end
        around = [
            one
            for one in promoted
            if one.dream.kind is not DreamKind.TEST
            and self.edges
            & {(one.dream.module, each.dream.module), (each.dream.module, one.dream.module)}
        ]
        return not around or self._passes([*around, each])

    def _passes(self, proven: Sequence[CycleDream]) -> bool:
        return self._together(proven).judgement.verdict is Verdict.PROMOTE

    def _together(self, proven: Sequence[CycleDream]) -> Trial:
        return self.prove(tuple(each.dream for each in proven), self.seed)

    def _sound(self, proven: Sequence[CycleDream]) -> Trial | None:
        """The trial of all, where they pass together and gain hardly less than each by itself."""
        trial = self._together(proven)
        alone, whole = [_gain(each.trial) for each in proven], _gain(trial)
        if trial.judgement.verdict is not Verdict.PROMOTE:
            return None
        known = [each for each in alone if each is not None]
        if whole is None or len(known) < len(alone):
            return trial  # nobody measured a worth: there is nothing to compare
        return trial if whole > sum(known) - WORTH_A_LOOK else None

    def _joined(self, proven: Sequence[CycleDream], whole: Trial) -> tuple[Dream, Trial] | None:
        """Those of one kind that nobody is asked about, as long as a reviewer sees all at once."""
        first, change = proven[0].dream, together(each.dream.change for each in proven)
        is_asked = any(each.trial is not None and each.trial.judgement.needs for each in proven)
        is_alike = len({(each.dream.kind, each.dream.dreamer) for each in proven}) == 1
        if not is_alike or is_asked or whole.judgement.needs or change.lines_changed > self.lines:
            return None
        return replace(first, title=joined_title(proven), change=change), whole

    def _pairs(self, proven: Sequence[CycleDream]) -> list[Interaction]:
        again = cache(self.prove)
        return [
            self._pair(one, other, again)
            for one, other in combinations(proven, 2)
            if not do_meet(one.dream, other.dream)
        ]

    def _pair(self, one: CycleDream, other: CycleDream, prove: Together) -> Interaction:
        """The interaction of two dreams that do not meet; a conflict when they fail together."""
        gains: tuple[list[float], list[float], list[float]] = ([], [], [])
        for repetition in range(LEAST_REPETITIONS):
            seed = self.seed + repetition
            both = prove((one.dream, other.dream), seed)
            if both.judgement.verdict is not Verdict.PROMOTE:
                return _conflict(one, other)
            first, second = (
                each.trial if repetition == 0 else prove((each.dream,), seed)
                for each in (one, other)
            )
            for place, trial in enumerate((first, second, both)):
                gain = _gain(trial)
                if gain is not None:
                    gains[place].append(gain)
        return interaction(one.dream.id, other.dream.id, gains, seed=self.seed)


def joined_title(proven: Sequence[CycleDream]) -> str:
    """The first of several, and how many more of the module there are."""
    first, *others = sorted(proven, key=lambda each: -(_gain(each.trial) or 0.0))
    return f"{first.dream.title}, and {counted(len(others), 'more change')} of {first.dream.module}"


def compatible(worths: Mapping[str, float], interactions: Sequence[Interaction]) -> tuple[str, ...]:
    """The best set; and what is worth nothing but passed, where it conflicts with none of it."""
    chosen = list(best_subset(worths, interactions))
    apart = {
        frozenset((each.first, each.second))
        for each in interactions
        if each.kind is SynergyKind.CONFLICTING
    }
    for name in sorted(worths, key=lambda each: (-worths[each], each)):
        is_free = all(frozenset((name, other)) not in apart for other in chosen)
        if worths[name] <= 0 and name not in chosen and is_free:
            chosen.append(name)
    return tuple(sorted(chosen))


def do_meet(one: Dream, other: Dream) -> bool:
    """Whether two dreams change the same place, so that only one of them can be had."""
    edits = {edit.path: edit for edit in one.change.edits}
    for edit in other.change.edits:
        known = edits.get(edit.path)
        if known is None or known == edit:
            continue
        texts = (known.before, known.after, edit.after)
        if known.before != edit.before or None in texts:
            return True
        if merged(known.before or "", known.after or "", edit.after or "") is None:
            return True
    return False


def _gain(trial: Trial | None) -> float | None:
    """What a change is worth, as its trial was reckoned."""
    if trial is None or trial.score.get("roi") is None:
        return None
    return round(float(trial.score["roi"]), _DIGITS)


def _conflict(one: CycleDream, other: CycleDream) -> Interaction:
    names = one.dream.id, other.dream.id
    return Interaction(*names, "roi", None, SynergyKind.CONFLICTING, 1)


def _clashes(proven: Sequence[CycleDream]) -> tuple[Interaction, ...]:
    return tuple(
        _conflict(one, other)
        for one, other in combinations(proven, 2)
        if do_meet(one.dream, other.dream)
    )


def _choice(
    worths: Mapping[str, float], kept: Sequence[str], interactions: Sequence[Interaction]
) -> Choice:
    apart = []
    for name in worths:
        if name in kept:
            continue
        rivals = {
            other
            for each in interactions
            if each.kind is SynergyKind.CONFLICTING and name in (each.first, each.second)
            for other in (each.first, each.second)
            if other in kept
        }
        why = f"it conflicts with {', '.join(sorted(rivals))}" if rivals else UNSHOWN
        apart.append((name, f"kept apart: {why}"))
    return Choice(tuple(kept), tuple(apart), tuple(interactions))
