"""Self-tests in the journal, modules that were integrated, and exchanges with models."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import RowMapping, delete, insert, select

from reverie.model.codec import plain, read
from reverie.model.events import Interaction, InteractionTag
from reverie.model.repository.standing import Inclusion, IntegrationFigures, SelfTest
from reverie.store.journal import Journal
from reverie.store.rows import believed, json_map
from reverie.store.scalars import from_microseconds, now_microseconds, storable, to_microseconds
from reverie.store.tables.workflow_tables import included_modules, model_interactions, self_tests


class SelfTestMemory:
    """The self-tests of one repository in one journal."""

    def __init__(self, journal: Journal, repository: Path) -> None:
        self._journal = journal
        self._place = storable(str(repository.resolve()))

    def find(self, path: str, source_hash: str) -> SelfTest | None:
        """The self-test of a module on the same source."""
        table = self_tests
        query = select(table).where(
            table.c.repository == self._place,
            table.c.path == storable(path),
            table.c.source_hash == source_hash,
        )
        with self._journal.reading() as connection:
            row = connection.execute(query).mappings().first()
        return None if row is None else believed(self._journal, lambda: _test_of(row))

    def keep(self, test: SelfTest) -> None:
        """Remember one; the same again replaces it."""
        row = {
            "repository": self._place,
            "path": storable(test.path),
            "source_hash": test.source_hash,
            "passed": test.passed,
            "document": json.dumps(plain(test)),
            "created_at_us": now_microseconds(),
        }
        self._replace(self_tests, ("repository", "path", "source_hash"), row)

    def latest(self) -> Mapping[str, SelfTest]:
        """The last self-test of every module, by path."""
        table = self_tests
        query = select(table).where(table.c.repository == self._place)
        with self._journal.reading() as connection:
            rows = connection.execute(query.order_by(table.c.created_at_us)).mappings().all()
        return believed(self._journal, lambda: {row["path"]: _test_of(row) for row in rows})

    def include(self, inclusion: Inclusion) -> None:
        """Note that a module has become part of its repository."""
        row = {
            "repository": self._place,
            "path": storable(inclusion.test.path),
            "source_hash": inclusion.test.source_hash,
            "dream_id": inclusion.dream_id,
            "workflow": inclusion.workflow,
            "created_at_us": now_microseconds(),
        }
        self._replace(included_modules, ("repository", "path"), row)

    def included(self) -> Sequence[str]:
        """Paths of all modules that have, sorted."""
        table = included_modules
        query = select(table.c.path).where(table.c.repository == self._place)
        with self._journal.reading() as connection:
            return sorted(str(row["path"]) for row in connection.execute(query).mappings())

    def figures(self) -> IntegrationFigures:
        """All of it in numbers."""
        return figures_of(self.latest(), self.included())

    def _replace(self, table: Any, keys: Sequence[str], row: Mapping[str, Any]) -> None:
        with self._journal.writing() as connection:
            same = [table.c[key] == row[key] for key in keys]
            connection.execute(delete(table).where(*same))
            connection.execute(insert(table).values(dict(row)))


def figures_of(latest: Mapping[str, SelfTest], included: Sequence[str]) -> IntegrationFigures:
    """What came of the last self-test of every module."""
    tests = list(latest.values())
    left = [test for path, test in latest.items() if path not in set(included)]
    shares = [test.coverage for test in tests if test.coverage is not None]
    spent = [test.seconds for test in tests]
    return IntegrationFigures(
        tested=len(tests),
        reintroduced=len(included),
        failed=sum(not test.passed for test in tests),
        redundant=sum(test.redundant for test in left),
        legacy=sum(test.legacy for test in left),
        passed=sum(test.passed for test in tests),
        average_seconds=sum(spent) / len(spent) if spent else None,
        average_coverage=sum(shares) / len(shares) if shares else None,
    )


def _test_of(row: RowMapping) -> SelfTest:
    # What another version wrote may have fields that this one does not know.
    return read(SelfTest, json_map(row["document"]), "self_tests.document", loose=True)


class InteractionMemory:
    """All exchanges of one journal: it is only ever added to."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def append(self, interaction: Interaction) -> None:
        """Keep one."""
        row = {
            "created_at_us": to_microseconds(interaction.at),
            "tags": " ".join(interaction.tags),
            "prompt": storable(interaction.prompt),
            "response": storable(interaction.response),
        }
        with self._journal.writing() as connection:
            connection.execute(insert(model_interactions).values(row))

    def tagged(self, tag: InteractionTag, limit: int = 50) -> Sequence[Interaction]:
        """The latest with a tag, newest first."""
        table = model_interactions
        query = select(table).order_by(table.c.id.desc())
        with self._journal.reading() as connection:
            rows = connection.execute(query).mappings().all()
        found = believed(
            self._journal,
            lambda: [
                Interaction(
                    row["prompt"],
                    row["response"],
                    tuple(InteractionTag(each) for each in row["tags"].split()),
                    from_microseconds(row["created_at_us"]),
                )
                for row in rows
            ],
        )
        return [each for each in found if tag in each.tags][:limit]
