"""The index that a command reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reverie.bootstrap import open_index_of
from reverie.interfaces.cli.progress import count_bar

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from reverie.index import Refreshed, RememberedIndex
    from reverie.interfaces.cli.app import App
    from reverie.model.repository.code import CodeIndex


def opened_index(app: App, *, keeps: bool = False) -> AbstractContextManager[RememberedIndex]:
    """The index of this invocation's repository, remembered where there is a journal."""
    return open_index_of(app.loaded, keeps=keeps)


def refresh_shown(index: RememberedIndex) -> Refreshed:
    """Bring an index up to date, with a bar for whoever watches."""
    with count_bar("reading") as show:
        return index.refresh(show)


def read_index(app: App) -> CodeIndex:
    """The whole index of this invocation's repository, as its files are now."""
    with opened_index(app) as index:
        index.refresh()
        return index.load()
