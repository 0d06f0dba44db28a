"""100 tier-1 dreams, 75 inputs each: called in the sandbox beside their bases, and journaled."""

import argparse
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from sqlalchemy import func, select

from benchmarks.dreams.real import real_procedures
from reverie.cycle.dreams.runner import DreamTestRunner
from reverie.dreamers.procedures.alternatives import ConditionDreamer, ParameterDreamer
from reverie.dreamers.procedures.procedure import Procedure
from reverie.dreamers.procedures.relaxing import RelaxingDreamer
from reverie.dreamers.procedures.variant import ProcedureDreamer
from reverie.model.procedure import DreamProcedure, DreamTier, Evaluation
from reverie.sandbox.engine import Sandbox
from reverie.store import DreamStore, Journal, journal_url
from reverie.store.schema import executions

INPUTS = 75
_OF_EACH = 3
_PLAIN = "def f(x):\n    return x + 1\n"
TARGETS = (
    "rich._ratio:ratio_reduce", "rich._ratio:ratio_distribute", "rich._ratio:ratio_resolve",
    "click.formatting:join_options", "click.formatting:measure_table", "click.formatting:wrap_text",
    "packaging.utils:canonicalize_name", "packaging.utils:is_normalized_name",
    "markdown_it.common.utils:isMdAsciiPunct", "markdown_it.common.utils:normalizeReference",
    "mako.filters:htmlentityreplace_errors", "rich.cells:split_text", "rich.cells:set_cell_size",
    "coverage.numbits:nums_to_numbits", "coverage.misc:human_sorted", "coverage.misc:plural",
    "pathspec.util:normalize_file",
    "pygments.util:shebang_matches",
    "dateutil.relativedelta:_sign",
)  # fmt: skip


async def measure(folder: Path, given: argparse.Namespace) -> None:
    with Journal.open(journal_url(folder)) as journal, Sandbox() as sandbox:
        store = DreamStore(journal)
        dreams = list(islice(imagined(), given.dreams))
        for number in await store.store_dreams_batch(dreams):
            told = Evaluation(number, 0.9, DreamTier.VIABLE, "for the benchmark")
            await store.evaluate(told, "benchmark")
        bases = {each.base_procedure for each in dreams}
        print(f"{len(dreams)} dreams of {len(bases)} functions, {INPUTS} inputs each")
        before = pool_rate(sandbox)
        with DreamTestRunner(journal, 5, INPUTS, sandbox=sandbox) as runner:
            runner._opened()  # the sandbox is warm and the instrument proven, as in a night
            begun, cpu = time.perf_counter(), time.process_time()
            result = await runner.test_tier1_dreams()
            seconds, own = time.perf_counter() - begun, time.process_time() - cpu
        after = pool_rate(sandbox)
        with journal.reading() as connection:
            rows, spent = connection.execute(
                select(func.count(), func.sum(executions.c.cpu_seconds))
            ).one()
    calls = result["statistics"]["total_tests"]
    print(f"tested {result['tested_dreams']}, passed {result['dreams_passed']}")
    print(f"{calls} calls of dreams beside their bases in {seconds:.1f} s: {calls / seconds:.0f}/s")
    print(
        f"{rows} executions journaled; CPU: dreams in the sandbox {spent:.1f} s, host {own:.1f} s"
    )
    print(f"the pool alone, a fork per input: {before:.0f}/s before, {after:.0f}/s after")
    print("within 20 s for 100" if seconds <= given.dreams / 5 else "slower than 20 s for 100")


def imagined() -> Iterator[DreamProcedure]:
    """Variants as dreamers write them, nobody has looked at them yet."""
    packages = tuple(dict.fromkeys(each.partition(".")[0] for each in TARGETS))
    known = {each.base: each for each in real_procedures(0, packages)}
    dreamers: list[ProcedureDreamer] = [ParameterDreamer(), RelaxingDreamer(), ConditionDreamer()]
    for target in TARGETS:
        if target in known:
            for dreamer in dreamers:
                yield from islice(_dreams(dreamer, known[target]), _OF_EACH)


def _dreams(dreamer: ProcedureDreamer, base: Procedure) -> Iterator[DreamProcedure]:
    for each in dreamer.imagine(base):
        yield DreamProcedure(
            code=each.code(base),
            entry=base.name,
            dream_type=dreamer.dream_type,
            dreamer=each.rule,
            title=each.title,
            base_procedure=base.base,
            base_code=base.code,
        )


def pool_rate(sandbox: Sandbox, inputs: int = 600) -> float:
    given = [{"x": number} for number in range(inputs)]
    sandbox.execute_many(_PLAIN, "f", given[:64])
    begun = time.perf_counter()
    sandbox.execute_many(_PLAIN, "f", given)
    return inputs / (time.perf_counter() - begun)
