"""What dreams were worth, as the journal tells it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

GROUPS = ("module", "kind", "dreamer", "workflow", "scenario")


@dataclass(frozen=True, slots=True)
class RoiRow:
    """One dream's worth, with where it belongs and what it was expected to be worth."""

    dream_id: str
    minutes: float | None
    predicted: float | None = None
    groups: Mapping[str, str] = field(default_factory=dict)
    """By the names in `GROUPS`."""
    parts: Mapping[str, float] = field(default_factory=dict)
    """Minutes of each part; costs are negative."""
    entropy: float | None = None
    source_hash: str = ""
    """Of the module's own source when it was tried; empty: nobody knows."""
    cycle_id: str = ""
    raroi: float | None = None
