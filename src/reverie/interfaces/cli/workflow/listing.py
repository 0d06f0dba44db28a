"""`reverie workflow list`."""

from collections.abc import Mapping
from typing import Any

from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.output import emit_json, emit_table
from reverie.model.workflow import Workflow


def list_all(app: App, given: Mapping[str, Any]) -> int:
    """Show every known workflow."""
    from reverie.bootstrap.workflows import known_workflows

    found = known_workflows(app.loaded)
    if app.json:
        emit_json({"workflows": [workflow_document(each) for each in found]})
    else:
        rows = [(each.name, each.origin, " → ".join(each.targets)) for each in found]
        emit_table(("workflow", "origin", "steps"), rows)
    return 0 if found else 1


def workflow_document(workflow: Workflow) -> dict[str, Any]:
    """A workflow as JSON."""
    return {
        "name": workflow.name,
        "origin": workflow.origin,
        "source": workflow.source,
        "digest": workflow.digest,
        "steps": [step.document() for step in workflow.steps],
    }
