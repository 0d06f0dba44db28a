"""What people said of findings: kept for good, the latest word counts."""

from collections.abc import Mapping
from pathlib import Path

from sqlalchemy import insert, select

from reverie.model.discovery import Opinion, Verdict
from reverie.store.clock import to_microseconds
from reverie.store.discovery_tables import finding_verdicts
from reverie.store.journal import Journal
from reverie.store.text import one_line, storable


def record_verdict(journal: Journal, repository: Path, verdict: Verdict) -> None:
    """Keep what a person says of a finding."""
    told = {
        "repository": storable(str(repository.resolve())),
        "signature": verdict.signature,
        "created_at_us": to_microseconds(verdict.created_at),
        "opinion": verdict.opinion.value,
        "why": storable(one_line(verdict.why)),
    }
    with journal.writing() as connection:
        connection.execute(insert(finding_verdicts).values(told))


def load_opinions(journal: Journal, repository: Path) -> Mapping[str, Opinion]:
    """The latest opinion on every finding of a repository."""
    place = storable(str(repository.resolve()))
    query = (
        select(finding_verdicts.c.signature, finding_verdicts.c.opinion)
        .where(finding_verdicts.c.repository == place)
        .order_by(finding_verdicts.c.created_at_us)
    )
    with journal.reading() as connection:
        return {row.signature: Opinion(row.opinion) for row in connection.execute(query)}
