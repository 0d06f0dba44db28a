"""`reverie workflow list`."""

from collections.abc import Mapping
from typing import Any

from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.output import emit_json, emit_table
from reverie.model.codec import pick
from reverie.model.workflow import Workflow


def list_all(app: App, given: Mapping[str, Any]) -> int:
    """Show every known workflow."""
    from reverie.bootstrap.workflows import open_shelf

    with open_shelf(app.loaded) as shelf:
        named = shelf.named()
        more = [] if given["declared"] else shelf.found(dynamic=given["dynamic_workflows"])
        documents = [
            {
                **workflow_document(each),
                "version": shelf.version(each),
                "merged_into": shelf.merged_into(each),
                "missing": _missing(shelf, each) if not given["declared"] else None,
            }
            for each in (*named, *more)
        ]
    if app.json:
        emit_json({"workflows": documents})
    else:
        rows = [
            (each["name"], each["origin"], _steps(each), each["merged_into"] or "")
            for each in documents
        ]
        emit_table(("workflow", "origin", "steps", "merged into"), rows)
    return 0 if documents else 1


def workflow_document(workflow: Workflow) -> dict[str, Any]:
    """A workflow as JSON."""
    steps = [step.document() for step in workflow.steps]
    return pick(workflow, "name origin source digest steps", steps=steps)


def _missing(shelf: Any, workflow: Workflow) -> list[str]:
    """What the first step needs and nobody gives."""
    first = workflow.steps[0]
    given = {**first.params, **workflow.params}
    return list(shelf.around.catalogue.missing(str(first.target), given))


def _steps(document: Mapping[str, Any]) -> str:
    marks = {"each": "*", "cached": "!"}
    return " → ".join(
        step["call"] + "".join(mark for name, mark in marks.items() if step.get(name))
        for step in document["steps"]
    )
