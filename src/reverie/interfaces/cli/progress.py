"""How far something is, on stderr: a bar where somebody watches, a line now and then elsewhere.

Work with phases has a bar that names the phase.
"""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import TracebackType
from typing import Any, Self

EVERY_SECONDS = 30.0
"""Between two lines where nobody watches: a log shows that work goes on, and stays short."""


def is_watched() -> bool:
    """Whether stderr is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def told_now_and_then(describe: Callable[[], str]) -> Iterator[None]:
    """A line every so often while something takes long; nothing on a terminal."""
    if sys.stderr is None or is_watched():
        yield
        return
    over, began, stream = threading.Event(), time.monotonic(), sys.stderr

    def tell() -> None:
        while not over.wait(EVERY_SECONDS):
            print(f"{time.monotonic() - began:.0f} s: {describe()}", file=stream, flush=True)

    teller = threading.Thread(target=tell, name="reverie-progress", daemon=True)
    teller.start()
    try:
        yield
    finally:
        over.set()
        teller.join()


@contextmanager
def working(what: str) -> Iterator[None]:
    """Something whose end nobody can foresee is being done."""
    if not is_watched():
        with told_now_and_then(lambda: what):
            yield
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        progress.add_task(what, total=None)
        yield


@contextmanager
def step_bar(total: int) -> Iterator[Callable[[str], None]]:
    """Shows which of `total` steps is under way; call what is given with the name of the next."""
    if not is_watched():
        last = ["starting"]
        with told_now_and_then(lambda: last[-1]):
            yield last.append
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (BarColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=total)
        done = iter(range(total + 1))

        def show(step: str) -> None:
            progress.update(task, description=step, completed=next(done, total))

        yield show


@contextmanager
def count_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """Shows how many of how many are done; call what is given with both numbers."""
    if not is_watched():
        seen: list[str] = [what]
        with told_now_and_then(lambda: seen[0]):
            yield lambda done, total: seen.__setitem__(0, f"{what}: {done} of {total}")
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


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
