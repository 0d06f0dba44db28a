"""Overrides: a person's signature against a decision, about one subject, until a date."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from reverie.errors import BundleRefused, Refused
from reverie.model.approval import Approver, same_person
from reverie.model.governance import DeploymentVerdict, Override
from reverie.promotion.bundle.canonical import decode, encode
from reverie.promotion.bundle.envelope import open_envelope, seal
from reverie.promotion.bundle.keys import SigningKey, parse_public_key
from reverie.promotion.bundle.statement import STATEMENT_TYPE
from reverie.promotion.commits import one_line

PREDICATE_TYPE = "urn:reverie:override:v1"
_NAME_CHARACTERS, _WHY_CHARACTERS = 80, 400


def sign_override(override: Override, key: SigningKey) -> bytes:
    """An override in its envelope, signed by the person."""
    if not one_line(override.name, _NAME_CHARACTERS) or not one_line(override.why, _WHY_CHARACTERS):
        raise Refused("an override needs a name and a reason")
    if override.expires_at.tzinfo is None:
        raise Refused("an override needs an end with a time zone")
    predicate = {
        "subject": override.subject,
        "verdict": str(override.verdict),
        "name": one_line(override.name, _NAME_CHARACTERS),
        "why": one_line(override.why, _WHY_CHARACTERS),
        "expires_at": override.expires_at.isoformat(),
        "key": key.public.pem.decode("ascii"),
    }
    statement = {
        "_type": STATEMENT_TYPE,
        "subject": [],
        "predicateType": PREDICATE_TYPE,
        "predicate": predicate,
    }
    return seal(encode(statement), key)


def overrides_in_force(
    envelopes: Iterable[bytes], approvers: Sequence[Approver], now: datetime
) -> tuple[Override, ...]:
    """Those that are signed by a person who may, and have not expired. All others are nothing.

    Without anybody named in `approvers` nobody may: an override is stronger than an approval.
    """
    opened = (_opened(each, approvers) for each in envelopes)
    return tuple(each for each in opened if each is not None and each.expires_at > now)


def _opened(envelope: bytes, approvers: Sequence[Approver]) -> Override | None:
    try:
        sealed = open_envelope(envelope)
        told = decode(sealed.payload, "the override")
        predicate = told["predicate"]
        key = parse_public_key(predicate["key"].encode("ascii"))
        sealed.require_signed_by((key,))
        if (told["_type"], told["predicateType"]) != (STATEMENT_TYPE, PREDICATE_TYPE):
            return None
        override = Override(
            str(predicate["subject"]),
            DeploymentVerdict(predicate["verdict"]),
            str(predicate["name"]),
            str(predicate["why"]),
            datetime.fromisoformat(predicate["expires_at"]),
        )
    except (BundleRefused, KeyError, TypeError, ValueError, AttributeError):
        return None
    is_known = any(
        same_person(one.name, override.name) and one.keyid == key.fingerprint for one in approvers
    )
    return override if is_known and override.expires_at.tzinfo is not None else None
