"""Findings, newest cycle first."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reverie.model.cycle import Sighting
from reverie.store import cycle_tables as tables
from reverie.store.browsing.dreams import own_cycles
from reverie.store.browsing.walking import Condition, Leaf, Walk, place_of, walk
from reverie.store.journal import Journal
from reverie.store.text import storable
from reverie.store.verdicts import load_opinions

_ORDER = ("cycle_id", "id")
_ALL = tuple(column.name for column in tables.findings.columns)


@dataclass(frozen=True, slots=True)
class FindingLine:
    """A finding on a list."""

    id: str
    cycle_id: str
    module: str
    title: str
    details: Mapping[str, Any]
    opinion: str | None
    """What a person said of it."""


def browse_findings(
    journal: Journal, repository: Path, module: str | None = None, after: str | None = None
) -> Leaf[FindingLine]:
    """One page of the findings of a repository."""
    along: tuple[Condition, ...] = ()
    index = "findings_by_cycle"
    if module is not None:
        name = storable(module)
        along, index = (lambda columns: columns["module"] == name,), "findings_by_module"
    with journal.reading() as connection:
        elsewhere = own_cycles(connection, repository)
        besides = () if elsewhere is None else (elsewhere,)
        plan = Walk(tables.findings, _ALL, _ORDER, index, along, besides)
        found = walk(connection, plan, place_of(after, str, str))
    opinions = load_opinions(journal, repository)
    return Leaf(tuple(_line(row, opinions) for row in found.rows), found.after, found.looked_at)


def find_findings(journal: Journal, repository: Path, prefix: str) -> tuple[FindingLine, ...]:
    """The findings whose id begins so, each as it was seen last."""
    found: dict[str, FindingLine] = {}
    after: str | None = None
    while True:
        leaf = browse_findings(journal, repository, after=after)
        for each in leaf.rows:
            if each.id.startswith(prefix):
                found.setdefault(each.id, each)
        if leaf.after is None:
            return tuple(found.values())
        after = leaf.after


def _line(row: Any, opinions: Mapping[str, Any]) -> FindingLine:
    details = json.loads(row["details"])
    name = Sighting(row["module"], row["title"], details).signature
    opinion = opinions.get(name)
    return FindingLine(
        name,
        row["cycle_id"],
        row["module"],
        row["title"],
        details,
        None if opinion is None else str(opinion),
    )
