"""The index that a command reads."""

from contextlib import AbstractContextManager

from reverie.bootstrap import open_index
from reverie.index import Refreshed, RememberedIndex
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.progress import count_bar


def opened_index(app: App) -> AbstractContextManager[RememberedIndex]:
    """The index of this invocation's repository, remembered where there is a journal."""
    settings, loaded = app.settings, app.loaded
    return open_index(
        loaded.repository, settings.index, settings.safety, loaded.journal_url, settings.sandbox
    )


def refresh_shown(index: RememberedIndex) -> Refreshed:
    """Bring an index up to date, with a bar for whoever watches."""
    with count_bar("reading") as show:
        return index.refresh(show)
