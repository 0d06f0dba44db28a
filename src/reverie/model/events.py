"""Events, figures and exchanges with models: what is told to files, webhooks, queues and metrics.

Texts in `data` may come from the repository: data to show with care, never to trust.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
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


_NONE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Observation:
    """A value and its labels."""

    value: float
    labels: Mapping[str, str] = field(default_factory=lambda: _NONE)


class InteractionTag(StrEnum):
    """What an exchange with a model was about."""

    FEEDBACK = "FEEDBACK"
    """A word on what was there before."""
    IMPROVEMENT_PATH = "IMPROVEMENT_PATH"
    """Steps that would make something better."""
    ERROR_FIX = "ERROR_FIX"
    """A fault, or how it was mended."""
    INSIGHT = "INSIGHT"
    """An idea that is tied to no fault; also what nobody gave a tag that is known."""


FEEDBACK = InteractionTag.FEEDBACK
IMPROVEMENT_PATH = InteractionTag.IMPROVEMENT_PATH
ERROR_FIX = InteractionTag.ERROR_FIX
INSIGHT = InteractionTag.INSIGHT


@dataclass(frozen=True, slots=True)
class Interaction:
    """One exchange with a model, without secrets."""

    prompt: str
    response: str
    tags: tuple[InteractionTag, ...]
    at: datetime


def normalised_tags(given: Iterable[str]) -> tuple[InteractionTag, ...]:
    """The known tags among some labels, however they are spelt; never none."""
    spelt = {each.strip().replace("-", "_").replace(" ", "_").upper() for each in given}
    return tuple(tag for tag in InteractionTag if tag in spelt) or (InteractionTag.INSIGHT,)
