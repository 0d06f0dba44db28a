"""A workflow as it was kept at one time."""

from dataclasses import dataclass
from datetime import datetime

from reverie.model.workflow import Workflow


@dataclass(frozen=True, slots=True)
class WorkflowVersion:
    """One version. Versions of a name are counted from 1, and the newest one holds."""

    workflow: Workflow
    version: int
    parent: str | None
    """Digest of the workflow that it was made from."""
    merged_into: str | None
    """Name of the workflow that it became part of."""
    created_at: datetime
