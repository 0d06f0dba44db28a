"""What was asked of a model and what it answered, filed under what it was about."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


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
