"""100 tier-1 dreams, 75 inputs each: called in the sandbox beside their bases, and journaled."""

import argparse
import time
from pathlib import Path

from benchmarks.dreams.real import real_procedures
from reverie.cycle.dreams.generating import Wishes, generate
from reverie.cycle.dreams.runner import DreamTestRunner
from reverie.dreamers.procedures.strategies import Strategy
from reverie.model.evaluation import Evaluation
from reverie.model.procedure import DreamTier
from reverie.sandbox.engine import Sandbox
from reverie.store import DreamStore, Journal, journal_url

DREAMS = 100
INPUTS = 75
_PURE = ("packaging", "mdurl", "markdown_it", "dateutil", "pycparser", "platformdirs")
_PLAIN = "def f(x):\n    return x + 1\n"


async def measure(folder: Path, given: argparse.Namespace) -> None:
    with Journal.open(journal_url(folder)) as journal, Sandbox() as sandbox:
        store = DreamStore(journal)
        numbers: list[int] = []
        procedures = real_procedures(given.seed, _PURE)
        wishes = Wishes(Strategy.LIGHT, given.seed)
        while len(numbers) < DREAMS:
            found = await generate(store, sandbox, [procedures.pop()], wishes=wishes)
            numbers += found.dream_ids
        for number in numbers[:DREAMS]:
            told = Evaluation(number, 0.9, DreamTier.VIABLE, "for the benchmark")
            await store.evaluate(told, "benchmark")
        bases = {(await store.get_dream(number)).base_procedure for number in numbers[:DREAMS]}
        print(f"{DREAMS} dreams of {len(bases)} functions, {INPUTS} inputs each")
        before = pool_rate(sandbox)
        with DreamTestRunner(journal, 5, INPUTS, sandbox=sandbox) as runner:
            runner._opened()  # the sandbox is warm and the instrument proven, as in a night
            begun, cpu = time.perf_counter(), time.process_time()
            result = await runner.test_tier1_dreams()
            seconds, own = time.perf_counter() - begun, time.process_time() - cpu
        after = pool_rate(sandbox)
        tests = await store.get_tests(limit=DREAMS)
        rows = len(tests)
    calls = result["statistics"]["total_tests"]
    print(f"tested {result['tested_dreams']}, passed {result['dreams_passed']}, journaled {rows}")
    print(
        f"{calls} calls of dreams beside their bases in {seconds:.1f} s ({calls / seconds:.0f}/s)"
    )
    print(f"of it on the host: {own:.1f} CPU s")
    print(f"the pool alone, a fork per input: {before:.0f}/s before, {after:.0f}/s after")
    print("PASS" if seconds <= 20 else "over 20 s")


def pool_rate(sandbox: Sandbox, inputs: int = 600) -> float:
    given = [{"x": number} for number in range(inputs)]
    sandbox.execute_many(_PLAIN, "f", given[:64])
    begun = time.perf_counter()
    sandbox.execute_many(_PLAIN, "f", given)
    return inputs / (time.perf_counter() - begun)
