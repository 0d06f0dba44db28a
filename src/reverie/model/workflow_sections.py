"""The settings of workflows: those that a project declares, and when they change or merge."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from reverie.model.permission import ANY_VALUE
from reverie.model.setting import Reader, number, setting, whole
from reverie.model.workflow import Workflow
from reverie.model.workflow_reading import read_workflow


def _workflows() -> Reader[tuple[Workflow, ...]]:
    bounds = "a table of workflow name = steps"

    def parse(given: str) -> object:
        try:
            return json.loads(given)
        except (ValueError, RecursionError):
            return given

    def check(value: object) -> tuple[Workflow, ...]:
        if not isinstance(value, Mapping):
            raise ValueError(f"expected {bounds}")
        return tuple(read_workflow(str(name), given) for name, given in value.items())

    return Reader(bounds, parse, check)


@dataclass(frozen=True, slots=True)
class WorkflowsSection:
    """Which workflows there are, and when one changes, merges or counts as a copy."""

    declared: tuple[Workflow, ...] = setting(
        (),
        _workflows(),
        "Workflows by name, each a list of steps or a table; in `pyproject.toml` every table or "
        "list of the section that is no setting is one.",
        takes_rest=True,
        repository=ANY_VALUE,
    )
    gating_threshold: float = setting(
        0.0,
        number(-1_000_000, 1_000_000),
        "Moving average of the gains of evolving, in minutes, that a workflow has to stay above.",
        repository=ANY_VALUE,
    )
    gating_consecutive: int = setting(
        3,
        whole(1, 1000),
        "Times in a row below it after which a workflow is left as it is.",
        repository=ANY_VALUE,
    )
    merge_similarity: float = setting(
        0.9,
        number(0, 1),
        "Similarity from which a variant is merged into its workflow.",
        repository=ANY_VALUE,
    )
    merge_entropy_delta: float = setting(
        0.1,
        number(0, 100),
        "Largest gap of the entropies, in bits, for that.",
        repository=ANY_VALUE,
    )
    duplicate_similarity: float = setting(
        0.95,
        number(0, 1),
        "Similarity from which two workflows are copies of one another.",
        repository=ANY_VALUE,
    )
    duplicate_entropy: float = setting(
        0.05,
        number(0, 100),
        "Largest gap of the entropies, in bits, for that.",
        repository=ANY_VALUE,
    )
