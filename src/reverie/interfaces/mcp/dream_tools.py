"""Tools on the dream journal: look into it, and hand something in."""

from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Annotated, Any, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp_types import ToolAnnotations
from pydantic import Field

from reverie.errors import UsageError
from reverie.interfaces.mcp.answers import (
    DreamAnswer,
    DreamAnswers,
    PatternAnswer,
    PatternAnswers,
    Statistics,
    TestAnswer,
    TestAnswers,
)
from reverie.interfaces.mcp.code_tools import LOOKS
from reverie.interfaces.mcp.desk import Ctx, Desk, Progress
from reverie.model.dream import DreamStatus
from reverie.model.procedure import DreamProcedure, DreamTier, DreamType, ProcedureTest
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


def _journal_tool(server: MCPServer[Any], desk: Desk) -> None:
    @server.tool(title="List dreams", annotations=LOOKS)
    async def dream_journal(
        ctx: Ctx,
        status: Annotated[DreamStatus | None, Field(description="Only those that stand so")] = None,
        tier: Annotated[DreamTier | None, Field(description="Only those of a tier")] = None,
        dream_type: Annotated[DreamType | None, Field(description="Only those of a kind")] = None,
        limit: Annotated[int, Field(ge=1, le=_MOST)] = 20,
    ) -> DreamAnswers:
        """Dreams of the journal, newest first."""

        async def question(store: DreamStore) -> list[DreamProcedure]:
            return await store.list_dreams()

        def fits(dream: DreamProcedure) -> bool:
            pairs = ((status, dream.status), (tier, dream.tier), (dream_type, dream.dream_type))
            return all(wanted is None or wanted == found for wanted, found in pairs)

        def job(_: Progress) -> DreamAnswers:
            found = [each for each in asked(desk, question) if fits(each)]
            return DreamAnswers(dreams=[dream_answer(each) for each in found[:limit]])

        return await desk.work(ctx, job)


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
        limit: Annotated[int, Field(ge=1, le=_MOST)] = 20,
    ) -> TestAnswers:
        """How dreams did on synthetic and edge inputs, compared with their base; newest first."""

        def job(_: Progress) -> TestAnswers:
            found = asked(desk, lambda store: store.get_tests(dream_id, limit))
            return TestAnswers(tests=[_test(each) for each in found])

        return await desk.work(ctx, job)


def _failures_tool(server: MCPServer[Any], desk: Desk) -> None:
    @server.tool(title="Failed tests of dreams", annotations=LOOKS)
    async def dream_test_failures(
        ctx: Ctx, limit: Annotated[int, Field(ge=1, le=_MOST)] = 20
    ) -> TestAnswers:
        """The newest tests that dreams did not pass, with what went wrong."""

        def job(_: Progress) -> TestAnswers:
            found = asked(desk, lambda store: store.get_failures(limit))
            return TestAnswers(tests=[_test(each) for each in found])

        return await desk.work(ctx, job)


def _patterns_tool(server: MCPServer[Any], desk: Desk) -> None:
    @server.tool(title="Failure patterns of dreams", annotations=LOOKS)
    async def dream_test_patterns(
        ctx: Ctx, limit: Annotated[int, Field(ge=1, le=_MOST)] = 20
    ) -> PatternAnswers:
        """What keeps going wrong in dreams, by signature, the most frequent first."""

        def job(_: Progress) -> PatternAnswers:
            from reverie.cycle.dreams.learning import learning_report

            report = asked(desk, lambda store: learning_report(store, limit))
            helps = {each["pattern"]: each for each in report["suggested_improvements"]}
            return PatternAnswers(
                patterns=[
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
            )

        return await desk.work(ctx, job)


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
