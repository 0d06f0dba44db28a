"""The settings of governance: when something is on the border, and when a module is done.

As in `sections`: a frozen dataclass each, every field with its doc line and its bounds.
"""

from dataclasses import dataclass

from reverie.model.governance import MicropilotMode
from reverie.model.permission import ANY_VALUE, HIGHER, INSIDE, LOWER
from reverie.model.setting import choice, flag, number, setting, text, whole


@dataclass(frozen=True, slots=True)
class GovernanceSection:
    """What is safe to promote, what is on the border, and when a module is done."""

    micropilot: MicropilotMode = setting(
        MicropilotMode.QUEUE,
        choice(MicropilotMode),
        "What is done with candidates on the border: a pilot at once, a queue, or nothing.",
    )
    borderline_raroi: float = setting(
        0.0,
        number(-1e6, 1e6),
        "Minutes that a pilot has to show to be promoted.",
        repository=HIGHER,
    )
    borderline_confidence: float = setting(
        0.5, number(0, 1), "Confidence that a pilot has to show to be promoted.", repository=HIGHER
    )
    roi_threshold: float = setting(
        0.0,
        number(-1e6, 1e6),
        "Minutes that every projected cycle has to be worth.",
        repository=HIGHER,
    )
    needs_history: bool = setting(
        False,
        flag(),
        "Whether little confidence in a module's history holds a change that was proven by itself.",
        repository=HIGHER,
    )
    volatility: float = setting(
        1.0,
        number(0, 100),
        "Spread of the steps, in units of the level's, that is volatile.",
        repository=LOWER,
    )
    rules: str | None = setting(
        None,
        text("a path", lambda value: bool(value.strip()) and "\0" not in value),
        "TOML file with the owner's rules, relative to the repository.",
        repository=INSIDE,
    )
    completion_minutes: float = setting(
        2.0,
        number(0, 10_000),
        "Gain per dream, in minutes, that is not worth having.",
        repository=ANY_VALUE,
    )
    plateau: float = setting(
        0.05, number(0, 10), "Step of entropy, in bits, that is none.", repository=ANY_VALUE
    )
    plateau_consecutive: int = setting(
        3, whole(1, 100), "Steps of entropy in a row that make a plateau.", repository=ANY_VALUE
    )
