"""The section of the settings about environments that repositories are run in."""

from dataclasses import dataclass
from enum import StrEnum

from reverie.model.setting import choice, seconds, setting, whole


class Making(StrEnum):
    """Whether environments are made."""

    ASK = "ask"
    ALWAYS = "always"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class EnvironmentSection:
    """How an environment for a repository comes to be, and what its suite must be like."""

    make: Making = setting(
        Making.ASK,
        choice(Making),
        "Whether an environment is made for a repository that has none: `ask` on a terminal, "
        "`always` or `never`. Packages are fetched from the index that pip or uv is set up for.",
    )
    suite_seconds: float = setting(
        300.0,
        seconds(1, 86_400),
        "Longest that the suite may take in a preflight before it is said to hang.",
    )
    most_failing: int = setting(
        5,
        whole(0, 100_000),
        "Tests that may fail on the unchanged code; with more of them nothing is tried.",
    )
