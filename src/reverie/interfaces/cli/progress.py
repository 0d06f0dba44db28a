"""How far something is, on stderr: a bar where somebody watches, a line now and then elsewhere."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

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
