"""From a procedure to the variants worth keeping: those that the sandbox can tell apart.

A variant counts when on some call it returns something else, raises something else, or comes to
the same everywhere with clearly fewer steps, and does so again when it is looked at again. A call
on which the base does not do the same twice tells nothing, nor does one that a limit cuts off.
"""

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import islice

from reverie.dreamers.procedures.procedure import Procedure, parsed
from reverie.dreamers.procedures.variant import ProcedureDreamer, Restraint, Strategy, Variant
from reverie.errors import ReverieError
from reverie.inputs import folder_resolver
from reverie.inputs.calls import calls_for
from reverie.inputs.signature import read
from reverie.instruments.behaviour.instrument import Behaviours
from reverie.model.call import Call
from reverie.model.measurements.equivalence import Seen, Subject
from reverie.model.procedure import DreamProcedure, DreamType
from reverie.scoring.procedures import compare, novelty

_CHEAPER = 0.9
_QUICKER = 0.75
_LEAST_WAIT_SECONDS = 0.05

Profile = tuple[tuple[str, ...], ...]


class Fate(StrEnum):
    """What became of a variant."""

    KEPT = "kept"
    SAME = "same_as_base"
    TWIN = "same_as_sibling"
    BROKEN = "never_returns"
    HANGS = "cut_off"
    WAVERS = "not_the_same_twice"


@dataclass(frozen=True, slots=True)
class Finding:
    """A variant's fate, and the call that shows the difference."""

    fate: Fate
    is_sound: bool = False
    """Whether it returned on every usual call that its base returned on."""
    witness: Call | None = None
    base_did: str = ""
    it_did: str = ""
    is_cheaper: bool = False
    agreement: float = 1.0
    """The share of the base's results that are also its own."""


@dataclass(slots=True)
class Lineup:
    """One base with its calls; variants come before it one after another."""

    behaviours: Behaviours
    calls: Sequence[Call]
    base: tuple[Seen, ...]
    base_again: tuple[Seen, ...]
    steady: tuple[int, ...]
    """Calls on which the base does the same every time."""
    known: set[tuple[Profile, bool]] = field(default_factory=set)

    @classmethod
    def of(cls, behaviours: Behaviours, procedure: Procedure, calls: Sequence[Call]) -> "Lineup":
        """Look at the base, twice."""
        first, again = (behaviours.look(procedure.subject, calls) for _ in range(2))
        steady = tuple(
            place
            for place, (one, other) in enumerate(zip(first, again, strict=True))
            if one.is_conclusive and other.is_conclusive and one.behaviour == other.behaviour
        )
        return cls(behaviours, calls, first, again, steady)

    @property
    def is_telling(self) -> bool:
        """Whether the base returns on any call that counts."""
        return any(self.base[place].succeeded for place in self.steady)

    def meet(self, subjects: Sequence[Subject]) -> None:
        """Remember what earlier variants do, so that they are not imagined again."""
        for seen in self.behaviours.look_at_all(subjects, [self.calls] * len(subjects)):
            self.known.add((self._profile(seen), self._is_cheaper(seen)))

    def judge(self, subjects: Sequence[Subject]) -> list[Finding]:
        """The fate of each variant, in order; a kept one is a sibling of those after it."""
        looked = self.behaviours.look_at_all(subjects, [self.calls] * len(subjects))
        return [self._judge(*each) for each in zip(subjects, looked, strict=True)]

    def _judge(self, subject: Subject, seen: tuple[Seen, ...]) -> Finding:
        counted = [(self.base[place], seen[place]) for place in self.steady]
        if any(not mine.is_conclusive for _, mine in counted):
            return Finding(Fate.HANGS)
        is_sound = compare(*map(list, zip(*counted, strict=True))).less_robust == 0
        if not any(mine.succeeded for _, mine in counted):
            return Finding(Fate.BROKEN)
        profile, is_cheaper = self._profile(seen), self._is_cheaper(seen)
        differing = [
            place for place in self.steady if self.base[place].behaviour != seen[place].behaviour
        ]
        if not differing and not is_cheaper:
            return Finding(Fate.SAME, is_sound)
        if (profile, is_cheaper) in self.known:
            return Finding(Fate.TWIN, is_sound)
        again = self.behaviours.look(subject, self.calls)
        if (self._profile(again), self._is_cheaper(again)) != (profile, is_cheaper):
            return Finding(Fate.WAVERS, is_sound)
        self.known.add((profile, is_cheaper))
        if not differing:
            base, mine = (f"{each} steps" for each in self._steps(seen))
            return Finding(Fate.KEPT, is_sound, None, base, mine, is_cheaper=True)
        place = differing[0]
        return Finding(
            Fate.KEPT,
            is_sound,
            self.calls[place],
            base_did=_told(self.base[place]),
            it_did=_told(seen[place]),
            is_cheaper=is_cheaper,
            agreement=self._agreement(seen),
        )

    def _agreement(self, seen: tuple[Seen, ...]) -> float:
        """The share of calls that the base returns from on which both did the same."""
        counted = [place for place in self.steady if self.base[place].succeeded]
        alike = [each for each in counted if self.base[each].behaviour == seen[each].behaviour]
        return len(alike) / len(counted) if counted else 0.0

    def _profile(self, seen: tuple[Seen, ...]) -> Profile:
        return tuple(seen[place].behaviour for place in self.steady)

    def _is_cheaper(self, seen: tuple[Seen, ...]) -> bool:
        """Clearly fewer steps, or clearly less waiting, on the calls that both return from."""
        base, mine = self._steps(seen)
        return mine < _CHEAPER * base or self._waits_less(seen)

    def _steps(self, seen: tuple[Seen, ...]) -> tuple[int, int]:
        """Of the base and of the variant."""
        both = [
            (self.base[place].steps or 0, seen[place].steps or 0)
            for place in self.steady
            if self.base[place].succeeded and seen[place].succeeded
        ]
        return sum(one for one, _ in both), sum(other for _, other in both)

    def _waits_less(self, seen: tuple[Seen, ...]) -> bool:
        """Only calls on which the base really waits, both times, say so: machines are busy."""
        waiting = [
            (min(_waited(self.base[place]), _waited(self.base_again[place])), _waited(seen[place]))
            for place in self.steady
            if seen[place].succeeded
        ]
        counted = [pair for pair in waiting if pair[0] >= _LEAST_WAIT_SECONDS]
        return bool(counted) and all(mine < _QUICKER * base for base, mine in counted)


