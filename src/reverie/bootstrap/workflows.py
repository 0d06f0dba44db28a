"""Wires the workflows of a repository: those it declares, those found in it, those kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reverie.model.workflow import Workflow
    from reverie.settings import Loaded


def known_workflows(loaded: Loaded) -> tuple[Workflow, ...]:
    """Every workflow of a repository that can be called by name."""
    from reverie.workflows.declared import declared_workflows

    return declared_workflows(loaded.settings.workflows)
