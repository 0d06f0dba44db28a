"""What a caller cannot have more of: limits of the sandbox, calls at once, time of a call."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp.server.mcpserver.exceptions import ToolError

from reverie.interfaces.mcp.code_tools import _run
from reverie.interfaces.mcp.desk import Desk
from reverie.settings import load_settings


class _Silent:
    async def report_progress(self, *told: object) -> None:
        """Nobody listens."""


NOBODY: Any = _Silent()


@pytest.fixture
def desk(repository: Path) -> Callable[..., Desk]:
    def make(**environ: str) -> Desk:
        given = {f"REVERIE_{name}": value for name, value in environ.items()}
        return Desk(load_settings(repository, given, {}))

    return make


def test_a_caller_lowers_limits_and_raises_none(desk: Callable[..., Desk]) -> None:
    strict = desk(SANDBOX_TIMEOUT_SECONDS="0.3", SANDBOX_MEMORY_MB="64")
    assert _run(strict, "while True: pass", None, {}, 1e6, None).outcome == "timeout"
    large = "x = bytearray(256 << 20)"
    assert _run(strict, large, None, {}, None, 1 << 20).outcome == "resource_exhaustion"
    assert _run(desk(), large, None, {}, None, 64).outcome == "resource_exhaustion"
    assert _run(desk(), large, None, {}, None, None).outcome == "success"


@pytest.mark.parametrize(("calls", "is_met"), [("1", False), ("2", True)])
def test_only_so_many_calls_work_at_once(
    desk: Callable[..., Desk], calls: str, is_met: bool
) -> None:
    begun, other = threading.Event(), threading.Event()

    def first(_: object) -> bool:
        begun.set()
        return other.wait(0.2 if not is_met else 20)

    async def talk() -> bool:
        made = desk(MCP_CALLS=calls)
        one = asyncio.create_task(made.work(NOBODY, first))
        await asyncio.to_thread(begun.wait)
        await made.work(NOBODY, lambda _: other.set())
        return await one

    assert asyncio.run(talk()) is is_met


def test_a_call_is_stopped_when_its_time_is_over(desk: Callable[..., Desk]) -> None:
    done = threading.Event()

    async def talk() -> None:
        try:
            await desk(MCP_CALL_SECONDS="1").work(NOBODY, lambda _: done.wait(20))
        finally:
            done.set()

    with pytest.raises(ToolError, match="stopped after 1 s"):
        asyncio.run(talk())
