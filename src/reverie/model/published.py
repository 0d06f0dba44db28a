"""Events: what happened, as it is told to files, webhooks and queues.

Texts in `data` may come from the repository: data to show with care, never to trust.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class EventName(StrEnum):
    """What can happen."""

    CYCLE_STARTED = "cycle:started"
    CYCLE_FINISHED = "cycle:finished"
    STEP_FAILED = "step:failed"
    DREAM_REJECTED = "dream:rejected"
    DREAM_HELD = "dream:held"
    APPROVAL_GIVEN = "approval:given"
    PROMOTION_CREATED = "promotion:created"
    PROMOTION_ROLLED_BACK = "promotion:rolled_back"
    CANARY_ROLLED_BACK = "canary:rolled_back"
    ALIGNMENT_FLAG = "alignment:flag"


Publish = Callable[[EventName, Mapping[str, Any]], None]


def unheard(name: EventName, data: Mapping[str, Any]) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened; ids sort by time."""

    KEYS = "id event=name at repository cycle_id dream_id data"

    id: str
    name: EventName
    at: str
    repository: str
    cycle_id: str | None
    dream_id: str | None
    data: Mapping[str, Any]
