"""Signatures of people: approvals, deeds, overrides, and two under a lowering of the ratchet.

An approval names the change, the evidence and the rulings by one digest: after another trial, or
with one byte changed, it approves nothing. A deed is what a person does about a dream by hand. An
override is against a decision, about one subject, until a date. A lowering is a decision on
record.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from reverie.errors import Refused
from reverie.model.codec import Malformed, pick, read
from reverie.model.cycle import Deed, DeedKind, Proven
from reverie.model.foresight import Override
from reverie.model.ruling import (
    LEAST_APPROVALS,
    Approval,
    Approver,
    Baseline,
    Lowering,
    same_person,
)
from reverie.promotion.bundle.documents import documents_of
from reverie.promotion.bundle.keys import PublicKey, SigningKey
from reverie.promotion.bundle.statement import Subject, encode, open_word, sign_word
from reverie.promotion.commits import one_line

APPROVAL_TYPE = "urn:reverie:approval:v1"
_NAME_CHARACTERS = 80
_WHY_CHARACTERS = 400


def proof_digest(proven: Proven) -> str:
    """sha256 over all that a proof says: what an approval is about."""
    return hashlib.sha256(encode(documents_of(proven, None))).hexdigest()


def approve(proven: Proven, name: str, key: SigningKey, at: datetime, why: str = "") -> Approval:
    """Sign a proof as one person. Whether that counts is for `counted` to say."""
    person = one_line(name, _NAME_CHARACTERS)
    if not person:
        raise Refused("an approval needs a name")
    predicate = {
        "dream": proven.dream.id,
        "name": person,
        "why": one_line(why, _WHY_CHARACTERS),
        "created_at": at.isoformat(),
    }
    envelope = sign_word(APPROVAL_TYPE, _approval_subject(proven), predicate, key).decode("ascii")
    return Approval(proven.dream.id, person, key.public.fingerprint, envelope, at)


def counted(
    proven: Proven,
    approvals: Iterable[Approval],
    not_by: Iterable[PublicKey] = (),
    approvers: Sequence[Approver] = (),
) -> tuple[Approval, ...]:
    """The approvals that count: signed, about this proof, by different people, none its author.

    `not_by`: keys that speak for the author. `approvers`: the only ones who may, if any are named.
    """
    authors = {key.fingerprint for key in not_by}
    found: list[Approval] = []
    for each in approvals:
        is_known = not approvers or any(
            same_person(one.name, each.name) and one.keyid == each.keyid for one in approvers
        )
        is_author = each.keyid in authors or same_person(each.name, proven.dream.author)
        is_new = not any(
            one.keyid == each.keyid or same_person(one.name, each.name) for one in found
        )
        if is_known and not is_author and is_new and _is_signed(proven, each):
            found.append(each)
    return tuple(found)


def require_countable(
    proven: Proven,
    approval: Approval,
    earlier: Sequence[Approval],
    not_by: Sequence[PublicKey],
    approvers: Sequence[Approver],
) -> None:
    """Raise `Refused`, and say why, when an approval would not count beside the earlier ones."""
    dream = proven.dream
    if same_person(approval.name, dream.author):
        raise Refused(f"{approval.name!r} wrote {dream.id}: an author does not approve")
    if any(key.fingerprint == approval.keyid for key in not_by):
        raise Refused("that is the key that seals proofs here: it speaks for their author")
    for each in earlier:
        if each.keyid == approval.keyid:
            raise Refused(f"that key has approved {dream.id} already, as {each.name!r}")
        if same_person(each.name, approval.name):
            raise Refused(f"{each.name!r} has approved {dream.id} already, with another key")
    if approval not in counted(proven, (approval,), not_by, approvers):
        raise Refused(f"{approval.name!r} with that key is not among promotion.approvers")


def _approval_subject(proven: Proven) -> tuple[Subject, ...]:
    return (Subject("proof", {"sha256": proof_digest(proven)}),)


def _is_signed(proven: Proven, approval: Approval) -> bool:
    word = open_word(APPROVAL_TYPE, approval.envelope)
    if word is None or word.keyid != approval.keyid:
        return False
    claims = (word.predicate.get("dream"), word.predicate.get("name"))
    is_about_it = word.subject == _approval_subject(proven) and approval.dream_id == proven.dream.id
    return is_about_it and claims == (proven.dream.id, approval.name)


DEED_TYPES = {kind: f"urn:reverie:{kind}:v1" for kind in DeedKind}


def sign_deed(
    kind: DeedKind, dream_id: str, name: str, key: SigningKey, at: datetime, why: str
) -> Deed:
    """What somebody did, under their signature."""
    person, reason = one_line(name, _NAME_CHARACTERS), one_line(why, _WHY_CHARACTERS)
    if not person:
        raise Refused(f"a {kind} needs a name")
    predicate = {"dream": dream_id, "name": person, "why": reason, "created_at": at.isoformat()}
    subject = (Subject("dream", {"reverie": dream_id}),)
    envelope = sign_word(DEED_TYPES[kind], subject, predicate, key).decode("ascii")
    return Deed(kind, dream_id, person, key.public.fingerprint, reason, envelope, at)


OVERRIDE_TYPE = "urn:reverie:override:v1"


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
    return sign_word(OVERRIDE_TYPE, (), said, key)


def overrides_in_force(
    envelopes: Iterable[bytes], approvers: Sequence[Approver], now: datetime
) -> tuple[Override, ...]:
    """Those that are signed by a person who may, and have not expired. All others are nothing.

    Without anybody named in `approvers` nobody may: an override is stronger than an approval.
    """
    opened = (_opened_override(each, approvers) for each in envelopes)
    return tuple(each for each in opened if each is not None and each.expires_at > now)


def _opened_override(envelope: bytes, approvers: Sequence[Approver]) -> Override | None:
    word = open_word(OVERRIDE_TYPE, envelope)
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


BASELINE_TYPE = "urn:reverie:baseline:v1"


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
        told = _opened_lowering(lowering, record, envelope)
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


def _lowering_subject(lowering: Lowering, record: bytes) -> tuple[Subject, ...]:
    told = pick(lowering, "measure before after decision")
    told["record"] = hashlib.sha256(record).hexdigest()
    return (Subject("baseline", {"sha256": hashlib.sha256(encode(told)).hexdigest()}),)


def _sealed(lowering: Lowering, record: bytes, name: str, key: SigningKey) -> str:
    subject = _lowering_subject(lowering, record)
    return sign_word(BASELINE_TYPE, subject, {"name": name}, key).decode("ascii")


def _opened_lowering(lowering: Lowering, record: bytes, text: str) -> Signed | None:
    word = open_word(BASELINE_TYPE, text)
    if word is None or word.subject != _lowering_subject(lowering, record):
        return None
    name = word.predicate.get("name")
    return Signed(name, word.keyid) if isinstance(name, str) else None
