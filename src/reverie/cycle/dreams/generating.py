"""A generation run: dreamers let loose on procedures, the dreams kept, and a first evaluation.

A dream is tried beside the like of its base in other repositories, to count where it would work.
Evaluation needs no model: the record of a dream's rule, its findings and its size.
"""

import ast
import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from time import perf_counter

from reverie.dreamers.procedures.alternatives import ConditionDreamer, ParameterDreamer
from reverie.dreamers.procedures.imagining import Imagination, Imagined
from reverie.dreamers.procedures.procedure import Procedure, Slice, parsed
from reverie.dreamers.procedures.relaxing import RelaxingDreamer
from reverie.dreamers.procedures.synthesis import SynthesisDreamer, partners
from reverie.dreamers.procedures.variant import ProcedureDreamer, Restraint, Strategy
from reverie.errors import UsageError
from reverie.instruments.behaviour.instrument import Behaviours
from reverie.instruments.self_check import Proofs
from reverie.learning.tightening import lowest_shares
from reverie.model.dream import EVALUABLE, DreamStatus
from reverie.model.outcome import TrustTier
from reverie.model.procedure import DreamProcedure, DreamTier, Evaluation, GenerationRun, Tightening
from reverie.model.repository.quality import Severity
from reverie.sandbox.engine import Sandbox
from reverie.sandbox.safety import RuleSet, check_source
from reverie.scoring.procedures import syntax_tokens
from reverie.scoring.roi import viability
from reverie.store import DreamStore
from reverie.syntax.nodes import Function
from reverie.syntax.unparsing import unparse
from reverie.trials.procedures import ProcedureTrials

_CALLS = 12
_MOST_PARTNERS = 2
"""Of one repository."""
_LEAST_ALIKE = 0.5


@dataclass(frozen=True, slots=True)
class Counterparts:
    """Procedures of other repositories that dreams are tried beside."""

    sandbox: Sandbox
    others: Sequence[Procedure]

    def counted(self, dreams: Sequence[DreamProcedure]) -> list[DreamProcedure]:
        """The dreams with the number of other repositories that they work in."""
        trials = ProcedureTrials(Behaviours(self.sandbox, _CALL_SECONDS), _CALLS)
        return [replace(each, cross_project_matches=self._count(each, trials)) for each in dreams]

    def _count(self, dream: DreamProcedure, trials: ProcedureTrials) -> int:
        fitting = self._fitting(dream)
        repositories = dict.fromkeys(each.repository for each in fitting)
        return sum(
            any(
                _works(dream, other, trials)
                for other in [each for each in fitting if each.repository == place][:_MOST_PARTNERS]
            )
            for place in repositories
        )

    def _fitting(self, dream: DreamProcedure) -> list[Procedure]:
        base = dream.base_code or dream.code
        functions = [
            each
            for each in parsed(base).body
            if isinstance(each, Function) and each.name == dream.entry
        ]
        if not functions:
            return []
        own = Slice("", unparse(functions[-1]) + "\n")
        return partners(Procedure("", dream.entry, own, (), dream.repository), self.others)


def _works(dream: DreamProcedure, other: Procedure, trials: ProcedureTrials) -> bool:
    """Whether it passes the trial beside a counterpart, and comes to the same half of the time."""
    roots = tuple(dict.fromkeys((*dream.import_roots, *other.import_roots)))
    beside = replace(dream, base_code=_named(other, dream.entry), import_roots=roots)
    test = trials.try_dream(beside).test
    return test.passed and test.inputs > 0 and test.same >= _LEAST_ALIKE * test.inputs


def _named(other: Procedure, name: str) -> str:
    tree = parsed(other.code)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == other.name:
            node.id = name
        elif isinstance(node, Function) and node.name == other.name:
            node.name = name
    return unparse(tree) + "\n"


