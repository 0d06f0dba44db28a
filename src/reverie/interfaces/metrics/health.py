"""Whether Reverie is alive, and whether it could work."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from reverie.errors import ReverieError
from reverie.store import Journal

if TYPE_CHECKING:
    from reverie.settings import Loaded


def health() -> Mapping[str, Any]:
    """Alive: whoever can answer is."""
    return {"status": "ok"}


def readiness(loaded: "Loaded") -> Mapping[str, Any]:
    """`ready` when the journal can be read; otherwise `not_ready`, and why."""
    url = loaded.journal_url
    if url is None:
        return {"status": "not_ready", "reason": "there is no journal here: run `reverie init`"}
    try:
        journal = Journal.find(url)
        if journal is None:
            return {"status": "ready", "journal": "nothing was recorded yet"}
        with journal, journal.reading() as connection:
            connection.exec_driver_sql("SELECT 1")
            return {"status": "ready", "journal": journal.location}
    except ReverieError as error:
        return {"status": "not_ready", "reason": str(error)}
