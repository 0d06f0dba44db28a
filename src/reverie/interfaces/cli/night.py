"""A cycle as it happens, on stderr: what is done now, what was found, the time that is left."""

import time
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

import click

from reverie.cycle.glance import DONE, Glance
from reverie.interfaces.cli.output import printable
from reverie.interfaces.cli.progress import is_watched, told_now_and_then
from reverie.model.words import counted

_REFRESHES_PER_SECOND = 4


class Night:
    """A picture that moves on a terminal; elsewhere a line per phase, and one now and then."""

    def __init__(self) -> None:
        self._live: Any = None
        self._stack = ExitStack()
        self._glance = Glance("starting")
        self._seen_at = time.monotonic()
        self._began = time.monotonic()
        self._stack = ExitStack()

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
        is_new = glance.phase != self._glance.phase
        self._glance, self._seen_at = glance, time.monotonic()
        if is_new and self._live is None:
            click.echo(f"{self._spent()}: {self._line()}", err=True)

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
        """All of it but the time that was spent, for who reads it later."""
        glance = self._glance
        parts = [glance.phase, *self._modules(), *glance.under_way[:2], _counts(glance)]
        return printable("; ".join([*parts, *self._left()]))

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
            over = min(glance.over, glance.steps)
            bar = ProgressBar(total=glance.steps, completed=over, width=40)
            table.add_row(*self._modules(), bar)
        for line in glance.under_way:
            table.add_row("", Text(f"· {printable(line)}", "cyan"))
        table.add_row("so far", Text(_counts(glance)))
        if glance.best is not None:
            table.add_row("best", Text(printable(glance.best), "green"))
        times = ", ".join([self._spent(), *self._left()])
        table.add_row("time", Text(f"{times}; Ctrl-C ends it with what is proven"))
        return table

    def _modules(self) -> list[str]:
        glance = self._glance
        over = min(glance.over, glance.steps)
        return [f"{over} of {counted(glance.steps, 'module')}"] if glance.steps else []

    def _spent(self) -> str:
        return f"{time.monotonic() - self._began:.0f} s"

    def _left(self) -> list[str]:
        left = self._glance.seconds_left
        if left is None or self._glance.phase == DONE:
            return []
        left -= time.monotonic() - self._seen_at
        is_over = left <= 0
        return [
            "the budget is spent: what has begun is finished" if is_over else f"{left:.0f} s left"
        ]


def _counts(glance: Glance) -> str:
    findings = counted(glance.sightings, "finding")
    waiting = f"{glance.waiting} waiting, " if glance.waiting else ""
    return f"{glance.promoted} ready to merge, {waiting}{glance.rejected} refused, {findings}"
