"""What people said of findings: kept for good, the latest word counts."""

from collections.abc import Mapping
from pathlib import Path

from sqlalchemy import insert, select

from reverie.model.discovery import SETTLED, Opinion, Verdict
from reverie.store.discovery_tables import finding_verdicts
from reverie.store.journal import Journal
from reverie.store.rows import Rows
from reverie.store.text import one_line, storable

_VERDICTS = Rows(finding_verdicts, Verdict)


def record_verdict(journal: Journal, repository: Path, verdict: Verdict) -> None:
    """Keep what a person says of a finding."""
    place, why = storable(str(repository.resolve())), storable(one_line(verdict.why))
    told = _VERDICTS.row(verdict, repository=place, why=why)
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


def settled_findings(journal: Journal, repository: Path) -> frozenset[str]:
    """Signatures of the findings that are meant so, or not to be told again."""
    opinions = load_opinions(journal, repository)
    return frozenset(each for each, opinion in opinions.items() if opinion in SETTLED)
