"""From a procedure to the variants of it that are worth keeping."""

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from reverie.dreamers.procedures.constraints import Restraint
from reverie.dreamers.procedures.procedure import Procedure, parsed
from reverie.dreamers.procedures.strategies import Strategy
from reverie.dreamers.procedures.telling_apart import Fate, Finding, Lineup
from reverie.dreamers.procedures.variant import ProcedureDreamer, Variant
from reverie.errors import ReverieError
from reverie.inputs import folder_resolver
from reverie.inputs.calls import calls_for
from reverie.inputs.signature import read
from reverie.instruments.behaviour.instrument import Behaviours
from reverie.model.behaviour import Subject
from reverie.model.call import Call
from reverie.model.procedure import DreamProcedure, DreamType
from reverie.scoring.novelty import novelty

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
