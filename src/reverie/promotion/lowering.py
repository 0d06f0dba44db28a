"""Lowering the ratchet: a decision on record, and the signatures of two people under it."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from reverie.errors import BundleRefused, Refused
from reverie.model.approval import LEAST_APPROVALS, Approver, same_person
from reverie.model.baseline import Baseline, Lowering
from reverie.promotion.bundle.canonical import decode, encode
from reverie.promotion.bundle.envelope import open_envelope, seal
from reverie.promotion.bundle.keys import SigningKey, parse_public_key
from reverie.promotion.bundle.statement import STATEMENT_TYPE
from reverie.promotion.commits import one_line

PREDICATE_TYPE = "urn:reverie:baseline:v1"
_NAME_CHARACTERS = 80


@dataclass(frozen=True, slots=True)
class Signed:
    """Who signed, by name and key."""

    name: str
    keyid: str


def lower(
    baseline: Baseline, wanted: Lowering, record: bytes, person: str, key: SigningKey
) -> Baseline:
    """The baseline with one more signature under a lowering; lowered once there are enough.

    `record` is the text of the decision: what is signed names it by its digest.
    """
    name = one_line(person, _NAME_CHARACTERS)
    if not name:
        raise Refused("an approval needs a name")
    if wanted.measure.encode() not in record:
        raise Refused(
            f"{wanted.decision!r} does not name {wanted.measure}: it decides nothing here"
        )
    known = next((each for each in baseline.lowered if _same(each, wanted)), wanted)
    for each in signers(known, record):
        if each.keyid == key.public.fingerprint:
            raise Refused(f"that key has signed already, as {each.name!r}")
        if same_person(each.name, name):
            raise Refused(f"{each.name!r} has signed already, with another key")
    signed = replace(known, approvals=(*known.approvals, _sealed(known, record, name, key)))
    others = tuple(each for each in baseline.lowered if not _same(each, wanted))
    result = replace(baseline, lowered=(*others, signed))
    if len(signers(signed, record)) < LEAST_APPROVALS:
        return result
    return replace(result, measures={**result.measures, wanted.measure: wanted.after})


def signers(
    lowering: Lowering, record: bytes, approvers: Sequence[Approver] = ()
) -> tuple[Signed, ...]:
    """The people whose signature under a lowering is good, each once."""
    found: list[Signed] = []
    for envelope in lowering.approvals:
        told = _opened(lowering, record, envelope)
        if told is None:
            continue
        is_known = not approvers or any(
            same_person(each.name, told.name) and each.keyid == told.keyid for each in approvers
        )
        is_new = not any(
            each.keyid == told.keyid or same_person(each.name, told.name) for each in found
        )
        if is_known and is_new:
            found.append(told)
    return tuple(found)


def _same(one: Lowering, other: Lowering) -> bool:
    return replace(one, approvals=()) == replace(other, approvals=())


def _subject(lowering: Lowering, record: bytes) -> list[dict[str, Any]]:
    told = {**lowering.document(), "record": hashlib.sha256(record).hexdigest()}
    del told["approvals"]
    return [{"name": "baseline", "digest": {"sha256": hashlib.sha256(encode(told)).hexdigest()}}]


def _sealed(lowering: Lowering, record: bytes, name: str, key: SigningKey) -> str:
    statement = {
        "_type": STATEMENT_TYPE,
        "subject": _subject(lowering, record),
        "predicateType": PREDICATE_TYPE,
        "predicate": {"name": name, "key": key.public.pem.decode("ascii")},
    }
    return seal(encode(statement), key).decode("ascii")


def _opened(lowering: Lowering, record: bytes, text: str) -> Signed | None:
    try:
        envelope = open_envelope(text.encode("ascii"))
        told = decode(envelope.payload, "the approval")
        key = parse_public_key(told["predicate"]["key"].encode("ascii"))
        envelope.require_signed_by((key,))
        kinds = (told["_type"], told["predicateType"])
        if kinds != (STATEMENT_TYPE, PREDICATE_TYPE) or told["subject"] != _subject(
            lowering, record
        ):
            return None
        return Signed(str(told["predicate"]["name"]), key.fingerprint)
    except (BundleRefused, KeyError, TypeError, ValueError, AttributeError):
        return None
