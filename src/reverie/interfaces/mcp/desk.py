"""Where calls are worked on: in threads, a few at once, stopped when nobody waits any more."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError

from reverie.bootstrap.leases import Lease, leased
from reverie.errors import MachineryError, ReverieError, UsageError
from reverie.interfaces.mcp.shaping import Shelf

if TYPE_CHECKING:
    from reverie.model.repository.code import CodeIndex
    from reverie.model.repository.environment import Surroundings
    from reverie.settings import Loaded

T = TypeVar("T")
Ctx = Context[Any, Any]
_TICK_SECONDS = 0.5


@dataclass(slots=True)
class Progress:
    """How far a piece of work is; written by its thread, told by the loop."""

    done: float = 0.0
    total: float | None = None
    phase: str = ""

    def tell(self, phase: str, done: float, total: float) -> None:
        """As instruments say it."""
        self.phase, self.done, self.total = phase, done, total or None


@dataclass(slots=True)
class Desk:
    """One repository, and the calls about it."""

    loaded: Loaded
    python: str | None = None
    """The interpreter that whoever started the server has named."""
    tasks: dict[str, Any] = field(default_factory=dict, repr=False)
    """Tasks of this server by id; `tasks.Task` each."""
    shelf: Shelf = field(default_factory=Shelf, repr=False)
    _places: asyncio.Semaphore | None = field(default=None, repr=False)

    @property
    def repository(self) -> Path:
        """The only one that is spoken of."""
        return self.loaded.repository.resolve()

    def settled(self, *, runs_tests: bool = False) -> str | None:
        """The interpreter for code of the repository; `UsageError` where it lacks something."""
        from reverie.bootstrap.environments import settle_quietly

        return settle_quietly(self.loaded, self.python, runs_tests=runs_tests).python

    def found(self) -> str | None:
        """The interpreter for code of nobody's repository: what is there, whatever it lacks."""
        return self.around(runs_tests=False).python

    def around(self, *, runs_tests: bool = True) -> Surroundings:
        """The environment as it is, whatever it lacks."""
        from reverie.bootstrap.environments import Wish, settle

        return settle(self.loaded, Wish(self.python, runs_tests=runs_tests), os.environ)

    def surroundings(self) -> Surroundings:
        """The environment for the suite; `UsageError` where it lacks something."""
        from reverie.bootstrap.environments import settle_quietly

        return settle_quietly(self.loaded, self.python)

    def index_of(self, folder: Path) -> CodeIndex:
        """What is in a copy of the repository."""
        from reverie.bootstrap import open_index

        settings = self.loaded.settings
        with open_index(folder, settings.index, settings.safety, None, settings.sandbox) as index:
            index.refresh()
            return index.load()

    async def work(self, context: Ctx, job: Callable[[Progress], T]) -> T:
        """Run a job in a thread of its own; a call that is cancelled ends its sandboxes."""
        section = self.loaded.settings.mcp
        if self._places is None:
            self._places = asyncio.Semaphore(section.calls)
        async with self._places:
            try:
                with anyio.fail_after(section.call_seconds):
                    return await self._run(context, job)
            except TimeoutError:
                said = f"stopped after {section.call_seconds:g} s"
                raise ToolError(f"{said}; ask for less, or raise mcp.call_seconds") from None
            except MachineryError as error:
                told = " ".join(str(error).split())
                raise ToolError(f"{told}; try once more, then `reverie doctor`") from error
            except ReverieError as error:
                raise ToolError(" ".join(str(error).split())) from error

    async def _run(self, context: Ctx, job: Callable[[Progress], T]) -> T:
        lease, progress = Lease(), Progress()

        def run() -> T:
            with leased(lease):
                return job(progress)

        ticking = asyncio.create_task(_tick(context, progress))
        try:
            return await anyio.to_thread.run_sync(run, abandon_on_cancel=True)
        finally:
            ticking.cancel()
            with anyio.CancelScope(shield=True):
                await anyio.to_thread.run_sync(lease.end)

    def inside(self, given: str, what: str = "path") -> Path:
        """A path of the repository, links followed; `UsageError` for any other."""
        if not given or "\0" in given:
            raise UsageError(f"{what}: {given!r} is no path")
        place = (self.repository / given).resolve()
        if not place.is_relative_to(self.repository):
            raise UsageError(f"{what}: {given!r} is not inside of the repository")
        if not place.exists():
            raise UsageError(f"{what}: {given!r} is not there; paths begin at the repository")
        return place


async def _tick(context: Ctx, progress: Progress) -> None:
    """Tell the client how far the work is; without figures, how long it has taken."""
    began, last = time.monotonic(), 0.0
    while True:
        await asyncio.sleep(_TICK_SECONDS)
        seconds = time.monotonic() - began
        last = max(last + 1e-6, seconds)  # the protocol wants it to rise
        phase = f"{progress.phase}: {progress.done:g}" if progress.phase else "working"
        of = f" of {progress.total:g}" if progress.total else ""
        await context.report_progress(last, None, f"{phase}{of}, {seconds:.0f} s")
