"""What people owe before a change of stage C is promoted, and what they have said."""

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

LEAST_APPROVALS = 2
"""Nobody's settings go below it."""

_COUNT = re.compile(r"\d+")


class Need(StrEnum):
    """One thing that people owe; its word stands in what a judgement says of it."""

    APPROVALS = "approval"
    DECISION_RECORD = "decision record"
    CANARY_PLAN = "canary plan"
    TESTED_ROLLBACK = "rollback"


def need_of(told: str) -> Need | None:
    """Which need the words of a judgement mean; None when nobody here can settle it."""
    return next((need for need in Need if need in told.lower()), None)


def approvals_of(told: str) -> int:
    """How many approvals those words ask for."""
    found = _COUNT.search(told)
    return max(LEAST_APPROVALS, int(found[0]) if found else LEAST_APPROVALS)


@dataclass(frozen=True, slots=True)
class Approval:
    """One person's word on one proof, signed."""

    dream_id: str
    name: str
    keyid: str
    """Fingerprint of the key that signed."""
    envelope: str
    """What was signed, in its envelope: believed only once it is checked."""
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Approver:
    """Somebody whose approval counts, by name and key."""

    name: str
    keyid: str


def same_person(one: str, two: str) -> bool:
    """Whether two names are the same but for case and blanks."""
    return " ".join(one.casefold().split()) == " ".join(two.casefold().split())
