"""Tools that dream, and that say how the journal does."""

import asyncio
from dataclasses import dataclass
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from pydantic import Field

from reverie.dreamers.procedures.strategies import Strategy
from reverie.errors import UsageError
from reverie.interfaces.mcp.answers import Dreamt, Health
from reverie.interfaces.mcp.code_tools import LOOKS
from reverie.interfaces.mcp.desk import Ctx, Desk, Progress
from reverie.interfaces.mcp.dream_tools import ADDS, asked, dream_answer, open_store
from reverie.model.procedure import DreamMetrics, DreamProcedure
from reverie.sandbox.engine import Sandbox
from reverie.store import DreamStore

_CALL_SECONDS = 5.0
_MOST_FUNCTIONS = 20


def add_dreaming_tools(server: MCPServer[Any], desk: Desk) -> None:
    """The tools around what dreamers do."""
    _dream_tool(server, desk)
    _health_tool(server, desk)


def _dream_tool(server: MCPServer[Any], desk: Desk) -> None:
    @server.tool(title="Dream up variants of a function", annotations=ADDS)
    async def dream(
        ctx: Ctx,
        path: Annotated[str, Field(description="A module's file in the repository")],
        function: Annotated[str | None, Field(description="One function; else all")] = None,
        strategy: Annotated[Strategy, Field(description="How many variants")] = Strategy.LIGHT,
        seed: Annotated[int, Field(ge=0, le=1 << 32)] = 0,
        test: Annotated[bool, Field(description="Evaluate them, and test the viable")] = True,
        inputs: Annotated[int, Field(ge=1, le=1000, description="Calls per test")] = 30,
    ) -> Dreamt:
        """Imagine variants of functions, keep those that differ, then evaluate and test them."""

        def job(progress: Progress) -> Dreamt:
            wanted = _Wanted(path, function, strategy, seed, inputs if test else 0)
            return asyncio.run(_dream(desk, wanted, progress))

        return await desk.work(ctx, job)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is to be varied, and how far."""

    path: str
    function: str | None
    strategy: Strategy
    seed: int
    inputs: int
    """Calls per test; 0: none is tested."""


async def _dream(desk: Desk, wanted: _Wanted, progress: Progress) -> Dreamt:
    from reverie.bootstrap import open_sandbox
    from reverie.bootstrap.dreams import find_procedures
    from reverie.cycle.dreams.generating import Wishes, generate

    place = desk.inside(wanted.path)
    if place.suffix != ".py":
        raise UsageError(f"path: {wanted.path!r} is no Python file")
    target = f"{place}:{wanted.function}" if wanted.function else f"{place}"
    settings = desk.loaded.settings
    with open_store(desk) as store, open_sandbox(settings.sandbox) as sandbox:
        procedures = find_procedures(desk.repository, settings, [target])[:_MOST_FUNCTIONS]
        wishes = Wishes(wanted.strategy, wanted.seed)

        def tell(done: int, dreams: int) -> None:
            progress.tell(f"functions, {dreams} dreams", done, len(procedures))

        found = await generate(store, sandbox, procedures, (), wishes, tell)
        if wanted.inputs and found.dream_ids:
            await _try(desk, store, sandbox, found.dream_ids, wanted)
        dreams = [await store.get_dream(each) for each in found.dream_ids]
    return Dreamt(
        stored=[dream_answer(each) for each in dreams],
        made=dict(found.run.made),
        dropped=dict(found.run.dropped),
        seconds=round(found.run.seconds, 3),
    )


async def _try(
    desk: Desk, store: DreamStore, sandbox: Sandbox, numbers: tuple[int, ...], wanted: _Wanted
) -> None:
    """Evaluate dreams by the record of their rules, and test those that are viable."""
    from reverie.bootstrap import rules_in_force
    from reverie.cycle.dreams.evaluating import evaluate_waiting
    from reverie.cycle.dreams.runner import DreamTestRunner
    from reverie.model.dream import DreamStatus

    rules = rules_in_force(desk.loaded.settings.safety)
    waiting = [await store.get_dream(each) for each in dict.fromkeys(numbers)]
    new = [each.id for each in waiting if each.status is DreamStatus.PENDING_EVALUATION]
    judged = await evaluate_waiting(store, rules, [each for each in new if each is not None])
    viable: list[DreamProcedure] = [
        each for each in judged if each.status is DreamStatus.PENDING_TEST
    ]
    with DreamTestRunner(
        store.journal, _CALL_SECONDS, wanted.inputs, sandbox=sandbox, seed=wanted.seed
    ) as runner:
        for each in viable:
            await runner.test_dream(each)


def _health_tool(server: MCPServer[Any], desk: Desk) -> None:
    @server.tool(title="Health of the dream journal", annotations=LOOKS)
    async def dream_health(ctx: Ctx) -> Health:
        """The compound health of the journal with its parts, measured now."""

        def job(_: Progress) -> Health:
            now = asked(desk, _measure)
            return Health(
                health=now.compound_health_score,
                is_healthy=now.is_healthy,
                parts=dict(now.parts),
                left_out=list(now.left_out),
                measured_at=now.measured_at.isoformat(),
                tier1_test_success_rate=now.tier1_test_success_rate,
                tier1_test_count=now.tier1_test_count,
                total=now.total,
            )

        return await desk.work(ctx, job)


async def _measure(store: DreamStore) -> DreamMetrics:
    """The figures of this moment; a look does not write them down."""
    from datetime import UTC, datetime

    from reverie.scoring.health import measure_health

    runs = [run.seconds for run in await store.get_generation_runs()]
    return measure_health(await store.list_dreams(), runs, datetime.now(UTC))
