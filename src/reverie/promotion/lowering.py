"""Lowering the ratchet: a decision on record, and the signatures of two people under it."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from reverie.errors import Refused
from reverie.model.approval import LEAST_APPROVALS, Approver, same_person
from reverie.model.baseline import Baseline, Lowering
from reverie.model.codec import pick
from reverie.promotion.bundle.canonical import encode
from reverie.promotion.bundle.keys import SigningKey
from reverie.promotion.bundle.statement import Subject, open_word, sign_word
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


def _subject(lowering: Lowering, record: bytes) -> tuple[Subject, ...]:
    told = pick(lowering, "measure before after decision")
    told["record"] = hashlib.sha256(record).hexdigest()
    return (Subject("baseline", {"sha256": hashlib.sha256(encode(told)).hexdigest()}),)


def _sealed(lowering: Lowering, record: bytes, name: str, key: SigningKey) -> str:
    subject = _subject(lowering, record)
    return sign_word(PREDICATE_TYPE, subject, {"name": name}, key).decode("ascii")


def _opened(lowering: Lowering, record: bytes, text: str) -> Signed | None:
    word = open_word(PREDICATE_TYPE, text)
    if word is None or word.subject != _subject(lowering, record):
        return None
    name = word.predicate.get("name")
    return Signed(name, word.keyid) if isinstance(name, str) else None
