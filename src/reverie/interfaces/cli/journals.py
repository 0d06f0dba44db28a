"""The journal that a command looks into or writes to."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from reverie import store
from reverie.bootstrap import rules_in_force
from reverie.bootstrap.moved import keep_past
from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.store import Journal

if TYPE_CHECKING:
    from reverie.sandbox.safety import RuleSet

HOW_TO_GET_ONE = "run `reverie init`, or give --journal-url"


@contextmanager
def existing_journal(app: App) -> Iterator[Journal | None]:
    """The journal of this invocation; None when there is none, or nothing was recorded yet."""
    url = app.loaded.journal_url
    journal = None if url is None else Journal.find(url)
    if journal is None:
        yield None
        return
    with journal:
        keep_past(app.loaded, journal)
        yield journal


@contextmanager
def writable_journal(app: App, what: str) -> Iterator[Journal]:
    """The journal of this invocation, made if need be; `UsageError` where nobody wants one."""
    url = app.loaded.journal_url
    if url is None:
        raise UsageError(f"{what} in the journal, and there is none here: {HOW_TO_GET_ONE}")
    with Journal.open(url) as journal:
        keep_past(app.loaded, journal)
        yield journal


def rules_of(app: App) -> "RuleSet":
    """The safety rules in force, with what the journal says about them."""
    with existing_journal(app) as journal:
        stored = () if journal is None else store.load_rules(journal)
    return rules_in_force(app.settings.safety, stored)
