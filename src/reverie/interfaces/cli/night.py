"""A cycle as it happens, on stderr: phase, bar, what is being done, the best so far, time left."""

import time
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

from reverie.cycle.glance import Glance
from reverie.interfaces.cli.output import printable
from reverie.interfaces.cli.progress import is_watched, told_now_and_then

_REFRESHES_PER_SECOND = 4


class Night:
    """Live where somebody looks; a line now and then where nobody does. Threads tell it."""

    def __init__(self) -> None:
        self._live: Any = None
        self._stack = ExitStack()
        self._glance = Glance("starting")
        self._seen_at = time.monotonic()
        self._began = time.monotonic()

    def __enter__(self) -> Self:
        if not is_watched():
            self._stack.enter_context(told_now_and_then(self._line))
        else:
            from rich.console import Console
            from rich.live import Live

            self._live = Live(
                get_renderable=self._picture,
                console=Console(stderr=True),
                refresh_per_second=_REFRESHES_PER_SECOND,
                transient=True,
            )
            self._live.start()
        return self

    def show(self, glance: Glance) -> None:
        """What the cycle looks like now."""
        self._glance, self._seen_at = glance, time.monotonic()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()
        if self._live is not None:
            self._live.stop()

    def _line(self) -> str:
        """The same in one line, for who reads it later."""
        glance = self._glance
        modules = f", {glance.over} of {glance.steps} modules" if glance.steps else ""
        left = "" if glance.seconds_left is None else f"; {self._left(glance.seconds_left):.0f} s"
        left = f"{left} of the budget left" if left else ""
        said = f"{glance.promoted} promoted, {glance.rejected} refused"
        return printable(f"{glance.phase}{modules}, {said}{left}")

    def _left(self, seconds: float) -> float:
        return max(seconds - (time.monotonic() - self._seen_at), 0.0)

    def _picture(self) -> Any:
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        glance = self._glance
        table = Table.grid(padding=(0, 2))
        table.add_column(justify="right", style="dim")
        table.add_column()
        table.add_row("now", Text(glance.phase, "bold"))
        if glance.steps:
            bar = ProgressBar(
                total=glance.steps, completed=min(glance.over, glance.steps), width=40
            )
            table.add_row(f"{glance.over}/{glance.steps} modules", bar)
        for line in glance.under_way:
            table.add_row("", Text(f"· {printable(line)}", "cyan"))
        counts = f"{glance.promoted} promoted, {glance.rejected} refused"
        table.add_row("so far", Text(f"{counts}, {glance.sightings} findings"))
        if glance.best is not None:
            table.add_row("best", Text(printable(glance.best), "green"))
        table.add_row("time", Text(self._time()))
        return table

    def _time(self) -> str:
        told = f"{time.monotonic() - self._began:.0f} s"
        left = self._glance.seconds_left
        if left is None:
            return told
        left = self._left(left)
        return f"{told}, {left:.0f} s of the budget left; Ctrl-C ends it with what is proven"
