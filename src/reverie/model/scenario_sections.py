"""The settings of scenarios: which faults a workflow is stressed with, and for how long."""

from dataclasses import dataclass
from enum import StrEnum

from reverie.model.permission import ANY_VALUE, HIGHER, LOWER
from reverie.model.setting import choice, flag, number, seconds, setting, text, whole


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
