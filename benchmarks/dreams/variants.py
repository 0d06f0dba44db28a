"""Variants of functions of real packages, looked at again by other processes."""

import argparse
from collections import Counter
from pathlib import Path

from benchmarks.dreams.real import real_procedures
from reverie.cycle.dreams.generating import Wishes, generate
from reverie.dreamers.procedures.imagining import Imagination
from reverie.dreamers.procedures.procedure import Procedure
from reverie.dreamers.procedures.strategies import Strategy
from reverie.instruments.behaviour.instrument import Behaviours
from reverie.model.behaviour import Seen, Subject
from reverie.model.call import Call
from reverie.sandbox.engine import Sandbox
from reverie.store import DreamStore, Journal, journal_url

_CHEAPER = 0.9


async def measure(folder: Path, given: argparse.Namespace) -> None:
    total: Counter[str] = Counter()
    with Journal.open(journal_url(folder)) as journal, Sandbox() as sandbox:
        store = DreamStore(journal)
        for procedure in real_procedures(given.seed):
            if total["functions"] >= given.functions:
                break
            found = await generate(
                store, sandbox, [procedure], wishes=Wishes(Strategy.LIGHT, given.seed)
            )
            if not found.dream_ids:
                total["without a variant"] += 1
                total += Counter({f"  {why}": n for why, n in found.run.dropped.items()
                                  if why.startswith(("no_", "base_"))})  # fmt: skip
                continue
            total["functions"] += 1
            dreams = [await store.get_dream(number) for number in found.dream_ids]
            subjects = [Subject(each.code, each.entry, each.import_roots) for each in dreams]
            total += look_again(sandbox, procedure, subjects, given.seed)
    for name, count in total.items():
        print(f"{name}: {count}")
    stored = total["stored"]
    print(f"differ, seen again in processes of their own: {total['differ'] / stored:.1%}")
    print(f"differ on inputs of another seed: {total['differ elsewhere'] / stored:.1%}")
    print(f"the same as a sibling: {total['twins']}")


def look_again(
    sandbox: Sandbox, procedure: Procedure, subjects: list[Subject], seed: int
) -> Counter[str]:
    behaviours = Behaviours(sandbox, 5.0, counts_steps=True)
    found: Counter[str] = Counter({"stored": len(subjects)})
    for name, number in (("differ", seed), ("differ elsewhere", seed + 1000)):
        calls = Imagination(behaviours, (), seed=number).calls(procedure)
        base, seen = looked(behaviours, procedure.subject, subjects, calls)
        found[name] = sum(differs(base, each) for each in seen)
        if name == "differ":
            profiles = [(*(each.behaviour for each in one), is_cheaper(base, one))
                        for one in seen]  # fmt: skip
            found["twins"] = len(profiles) - len(set(profiles))
    return found


def looked(
    behaviours: Behaviours, base: Subject, subjects: list[Subject], calls: tuple[Call, ...]
) -> tuple[tuple[Seen, ...], list[tuple[Seen, ...]]]:
    first, *rest = behaviours.look_at_all([base, *subjects], [calls] * (len(subjects) + 1))
    return first, rest


def differs(base: tuple[Seen, ...], other: tuple[Seen, ...]) -> bool:
    pairs = [
        (a, b) for a, b in zip(base, other, strict=True) if a.is_conclusive and b.is_conclusive
    ]
    return any(a.behaviour != b.behaviour for a, b in pairs) or is_cheaper(base, other)


def is_cheaper(base: tuple[Seen, ...], other: tuple[Seen, ...]) -> bool:
    both = [(a, b) for a, b in zip(base, other, strict=True) if a.succeeded and b.succeeded]
    return sum(b.steps or 0 for _, b in both) < _CHEAPER * sum(a.steps or 0 for a, _ in both)
