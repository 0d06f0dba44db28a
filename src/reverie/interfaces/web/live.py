"""What changes while a cycle runs, told to every open page as it happens.

One look at the journal a second serves all of them; nobody listening, nobody looks.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import asdict, dataclass, field

from starlette.concurrency import run_in_threadpool

from reverie.errors import StoreError
from reverie.store.browsing.cycles import Pulse

LISTENERS = 32
HEARTBEAT_SECONDS = 15.0
Feel = Callable[[], Pulse | None]


@dataclass(slots=True)
class Broadcast:
    """Asks the journal how far the newest cycle is, and tells whoever listens."""

    feel: Feel
    every_seconds: float = 1.0
    _listeners: set[asyncio.Queue[str]] = field(default_factory=set)
    _task: asyncio.Task[None] | None = None

    @property
    def is_full(self) -> bool:
        """Whether no more can listen."""
        return len(self._listeners) >= LISTENERS

    async def listen(self) -> AsyncIterator[str]:
        """Server-sent events, until the page is closed."""
        heard: asyncio.Queue[str] = asyncio.Queue(maxsize=4)
        self._listeners.add(heard)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._look())
        try:
            yield ": listening\n\n"
            while True:
                try:
                    told = await asyncio.wait_for(heard.get(), HEARTBEAT_SECONDS)
                    yield f"event: pulse\ndata: {told}\n\n"
                except TimeoutError:
                    yield ": still here\n\n"
        finally:
            self._listeners.discard(heard)

    async def _look(self) -> None:
        before: Pulse | None = None
        while self._listeners:
            try:
                now = await run_in_threadpool(self.feel)
            except StoreError:
                now = before  # busy or gone: the page says so when it is asked for
            if now != before:
                self._tell("" if now is None else json.dumps(asdict(now)))
            before = now
            await asyncio.sleep(self.every_seconds)

    def _tell(self, told: str) -> None:
        for heard in self._listeners:
            if heard.full():
                heard.get_nowait()  # whoever lags behind needs only the newest
            heard.put_nowait(told)
