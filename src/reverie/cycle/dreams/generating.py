"""A generation run: dreamers let loose on procedures, and what they made kept in the journal."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from time import perf_counter

from reverie.cycle.dreams.matching import Counterparts
from reverie.dreamers.procedures.conditions import ConditionDreamer
from reverie.dreamers.procedures.constraints import Restraint
from reverie.dreamers.procedures.imagining import Imagination, Imagined
from reverie.dreamers.procedures.parameters import ParameterDreamer
from reverie.dreamers.procedures.procedure import Procedure
from reverie.dreamers.procedures.relaxing import RelaxingDreamer
from reverie.dreamers.procedures.strategies import Strategy
from reverie.dreamers.procedures.synthesis import SynthesisDreamer
from reverie.dreamers.procedures.variant import ProcedureDreamer
from reverie.instruments.behaviour.instrument import Behaviours
from reverie.instruments.proof import Proofs
from reverie.learning.tightening import lowest_shares
from reverie.model.procedure import GenerationRun, Tightening
from reverie.sandbox.engine import Sandbox
from reverie.store import DreamStore

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
