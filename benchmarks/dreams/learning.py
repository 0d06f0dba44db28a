"""Cycles of imagining, testing and learning on the sample repository, tightened and not."""

import argparse
from pathlib import Path

from reverie.bootstrap.dreams import find_procedures
from reverie.cycle.dreams.generating import Wishes, generate
from reverie.cycle.dreams.learning import learn
from reverie.cycle.dreams.runner import DreamTestRunner
from reverie.dreamers.procedures.strategies import Strategy
from reverie.model.evaluation import Evaluation
from reverie.model.procedure import DreamTier
from reverie.sandbox.engine import Sandbox
from reverie.settings import load_settings
from reverie.store import DreamStore, Journal, journal_url

CYCLES = 4
_SAMPLE = Path(__file__).parents[2] / "examples" / "sample_repo"


async def measure(folder: Path, given: argparse.Namespace) -> None:
    with Sandbox() as sandbox:
        for is_tightened in (False, True):
            place = folder / str(is_tightened)
            place.mkdir()
            shares = await cycles(place, sandbox, is_tightened, given.seed)
            word = "tightened" if is_tightened else "untightened"
            print(f"{word}: " + ", ".join(f"{good}/{all_} = {good / all_:.0%}"
                                          for good, all_ in shares))  # fmt: skip


async def cycles(
    folder: Path, sandbox: Sandbox, is_tightened: bool, seed: int
) -> list[tuple[int, int]]:
    """Of every cycle: dreams that passed, and dreams that were tested; all are tested."""
    procedures = find_procedures(_SAMPLE, load_settings(_SAMPLE, {}, {}).settings)
    found = []
    with Journal.open(journal_url(folder)) as journal:
        store = DreamStore(journal)
        for number in range(CYCLES):
            # Every cycle sees a part of the functions that the ones before have not seen.
            part = procedures[number::CYCLES]
            wishes = Wishes(Strategy.BALANCED, seed + number, is_tightened)
            made = await generate(store, sandbox, part, wishes=wishes)
            for dream_id in made.dream_ids:
                told = Evaluation(dream_id, 0.9, DreamTier.VIABLE, "all are tested")
                await store.evaluate(told, "benchmark")
            with DreamTestRunner(journal, 5, 20, sandbox=sandbox, seed=seed) as runner:
                result = await runner.test_tier1_dreams()
            found.append((result["dreams_passed"], result["tested_dreams"]))
            if is_tightened:
                for each in await learn(store):
                    print(f"  after cycle {number + 1}: {each.dreamer} {each.share} "
                          f"{each.constraint} {dict(each.evidence)}")  # fmt: skip
        rules = await store.test_record_by_dreamer()
    if is_tightened:
        print("  dreams by rule:", {rule: tested for rule, (_, tested) in sorted(rules.items())})
    return found
