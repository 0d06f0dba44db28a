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

    id: str
    name: EventName
    at: str
    repository: str
    cycle_id: str | None
    dream_id: str | None
    data: Mapping[str, Any]

    def document(self) -> dict[str, Any]:
        """As it is written and sent."""
        return {
            "id": self.id,
            "event": str(self.name),
            "at": self.at,
            "repository": self.repository,
            "cycle_id": self.cycle_id,
            "dream_id": self.dream_id,
            "data": dict(self.data),
        }

    @classmethod
    def read(cls, given: object) -> "Event | None":
        """The event that a document is; None for what we never wrote."""
        if not isinstance(given, dict) or not isinstance(given.get("data"), dict):
            return None
        moment, repository = given.get("at"), given.get("repository")
        id, cycle, dream = given.get("id"), given.get("cycle_id"), given.get("dream_id")
        if not (isinstance(id, str) and isinstance(moment, str) and isinstance(repository, str)):
            return None
        if not isinstance(cycle, str | None) or not isinstance(dream, str | None):
            return None
        if given.get("event") not in list(EventName):
            return None
        name = EventName(given["event"])
        return cls(id, name, moment, repository, cycle, dream, given["data"])
