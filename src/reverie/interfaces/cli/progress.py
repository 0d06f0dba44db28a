"""A bar on stderr while something takes long; nothing where nobody is watching."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def step_bar(total: int) -> Iterator[Callable[[str], None]]:
    """Shows which of `total` steps is under way; call what is given with the name of the next."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda step: None
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
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
