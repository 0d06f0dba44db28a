"""The settings of workflows: those that a project declares, and the faults they are stressed with.

As in `sections`: a frozen dataclass each, every field with its doc line and its bounds.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from reverie.model.settings.setting import (
    ANY_VALUE,
    HIGHER,
    LOWER,
    Reader,
    choice,
    flag,
    number,
    seconds,
    setting,
    text,
    whole,
)
from reverie.model.workflow import Workflow, read_workflow


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
        "Moving average of the gains of evolving, in points, that a workflow has to stay above.",
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


class PresetMode(StrEnum):
    """Where presets come from when no file is named."""

    AUTO = "auto"
    """From `presets` when there are any, else the canonical ones."""
    CANONICAL = "canonical"
    KEYWORDS = "keywords"
    """Of the canonical ones those that the words of the workflow suggest."""


@dataclass(frozen=True, slots=True)
class ScenariosSection:
    """What a workflow is stressed with."""

    mode: PresetMode = setting(
        PresetMode.AUTO,
        choice(PresetMode),
        "Where presets come from when no file is named.",
        repository=ANY_VALUE,
    )
    presets: str | None = setting(
        None,
        text("presets as JSON", lambda value: value.lstrip()[:1] in ("{", "[")),
        "Presets as JSON, used in mode auto.",
        repository=ANY_VALUE,
    )
    calls: int = setting(
        20, whole(2, 1000), "Runs of a workflow per scenario and level, at most.", repository=LOWER
    )
    deadline_seconds: float = setting(
        10.0,
        seconds(0.1, 3600),
        "Seconds after which a call that has not ended has failed.",
        repository=LOWER,
    )
    slots: int = setting(
        6, whole(1, 256), "Runs at once; under faults most of them only wait.", repository=LOWER
    )
    fail_on_missing: bool = setting(
        False,
        flag(),
        "Whether a scenario that was not exercised makes the answer no.",
        repository=HIGHER,
    )
    preset_debug: bool = setting(
        False, flag(), "Whether every change of an adaptive preset is logged, with its reason."
    )
    worth_minutes: float = setting(
        1.0,
        number(0, 100_000),
        "Minutes that one run of a workflow is worth when it passes.",
        repository=ANY_VALUE,
    )
