"""Variants of functions of real packages, looked at again by other processes."""

import argparse
from collections import Counter, defaultdict
from pathlib import Path

from benchmarks.dreams.real import real_procedures
from reverie.cycle.dreams.generating import Wishes, generate
from reverie.dreamers.procedures.imagining import Fate, Imagination, Lineup
from reverie.dreamers.procedures.procedure import Procedure, Slice
from reverie.dreamers.procedures.variant import Strategy
from reverie.instruments.behaviour.instrument import Behaviours
from reverie.model.measurements.equivalence import Subject
from reverie.model.procedure import DreamProcedure
from reverie.sandbox.engine import Sandbox
from reverie.store import DreamStore, Journal, journal_url

_ELSEWHERE = 1000


async def measure(folder: Path, given: argparse.Namespace) -> None:
    with Sandbox() as sandbox:
        if given.journal is None:
            with Journal.open(journal_url(folder)) as journal:
                await imagine(DreamStore(journal), sandbox, given)
                await look_again(DreamStore(journal), sandbox, given.seed)
        else:
            with Journal.open(f"sqlite:///{Path(given.journal).resolve()}") as journal:
                await look_again(DreamStore(journal), sandbox, given.seed)


async def imagine(store: DreamStore, sandbox: Sandbox, given: argparse.Namespace) -> None:
    """Let dreamers loose until so many functions have variants."""
    passed_over: Counter[str] = Counter()
    wishes = Wishes(Strategy.LIGHT, given.seed)
    functions = 0
    for procedure in real_procedures(given.seed):
        if functions >= given.functions:
            break
        found = await generate(store, sandbox, [procedure], wishes=wishes)
        functions += bool(found.dream_ids)
        if not found.dream_ids:
            why = [name for name in ("no_calls", "base_never_returns") if name in found.run.dropped]
            passed_over[(why or ["no variant differs"])[0]] += 1
    print(f"{functions} functions with variants; passed over on the way: {dict(passed_over)}")


async def look_again(store: DreamStore, sandbox: Sandbox, seed: int) -> None:
    """Base and variants once more, each in processes of its own; then on other inputs."""
    by_base: defaultdict[str, list[DreamProcedure]] = defaultdict(list)
    for dream in reversed(await store.list_dreams()):
        by_base[dream.base_procedure or ""].append(dream)
    stored = sum(map(len, by_base.values()))
    print(f"{stored} variants of {len(by_base)} functions")
    for name, number in (("the same inputs", seed), ("inputs of another seed", seed + _ELSEWHERE)):
        fates: Counter[Fate] = Counter()
        for dreams in by_base.values():
            fates.update(judged(sandbox, dreams, number))
        differ = fates[Fate.KEPT] + fates[Fate.TWIN]
        print(f"{name}: {differ} of {stored} differ from their base ({differ / stored:.1%}), "
              f"{fates[Fate.TWIN]} like a sibling; {dict(fates)}", flush=True)  # fmt: skip


def judged(sandbox: Sandbox, dreams: list[DreamProcedure], seed: int) -> list[Fate]:
    behaviours = Behaviours(sandbox, 5.0, is_isolated=False, counts_steps=True)
    first = dreams[0]
    base = Procedure("", first.entry, Slice("", first.base_code or ""), first.import_roots)
    calls = Imagination(behaviours, (), seed=seed).calls(base)
    subjects = [Subject(each.code, each.entry, each.import_roots) for each in dreams]
    return [each.fate for each in Lineup.of(behaviours, base, calls).judge(subjects)]