def _waited(seen: Seen) -> float:
    """Time that passed without work being done."""
    return max(0.0, (seen.wall_seconds or 0.0) - (seen.cpu_seconds or 0.0))


def _told(seen: Seen) -> str:
    how = "returned" if seen.succeeded else "raised"
    return f"{how} {seen.value}"[:200]


CALLS = 24
_TRIES = 4
"""So many variants are written for each that may be kept."""
_AT_ONCE = 16
_FREE = Restraint()
_LEAST_AGREEMENT = {DreamType.CROSS_PROJECT_SYNTHESIS: 0.25}
"""A partner that never comes to the same result has only the signature in common."""


@dataclass(slots=True)
class Imagined:
    """What was imagined of one procedure, and what was not kept."""

    dreams: list[DreamProcedure] = field(default_factory=list)
    made: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    record: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Of every rule: sound variants, and variants that were looked at."""

    def note(self, rule: str, finding: Finding) -> None:
        """Count one look."""
        sound, all_ = self.record.get(rule, (0, 0))
        is_good = finding.is_sound and finding.fate not in (Fate.BROKEN, Fate.HANGS)
        self.record[rule] = (sound + is_good, all_ + 1)


@dataclass(frozen=True, slots=True)
class Imagination:
    """Dreamers, how far they go, and what holds them back."""

    behaviours: Behaviours
    dreamers: Sequence[ProcedureDreamer]
    strategy: Strategy = Strategy.BALANCED
    seed: int = 0
    restraints: Mapping[str, Restraint] = field(default_factory=dict)

    def imagine(self, procedure: Procedure, earlier: Sequence[DreamProcedure] = ()) -> Imagined:
        """Variants of a procedure that differ from it, from each other and from earlier ones."""
        found = Imagined()
        calls = self.calls(procedure)
        if not calls:
            found.dropped["no_calls"] += 1
            return found
        lineup = Lineup.of(self.behaviours, procedure, calls)
        if not lineup.is_telling:
            found.dropped["base_never_returns"] += 1
            return found
        lineup.meet([Subject(each.code, each.entry, each.import_roots) for each in earlier])
        known = [procedure.slice.function, *(_own_part(each, procedure) for each in earlier)]
        for dreamer in self.dreamers:
            self._let_loose(dreamer, procedure, lineup, known, found)
        return found

    def calls(self, procedure: Procedure) -> tuple[Call, ...]:
        """Calls that fit the procedure; none when its signature cannot be read."""
        resolvers = [folder_resolver(root) for root in procedure.import_roots]
        try:
            shape = read(
                procedure.code, procedure.name, resolver=resolvers[0] if resolvers else None
            )
            usual = calls_for(shape, seed=self.seed, count=CALLS // 2, edges=False)
            at_edges = calls_for(shape, seed=self.seed + 1, count=CALLS // 2)
        except ReverieError:
            return ()
        return tuple(dict.fromkeys((*usual, *at_edges)))

    def _let_loose(
        self,
        dreamer: ProcedureDreamer,
        procedure: Procedure,
        lineup: Lineup,
        known: list[str],
        found: Imagined,
    ) -> None:
        left = self.strategy.variants
        offered = islice(self._offered(dreamer, procedure, found), _TRIES * left)
        while left > 0 and (batch := list(islice(offered, min(_AT_ONCE, left)))):
            subjects = [_subject(each, procedure) for each in batch]
            for variant, finding in zip(batch, lineup.judge(subjects), strict=True):
                found.made[dreamer.dream_type] += 1
                found.note(variant.rule, finding)
                fate = str(finding.fate)
                if finding.agreement < _LEAST_AGREEMENT.get(dreamer.dream_type, 0.0):
                    fate = "nothing_in_common"
                if fate != Fate.KEPT:
                    found.dropped[fate] += 1
                elif left > 0:
                    left -= 1
                    dream = _dream(dreamer, variant, procedure, finding)
                    own = _own_part(dream, procedure)
                    dream = replace(dream, novelty_score=novelty(own, known))
                    known.append(own)
                    found.dreams.append(dream)

    def _offered(
        self, dreamer: ProcedureDreamer, procedure: Procedure, found: Imagined
    ) -> Iterator[Variant]:
        """What a dreamer offers, but for what learning forbids and what is no Python.

        A rule that is left with nothing has its first variant back: it may have learnt.
        """
        seen = {_shape(procedure.code), None}
        taken: Counter[str] = Counter()
        refused: dict[str, Variant] = {}
        for variant in dreamer.imagine(procedure):
            shape = _shape(variant.code(procedure))
            if shape in seen:
                continue
            seen.add(shape)
            restraint = self.restraints.get(variant.rule, _FREE)
            if restraint.admits(variant):
                taken[variant.rule] += 1
                if restraint.takes(taken[variant.rule]):
                    yield variant
                    continue
            found.dropped["restrained"] += 1
            refused.setdefault(variant.rule, variant)
        yield from (variant for rule, variant in refused.items() if not taken[rule])


def _shape(code: str) -> str | None:
    try:
        return ast.dump(parsed(code))
    except (SyntaxError, ValueError, RecursionError):
        return None


def _subject(variant: Variant, procedure: Procedure) -> Subject:
    return Subject(variant.code(procedure), procedure.name, procedure.import_roots)


def _dream(
    dreamer: ProcedureDreamer, variant: Variant, procedure: Procedure, finding: Finding
) -> DreamProcedure:
    shown = "" if finding.witness is None else finding.witness.render(procedure.name)
    witness = {"call": shown[:500], "base": finding.base_did, "dream": finding.it_did}
    return DreamProcedure(
        code=variant.code(procedure),
        entry=procedure.name,
        dream_type=dreamer.dream_type,
        dreamer=variant.rule,
        title=" ".join(variant.title.split())[:200],
        base_procedure=procedure.base,
        base_code=procedure.code,
        repository=procedure.repository,
        import_roots=procedure.import_roots,
        details={
            **variant.details,
            "witness": witness,
            "is_cheaper": finding.is_cheaper,
        },
    )


def _own_part(dream: DreamProcedure, procedure: Procedure) -> str:
    """A dream without what it shares with its base's surroundings."""
    return dream.code.replace(procedure.slice.prelude, "", 1)
