"""Workflows that a project declares in its settings."""

from collections.abc import Iterable

from reverie.errors import UsageError
from reverie.model.settings.workflows import WorkflowsSection
from reverie.model.workflow import Workflow


def declared_workflows(section: WorkflowsSection) -> tuple[Workflow, ...]:
    """Every declared workflow, in the order of the file."""
    return section.declared


def workflow_named(name: str, workflows: Iterable[Workflow]) -> Workflow:
    """The workflow of a name; `UsageError` says which there are."""
    known = {each.name: each for each in workflows}
    if name in known:
        return known[name]
    import difflib

    nearest = difflib.get_close_matches(name, known, n=1)
    advice = f"did you mean {nearest[0]}?" if nearest else "`reverie workflow list` shows all"
    raise UsageError(f"there is no workflow {name!r:.80}; {advice}")
