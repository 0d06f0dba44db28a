"""Tools that dream, and that say how the journal does."""

from typing import Any

from mcp.server.mcpserver import MCPServer

from reverie.interfaces.mcp.answers import Health
from reverie.interfaces.mcp.code_tools import LOOKS
from reverie.interfaces.mcp.desk import Ctx, Desk, Progress
from reverie.interfaces.mcp.dream_tools import asked


def add_dreaming_tools(server: MCPServer[Any], desk: Desk) -> None:
    """The tools around what dreamers do."""

    @server.tool(title="Health of the dream journal", annotations=LOOKS)
    async def dream_health(ctx: Ctx) -> Health:
        """The compound health of the journal with its parts, as last measured."""

        def job(_: Progress) -> Health:
            found = asked(desk, lambda store: store.get_metrics(limit=1))
            if not found:
                return Health(
                    health=None, is_healthy=None, parts={}, left_out=[], measured_at=None,
                    tier1_test_success_rate=None, tier1_test_count=0, total=0,
                )  # fmt: skip
            (last,) = found
            return Health(
                health=last.compound_health_score,
                is_healthy=last.is_healthy,
                parts=dict(last.parts),
                left_out=list(last.left_out),
                measured_at=last.measured_at.isoformat(),
                tier1_test_success_rate=last.tier1_test_success_rate,
                tier1_test_count=last.tier1_test_count,
                total=last.total,
            )

        return await desk.work(ctx, job)
