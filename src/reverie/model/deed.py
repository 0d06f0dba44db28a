"""What a person did about a dream by hand, under their signature."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class DeedKind(StrEnum):
    """What was done."""

    REJECTION = "rejection"
    ROLLBACK = "rollback"


@dataclass(frozen=True, slots=True)
class Deed:
    """One person's word, signed."""

    kind: DeedKind
    dream_id: str
    name: str
    keyid: str
    """Fingerprint of the key that signed."""
    why: str
    envelope: str
    """What was signed, in its envelope."""
    created_at: datetime