Progress = Callable[[int, int], None]
"""Told after every procedure: how many are done, and how many dreams there are."""
_CALL_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a generation run is asked for."""

    strategy: Strategy = Strategy.BALANCED
    seed: int = 0
    is_tightened: bool = True
    """Whether what learning has put on dreamers is in force."""


@dataclass(frozen=True, slots=True)
class Generated:
    """A run that is over, and the numbers of its dreams."""

    run: GenerationRun
    dream_ids: tuple[int, ...]


async def generate(
    store: DreamStore,
    sandbox: Sandbox,
    procedures: Sequence[Procedure],
    others: Sequence[Procedure] = (),
    wishes: Wishes | None = None,
    progress: Progress | None = None,
) -> Generated:
    """Imagine variants of procedures; `others` are those of other repositories."""
    wishes = wishes or Wishes()
    begun = perf_counter()
    repository = procedures[0].repository if procedures else None
    run = GenerationRun(datetime.now(UTC), wishes.strategy, wishes.seed, repository)
    run = replace(run, id=await store.store_generation_run(run))
    Proofs(sandbox).require("behaviour")
    imagination = await _imagination(store, sandbox, others, wishes)
    matching = Counterparts(sandbox, others)
    numbers: list[int] = []
    total = Imagined()
    for done, procedure in enumerate(procedures, 1):
        earlier = await store.get_by_base(procedure.base)
        found = await asyncio.to_thread(imagination.imagine, procedure, earlier)
        dreams = [replace(each, run_id=run.id) for each in found.dreams]
        if others:
            dreams = await asyncio.to_thread(matching.counted, dreams)
        numbers += await store.store_dreams_batch(dreams)
        _add(total, found)
        run = _told(run, total, perf_counter() - begun)
        await store.update_generation_run(run)
        if progress is not None:
            progress(done, len(numbers))
    return Generated(_told(run, total, perf_counter() - begun), tuple(numbers))


async def _imagination(
    store: DreamStore, sandbox: Sandbox, others: Sequence[Procedure], wishes: Wishes
) -> Imagination:
    dreamers: list[ProcedureDreamer] = [ParameterDreamer(), RelaxingDreamer(), ConditionDreamer()]
    if others:
        dreamers.append(SynthesisDreamer(others))
    in_force = await store.get_tightenings() if wishes.is_tightened else []
    return Imagination(
        Behaviours(sandbox, _CALL_SECONDS, is_isolated=False, counts_steps=True),
        dreamers,
        wishes.strategy,
        wishes.seed,
        restraints_of(in_force),
    )


def restraints_of(in_force: Sequence[Tightening]) -> Mapping[str, Restraint]:
    """What holds each rule back, from what learning put on it."""
    shares = lowest_shares(in_force)
    return {
        rule: Restraint(
            share,
            tuple(each.constraint for each in in_force if each.dreamer == rule and each.constraint),
        )
        for rule, share in shares.items()
    }


def _add(total: Imagined, found: Imagined) -> None:
    total.dreams += found.dreams
    total.made += found.made
    total.dropped += found.dropped
    for rule, (good, all_) in found.record.items():
        before = total.record.get(rule, (0, 0))
        total.record[rule] = (before[0] + good, before[1] + all_)


def _told(run: GenerationRun, total: Imagined, seconds: float) -> GenerationRun:
    stored = Counter(each.dream_type.value for each in total.dreams)
    made = {str(kind): count for kind, count in total.made.items()}
    return replace(
        run,
        seconds=seconds,
        made=made,
        stored=dict(stored),
        dropped=dict(total.dropped),
        record=dict(total.record),
    )


EVALUATOR = "record"
_MOST_RUNS = 1000
_GRAVE = (Severity.ERROR, Severity.CRITICAL)


async def evaluate_waiting(
    store: DreamStore, rules: RuleSet, ids: Sequence[int] | None = None
) -> list[DreamProcedure]:
    """Evaluate the dreams that wait for it, or those of some numbers; as they stand then."""
    record = await record_of_rules(store)
    if ids is None:
        waiting = await store.get_by_status(DreamStatus.PENDING_EVALUATION)
    else:
        waiting = [await store.get_dream(each) for each in dict.fromkeys(ids)]
        for each in waiting:
            if each.status not in EVALUABLE:
                raise UsageError(f"dream {each.id} is {each.status}: past its evaluation")
    return [await store.evaluate(evaluate(each, record, rules), EVALUATOR) for each in waiting]


async def record_of_rules(store: DreamStore) -> Mapping[str, tuple[int, int]]:
    """Of every rule: variants that did what they should, and variants tried.

    A variant counts when dreamers looked at it in the sandbox, and again when it was tested.
    """
    good: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    runs = [run.record for run in await store.get_generation_runs(_MOST_RUNS)]
    for record in (*runs, await store.test_record_by_dreamer()):
        for rule, (passed, looked_at) in record.items():
            good[rule] += passed
            tried[rule] += looked_at
    return {rule: (good[rule], tried[rule]) for rule in tried}


def evaluate(
    dream: DreamProcedure, record: Mapping[str, tuple[int, int]], rules: RuleSet
) -> Evaluation:
    """What the record of its rule says of a dream, lowered by static findings and size."""
    if dream.id is None:
        raise ValueError("a dream is evaluated after it was stored")
    passed, tried = record.get(dream.dreamer, (0, 0))
    findings = max(0, _findings(dream.code, rules) - _findings(dream.base_code, rules))
    growth = _growth(dream)
    score = viability(passed, tried, findings, growth)
    reasoning = (
        f"{passed} of {tried} variants by {dream.dreamer} were in order; "
        f"{findings} static findings; {growth:+.0%} syntax"
    )
    return Evaluation(dream.id, score, DreamTier.of(score), reasoning)


def _findings(code: str | None, rules: RuleSet) -> int:
    if code is None:
        return 0
    report = check_source(code, "<dream>", TrustTier.SANDBOX, rules)
    return sum(each.severity in _GRAVE for each in report.findings)


def _growth(dream: DreamProcedure) -> float:
    mine = syntax_tokens(dream.code) or ()
    base = syntax_tokens(dream.base_code or "") or ()
    return 0.0 if not dream.base_code or not base else (len(mine) - len(base)) / len(base)
