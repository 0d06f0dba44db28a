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
