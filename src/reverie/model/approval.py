"""What people owe before a change of stage C is promoted, and what they have said."""

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

LEAST_APPROVALS = 2
"""Nobody's settings go below it."""

_COUNT = re.compile(r"\d+")


class NeedKind(StrEnum):
    """What people can owe; its word stands in what a judgement says of it."""

    APPROVALS = "approval"
    DECISION_RECORD = "decision record"
    CANARY_PLAN = "canary plan"
    TESTED_ROLLBACK = "rollback"
    OTHER = "other"
    """Nobody here can settle it."""


_WORDS = {
    NeedKind.APPROVALS: "{count} approvals by different people, none of them the author",
    NeedKind.DECISION_RECORD: "a decision record (ADR)",
    NeedKind.CANARY_PLAN: "a canary plan",
    NeedKind.TESTED_ROLLBACK: "a tested rollback",
}


@dataclass(frozen=True, slots=True)
class Need:
    """One thing that people owe before a promotion; a sentence in documents."""

    kind: NeedKind
    count: int = 1
    """How many approvals."""
    words: str = ""
    """What was said; empty: the words that go with the kind."""

    def __str__(self) -> str:
        return self.words or _WORDS.get(self.kind, "").format(count=self.count)

    @classmethod
    def from_text(cls, text: str) -> "Need":
        """The need that a document tells of: the only place where its words are read."""
        known = (kind for kind in _WORDS if kind in text.lower())
        kind = next(known, NeedKind.OTHER)
        count = 1
        if kind is NeedKind.APPROVALS:
            found = _COUNT.search(text)
            count = max(LEAST_APPROVALS, int(found[0]) if found else LEAST_APPROVALS)
        usual = cls(kind, count) if kind in _WORDS else None
        return usual if usual is not None and str(usual) == text else cls(kind, count, text)


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
