"""A cycle as it happens, on stderr: what is done now, what was found, the time that is left."""

import sys
import threading
import time
from types import TracebackType
from typing import Any, Self

import click

from reverie.cycle.glance import DONE, Glance
from reverie.interfaces.cli.output import printable
from reverie.model.words import counted

_REFRESHES_PER_SECOND = 4
_LINE_SECONDS = 30.0
"""Between two lines where no terminal is."""


class Night:
    """A picture that moves on a terminal; elsewhere a line per phase, and one every half minute."""

    def __init__(self) -> None:
        self._live: Any = None
        self._glance = Glance("starting")
        self._seen_at = time.monotonic()
        self._began = time.monotonic()
        self._over = threading.Event()
        self._teller: threading.Thread | None = None

    def __enter__(self) -> Self:
        if sys.stderr is not None and sys.stderr.isatty():
            from rich.console import Console
            from rich.live import Live

            self._live = Live(
                get_renderable=self._picture,
                console=Console(stderr=True),
                refresh_per_second=_REFRESHES_PER_SECOND,
                transient=True,
            )
            self._live.start()
        elif sys.stderr is not None:
            self._teller = threading.Thread(target=self._tell_on, daemon=True)
            self._teller.start()
        return self

    def show(self, glance: Glance) -> None:
        """What the cycle looks like now."""
        is_new = glance.phase != self._glance.phase
        self._glance, self._seen_at = glance, time.monotonic()
        if is_new and self._teller is not None:
            self._say()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        if self._live is not None:
            self._live.stop()
        if self._teller is not None:
            self._teller.join()

    def _tell_on(self) -> None:
        while not self._over.wait(_LINE_SECONDS):
            self._say()

    def _say(self) -> None:
        glance = self._glance
        parts = [glance.phase, *self._modules(), *glance.under_way[:2], _counts(glance)]
        line = "; ".join([*parts, self._time()])
        click.echo(printable(f"reverie: {line}"), err=True)

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
        table.add_row("time", Text(f"{self._time()}; Ctrl-C ends it with what is proven"))
        return table

    def _modules(self) -> list[str]:
        glance = self._glance
        over = min(glance.over, glance.steps)
        return [f"{over} of {counted(glance.steps, 'module')}"] if glance.steps else []

    def _time(self) -> str:
        spent = f"{time.monotonic() - self._began:.0f} s"
        left = self._glance.seconds_left
        if left is None or self._glance.phase == DONE:
            return spent
        left -= time.monotonic() - self._seen_at
        if left <= 0:
            return f"{spent}, the budget is spent: what has begun is finished"
        return f"{spent}, {left:.0f} s left"


def _counts(glance: Glance) -> str:
    findings = counted(glance.sightings, "finding")
    waiting = f"{glance.waiting} waiting, " if glance.waiting else ""
    return f"{glance.promoted} ready to merge, {waiting}{glance.rejected} refused, {findings}"
