"""Cycles of imagining, testing and learning on the sample repository, tightened and not.

Both arms share the first cycle; every cycle sees functions that the ones before did not see.
"""

import argparse
import shutil
from pathlib import Path

from reverie.bootstrap.dreams import find_procedures
from reverie.cycle.dreams.generating import Wishes, generate
from reverie.cycle.dreams.runner import DreamTestRunner, learn
from reverie.dreamers.procedures.procedure import Procedure
from reverie.dreamers.procedures.variant import Strategy
from reverie.model.procedure import DreamTier, Evaluation
from reverie.sandbox.engine import Sandbox
from reverie.settings import load_settings
from reverie.store import DreamStore, Journal, journal_url

INPUTS = 12
_SAMPLE = Path(__file__).parents[2] / "examples" / "sample_repo"


async def measure(folder: Path, given: argparse.Namespace) -> None:
    procedures = find_procedures(_SAMPLE, load_settings(_SAMPLE, {}, {}).settings)
    procedures = procedures[: given.functions]
    parts = [procedures[number :: given.cycles] for number in range(given.cycles)]
    first, tightened = folder / "untightened", folder / "tightened"
    first.mkdir()
    with Sandbox() as sandbox:
        begun = await cycle(first, sandbox, parts[0], given.seed, is_tightened=False)
        shutil.copytree(first, tightened)
        for place in (first, tightened):
            is_tightened = place is tightened
            shares = [begun]
            for number, part in enumerate(parts[1:], 1):
                if is_tightened:
                    await learnt(place)
                shares.append(await cycle(place, sandbox, part, given.seed + number, is_tightened))
            told = ", ".join(f"{good}/{all_} = {good / max(1, all_):.0%}" for good, all_ in shares)
            print(f"{place.name}: {told}", flush=True)
        await show_rules(tightened)


async def cycle(
    folder: Path, sandbox: Sandbox, part: list[Procedure], seed: int, is_tightened: bool
) -> tuple[int, int]:
    """Dreams that passed, and dreams that were tested: all of them are."""
    with Journal.open(journal_url(folder)) as journal:
        store = DreamStore(journal)
        wishes = Wishes(Strategy.LIGHT, seed, is_tightened)
        for number in (await generate(store, sandbox, part, wishes=wishes)).dream_ids:
            told = Evaluation(number, 0.9, DreamTier.VIABLE, "all are tested")
            await store.evaluate(told, "benchmark")
        with DreamTestRunner(journal, 5, INPUTS, sandbox=sandbox) as runner:
            result = await runner.test_tier1_dreams()
    return result["dreams_passed"], result["tested_dreams"]


async def learnt(folder: Path) -> None:
    with Journal.open(journal_url(folder)) as journal:
        for each in await learn(DreamStore(journal)):
            what = f"{each.share} {each.constraint or 'share alone'} {dict(each.evidence)}"
            print(f"  {each.dreamer}: {what}")


async def show_rules(folder: Path) -> None:
    with Journal.open(journal_url(folder)) as journal:
        rules = await DreamStore(journal).test_record_by_dreamer()
    print("  passed and tested by rule:", dict(sorted(rules.items())))
