"""A bar on stderr for work that has phases; a line now and then where nobody is looking."""

from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

from reverie.interfaces.cli.progress import is_watched, told_now_and_then


class PhaseBar:
    """Shows what is being done and how far it is; several threads may tell it."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._task: Any = None
        self._phase = ""
        self._line = "starting"
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        if not is_watched():
            self._stack.enter_context(told_now_and_then(lambda: self._line))
        else:
            from rich.console import Console
            from rich.progress import (
                BarColumn,
                MofNCompleteColumn,
                Progress,
                TextColumn,
                TimeElapsedColumn,
            )

            self._bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._bar.start()
        return self

    def show(self, phase: str, done: int, total: int) -> None:
        """`total` of 0: nobody knows how much there is."""
        self._line = f"{phase}: {done} of {total}" if total else phase
        if self._bar is None:
            return
        if phase != self._phase:
            if self._task is not None:
                self._bar.remove_task(self._task)
            self._task = self._bar.add_task(phase, total=total or None)
            self._phase = phase
        self._bar.update(self._task, completed=done, total=total or None)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()
        if self._bar is not None:
            self._bar.stop()
