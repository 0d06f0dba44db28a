"""Tools on the dream journal: look into it, imagine dreams for it, and say how healthy it is."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp_types import ToolAnnotations
from pydantic import Field

from reverie.dreamers.procedures.variant import Strategy
from reverie.errors import UsageError
from reverie.interfaces.mcp.answers import (
    DreamAnswer,
    DreamAnswers,
    Dreamt,
    Health,
    PatternAnswer,
    PatternAnswers,
    Statistics,
    TestAnswer,
    TestAnswers,
)
from reverie.interfaces.mcp.code_tools import LOOKS, Detail
from reverie.interfaces.mcp.desk import Ctx, Desk, Progress
from reverie.model.dream import DreamStatus
from reverie.model.procedure import (
    DreamMetrics,
    DreamProcedure,
    DreamTier,
    DreamType,
    ProcedureTest,
)
from reverie.sandbox.engine import Sandbox
from reverie.store.dreams import DreamStore

ADDS = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
_MOST = 500
T = TypeVar("T")


def add_dream_tools(server: MCPServer[Any], desk: Desk) -> None:
    """The tools that read the journal."""
    for tool in (_journal_tool, _stats_tool, _results_tool, _failures_tool, _patterns_tool):
        tool(server, desk)


@contextmanager
def open_store(desk: Desk) -> Iterator[DreamStore]:
    """The dream journal of the repository; `UsageError` where there is none."""
    from reverie.store import Journal

    url = desk.loaded.journal_url
    if url is None:
        raise UsageError("there is no journal here: run `reverie init` in the repository")
    with Journal.open(url) as journal:
        yield DreamStore(journal)


def asked(desk: Desk, question: Callable[[DreamStore], Coroutine[Any, Any, T]]) -> T:
    """What the store answers; in a thread of our own, so with a loop of our own."""
    import asyncio

    with open_store(desk) as store:
        return asyncio.run(question(store))


def dream_answer(dream: DreamProcedure) -> DreamAnswer:
    """A dream as tools tell it."""
    created = dream.created_at
    return DreamAnswer(
        id=dream.id,
        title=dream.title,
        dream_type=str(dream.dream_type),
        dreamer=dream.dreamer,
        status=str(dream.status),
        tier=None if dream.tier is None else str(dream.tier),
        viability=dream.viability_score,
        novelty=dream.novelty_score,
        base_procedure=dream.base_procedure,
        test_outcome=None if dream.test_outcome is None else str(dream.test_outcome),
        effectiveness=dream.effectiveness,
        reasoning=dream.reasoning,
        created_at=None if created is None else created.isoformat(),
    )


class View(StrEnum):
    """What can be asked of the dream journal."""

    DREAMS = "dreams"
    STATISTICS = "statistics"
    TESTS = "tests"
    FAILURES = "failures"
    PATTERNS = "patterns"
    HEALTH = "health"


def _journal_tool(server: MCPServer[Any], desk: Desk) -> None:
    @server.tool(title="Look into the dream journal", annotations=LOOKS)
    async def dream_journal(
        ctx: Ctx,
        view: Annotated[
            View, Field(description="dreams, their tests, failures, failure patterns, figures")
        ] = View.DREAMS,
        status: Annotated[DreamStatus | None, Field(description="Only those that stand so")] = None,
        tier: Annotated[DreamTier | None, Field(description="Only those of a tier")] = None,
        dream_type: Annotated[DreamType | None, Field(description="Only those of a kind")] = None,
        dream_id: Annotated[int | None, Field(ge=1, description="Tests of one dream")] = None,
        limit: Annotated[int, Field(ge=1, le=_MOST, description="At most so many")] = 20,
        detail: Detail = False,
    ) -> DreamAnswers:
        """Dreams of the journal, newest first; or by `view` how they and their tests did."""

        def fits(dream: DreamProcedure) -> bool:
            pairs = ((status, dream.status), (tier, dream.tier), (dream_type, dream.dream_type))
            return all(wanted is None or wanted == found for wanted, found in pairs)

        def job(_: Progress) -> DreamAnswers:
            return _seen(desk, view, fits, dream_id, limit)

        return await desk.work(ctx, job)


def _seen(
    desk: Desk,
    view: View,
    fits: Callable[[DreamProcedure], bool],
    dream_id: int | None,
    limit: int,
) -> DreamAnswers:
    answer = DreamAnswers(dreams=[])
    match view:
        case View.DREAMS:
            every = asked(desk, lambda store: store.list_dreams())
            answer.dreams = [dream_answer(each) for each in every if fits(each)][:limit]
        case View.STATISTICS:
            answer.statistics = asked(desk, lambda store: store.get_statistics())
        case View.TESTS:
            found = asked(desk, lambda store: store.get_tests(dream_id, limit))
            answer.tests = [_test(each) for each in found]
        case View.FAILURES:
            found = asked(desk, lambda store: store.get_failures(limit))
            answer.tests = [_test(each) for each in found]
        case View.PATTERNS:
            answer.patterns = _patterns(desk, limit)
        case View.HEALTH:
            answer.health = health_now(desk)
    return answer


def _stats_tool(server: MCPServer[Any], desk: Desk) -> None:
    @server.tool(title="Figures of the dream journal", annotations=LOOKS)
    async def dream_stats(ctx: Ctx) -> Statistics:
        """How many dreams stand where, how novel and viable they are, how their tests went."""

        def job(_: Progress) -> Statistics:
            return Statistics(statistics=asked(desk, lambda store: store.get_statistics()))

        return await desk.work(ctx, job)


def _results_tool(server: MCPServer[Any], desk: Desk) -> None:
    @server.tool(title="Test results of dreams", annotations=LOOKS)
    async def dream_test_results(
        ctx: Ctx,
        dream_id: Annotated[int | None, Field(ge=1, description="One dream; else all")] = None,
        limit: Annotated[int, Field(ge=1, le=_MOST, description="At most so many")] = 20,
    ) -> TestAnswers:
        """How dreams did on synthetic and edge inputs, compared with their base; newest first."""

        def job(_: Progress) -> TestAnswers:
            found = asked(desk, lambda store: store.get_tests(dream_id, limit))
            return TestAnswers(tests=[_test(each) for each in found])

        return await desk.work(ctx, job)


def _failures_tool(server: MCPServer[Any], desk: Desk) -> None:
    @server.tool(title="Failed tests of dreams", annotations=LOOKS)
    async def dream_test_failures(
        ctx: Ctx, limit: Annotated[int, Field(ge=1, le=_MOST, description="At most so many")] = 20
    ) -> TestAnswers:
        """The newest tests that dreams did not pass, with what went wrong."""

        def job(_: Progress) -> TestAnswers:
            found = asked(desk, lambda store: store.get_failures(limit))
            return TestAnswers(tests=[_test(each) for each in found])

        return await desk.work(ctx, job)


def _patterns_tool(server: MCPServer[Any], desk: Desk) -> None:
    @server.tool(title="Failure patterns of dreams", annotations=LOOKS)
    async def dream_test_patterns(
        ctx: Ctx, limit: Annotated[int, Field(ge=1, le=_MOST, description="At most so many")] = 20
    ) -> PatternAnswers:
        """What keeps going wrong in dreams, by signature, the most frequent first."""

        def job(_: Progress) -> PatternAnswers:
            return PatternAnswers(patterns=_patterns(desk, limit))

        return await desk.work(ctx, job)


def _patterns(desk: Desk, limit: int) -> list[PatternAnswer]:
    from reverie.cycle.dreams.runner import learning_report

    report = asked(desk, lambda store: learning_report(store, limit))
    helps = {each["pattern"]: each for each in report["suggested_improvements"]}
    return [
        PatternAnswer(
            signature=each["pattern"],
            category=each["category"],
            message=each["message"],
            dreams=each["frequency"],
            inputs=each["inputs"],
            suggestion=helps[each["pattern"]]["suggestion"],
        )
        for each in report["top_failure_patterns"]
    ]


def health_now(desk: Desk) -> Health:
    """The compound health of the journal, measured now; a look does not write it down."""
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


async def _measure(store: DreamStore) -> DreamMetrics:
    from datetime import UTC, datetime

    from reverie.scoring.procedures import measure_health

    runs = [run.seconds for run in await store.get_generation_runs()]
    return measure_health(await store.list_dreams(), runs, datetime.now(UTC))


def _test(test: ProcedureTest) -> TestAnswer:
    return TestAnswer(
        dream_id=test.dream_id,
        tested_at=test.tested_at.isoformat(),
        outcome=str(test.outcome),
        passed=test.passed,
        inputs=test.inputs,
        succeeded=test.succeeded,
        same=test.same,
        different=test.different,
        more_robust=test.more_robust,
        less_robust=test.less_robust,
        speedup=test.speedup,
        effectiveness=test.effectiveness,
        error=test.error,
        failures=[
            {
                "signature": each.signature,
                "category": str(each.category),
                "message": each.message,
                "inputs": each.inputs,
            }
            for each in test.failures
        ],
    )


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
        seed: Annotated[int, Field(ge=0, le=1 << 32, description="Of what is drawn")] = 0,
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
    python = await asyncio.to_thread(desk.settled)
    with open_store(desk) as store, open_sandbox(settings.sandbox, python=python) as sandbox:
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
    from reverie.cycle.dreams.generating import evaluate_waiting
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
            return health_now(desk)

        return await desk.work(ctx, job)
