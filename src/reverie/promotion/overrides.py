"""Overrides: a person's signature against a decision, about one subject, until a date."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from reverie.errors import Refused
from reverie.model.approval import Approver, same_person
from reverie.model.codec import Malformed, pick, read
from reverie.model.governance import Override
from reverie.promotion.bundle.keys import SigningKey
from reverie.promotion.bundle.statement import open_word, sign_word
from reverie.promotion.commits import one_line

PREDICATE_TYPE = "urn:reverie:override:v1"
_NAME_CHARACTERS, _WHY_CHARACTERS = 80, 400


def sign_override(override: Override, key: SigningKey) -> bytes:
    """An override in its envelope, signed by the person."""
    if not one_line(override.name, _NAME_CHARACTERS) or not one_line(override.why, _WHY_CHARACTERS):
        raise Refused("an override needs a name and a reason")
    if override.expires_at.tzinfo is None:
        raise Refused("an override needs an end with a time zone")
    said = pick(
        override,
        name=one_line(override.name, _NAME_CHARACTERS),
        why=one_line(override.why, _WHY_CHARACTERS),
    )
    return sign_word(PREDICATE_TYPE, (), said, key)


def overrides_in_force(
    envelopes: Iterable[bytes], approvers: Sequence[Approver], now: datetime
) -> tuple[Override, ...]:
    """Those that are signed by a person who may, and have not expired. All others are nothing.

    Without anybody named in `approvers` nobody may: an override is stronger than an approval.
    """
    opened = (_opened(each, approvers) for each in envelopes)
    return tuple(each for each in opened if each is not None and each.expires_at > now)


def _opened(envelope: bytes, approvers: Sequence[Approver]) -> Override | None:
    word = open_word(PREDICATE_TYPE, envelope)
    if word is None:
        return None
    try:
        override = read(Override, word.predicate, loose=True)
    except Malformed:
        return None
    is_known = any(
        same_person(one.name, override.name) and one.keyid == word.keyid for one in approvers
    )
    return override if is_known else None
