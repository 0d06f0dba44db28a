"""`WorkflowDB`: the workflows of a repository in the journal, version by version."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert, select, update

from reverie.errors import UsageError
from reverie.model.codec import pick
from reverie.model.workflow import (
    StepRun,
    Workflow,
    WorkflowOrigin,
    WorkflowRun,
    WorkflowVersion,
    read_workflow,
)
from reverie.model.workflow_evolution import PastEvolution
from reverie.store.journal import Journal
from reverie.store.scalars import from_microseconds, now_microseconds, storable, to_microseconds
from reverie.store.tables.workflow_tables import workflow_evolutions, workflow_runs, workflows


class WorkflowDB:
    """Keeps workflows, their runs and their evolution. Versions are only ever added."""

    def __init__(self, journal: Journal, repository: str | Path) -> None:
        self.journal = journal
        self.place = storable(str(Path(repository).resolve()))

    def save(self, workflow: Workflow, parent: str | None = None) -> WorkflowVersion:
        """Keep a workflow; a new version when it differs from the newest of its name."""
        with self.journal.writing() as connection:
            newest = self._newest(connection, workflow.name)
            if newest is not None and newest.workflow.digest == workflow.digest:
                return newest
            made = WorkflowVersion(
                workflow,
                1 if newest is None else newest.version + 1,
                parent,
                None,
                datetime.now(UTC),
            )
            connection.execute(insert(workflows).values(self._row(made)))
            return made

    def current(self) -> Sequence[WorkflowVersion]:
        """The newest version of every workflow, by name."""
        table = workflows
        query = (
            select(table)
            .where(table.c.repository == self.place)
            .order_by(table.c.name, table.c.version)
        )
        with self.journal.reading() as connection:
            rows = connection.execute(query).mappings().all()
        return list({row["name"]: _version(row) for row in rows}.values())

    def versions(self, name: str) -> Sequence[WorkflowVersion]:
        """Every version of one workflow, oldest first."""
        table = workflows
        query = (
            select(table)
            .where(table.c.repository == self.place, table.c.name == storable(name))
            .order_by(table.c.version)
        )
        with self.journal.reading() as connection:
            return [_version(row) for row in connection.execute(query).mappings()]

    def mark_merged(self, name: str, into: str) -> None:
        """Note that a workflow became part of another one."""
        table = workflows
        with self.journal.writing() as connection:
            newest = self._newest(connection, name)
            if newest is None:
                raise UsageError(f"no workflow {name!r:.80} is kept in {self.journal.location}")
            place = update(table).where(
                table.c.repository == self.place,
                table.c.name == storable(name),
                table.c.version == newest.version,
            )
            connection.execute(place.values(merged_into=storable(into)))

    def record_run(self, workflow: Workflow, run: WorkflowRun) -> None:
        """Keep the figures of one run."""
        row = {
            "repository": self.place,
            "name": storable(workflow.name),
            "digest": workflow.digest,
            "created_at_us": now_microseconds(),
            **pick(run, "outcome duration_ms cpu_seconds peak_rss_bytes"),
            "failed_step": None if run.failed_step is None else storable(run.failed_step),
            "steps": json.dumps([_step(each) for each in run.steps]),
        }
        with self.journal.writing() as connection:
            connection.execute(insert(workflow_runs).values(row))

    def runs(self, name: str, limit: int = 50) -> Sequence[Mapping[str, Any]]:
        """The latest runs of a workflow, newest first."""
        table = workflow_runs
        query = (
            select(table)
            .where(table.c.repository == self.place, table.c.name == storable(name))
            .order_by(table.c.id.desc())
            .limit(limit)
        )
        with self.journal.reading() as connection:
            rows = connection.execute(query).mappings().all()
        return [{**row, "steps": json.loads(row["steps"])} for row in rows]

    def record_evolution(self, name: str, past: PastEvolution, summary: Mapping[str, Any]) -> None:
        """Keep what evolving a workflow came to."""
        row = {
            "repository": self.place,
            "name": storable(name),
            "source_hash": past.source_hash,
            "created_at_us": now_microseconds(),
            "status": past.status.value,
            "roi_delta": past.roi_delta,
            "summary": storable(json.dumps(summary, default=str)),
        }
        with self.journal.writing() as connection:
            connection.execute(insert(workflow_evolutions).values(row))

    def evolutions(self, name: str) -> Sequence[PastEvolution]:
        """What evolving a workflow came to, oldest first."""
        table = workflow_evolutions
        query = (
            select(table.c.source_hash, table.c.status, table.c.roi_delta)
            .where(table.c.repository == self.place, table.c.name == storable(name))
            .order_by(table.c.id)
        )
        with self.journal.reading() as connection:
            rows = connection.execute(query).mappings().all()
        return [PastEvolution(**row) for row in rows]

    def _newest(self, connection: Connection, name: str) -> WorkflowVersion | None:
        table = workflows
        query = (
            select(table)
            .where(table.c.repository == self.place, table.c.name == storable(name))
            .order_by(table.c.version.desc())
            .limit(1)
        )
        row = connection.execute(query).mappings().first()
        return None if row is None else _version(row)

    def _row(self, made: WorkflowVersion) -> dict[str, Any]:
        workflow = made.workflow
        return {
            "repository": self.place,
            "name": storable(workflow.name),
            "version": made.version,
            "digest": workflow.digest,
            "origin": workflow.origin.value,
            "source": storable(workflow.source),
            "parent": made.parent,
            "merged_into": None,
            "document": json.dumps(workflow.document()),
            "created_at_us": to_microseconds(made.created_at),
        }


def _version(row: Mapping[Any, Any]) -> WorkflowVersion:
    document = json.loads(row["document"])
    name = document.pop("name")
    origin = WorkflowOrigin(row["origin"])
    return WorkflowVersion(
        read_workflow(name, document, origin, row["source"]),
        row["version"],
        row["parent"],
        row["merged_into"],
        from_microseconds(row["created_at_us"]),
    )


def _step(step: StepRun) -> dict[str, Any]:
    told = "execution.outcome duration_ms cpu_seconds peak_rss_bytes"
    return pick(step, f"name {told}", name=storable(step.name))
