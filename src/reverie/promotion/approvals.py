"""Approvals: a person's signature under one proof, and which of them count.

What is signed names the change, the evidence and the rulings by one digest: after another trial,
or with one byte changed, it approves nothing.
"""

import hashlib
from collections.abc import Iterable, Sequence
from datetime import datetime

from reverie.errors import Refused
from reverie.model.approval import Approval, Approver, same_person
from reverie.model.promotion import Proven
from reverie.promotion.bundle.canonical import encode
from reverie.promotion.bundle.documents import documents_of
from reverie.promotion.bundle.keys import PublicKey, SigningKey
from reverie.promotion.bundle.statement import Subject, open_word, sign_word
from reverie.promotion.commits import one_line

PREDICATE_TYPE = "urn:reverie:approval:v1"
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
    envelope = sign_word(PREDICATE_TYPE, _subject(proven), predicate, key).decode("ascii")
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
        is_author = each.keyid in authors or same_person(each.name, proven.dream.dreamer)
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
    if same_person(approval.name, dream.dreamer):
        raise Refused(f"{approval.name!r} dreamt {dream.id}: an author does not approve")
    if any(key.fingerprint == approval.keyid for key in not_by):
        raise Refused("that is the key that seals proofs here: it speaks for their author")
    for each in earlier:
        if each.keyid == approval.keyid:
            raise Refused(f"that key has approved {dream.id} already, as {each.name!r}")
        if same_person(each.name, approval.name):
            raise Refused(f"{each.name!r} has approved {dream.id} already, with another key")
    if approval not in counted(proven, (approval,), not_by, approvers):
        raise Refused(f"{approval.name!r} with that key is not among promotion.approvers")


def _subject(proven: Proven) -> tuple[Subject, ...]:
    return (Subject("proof", {"sha256": proof_digest(proven)}),)


def _is_signed(proven: Proven, approval: Approval) -> bool:
    word = open_word(PREDICATE_TYPE, approval.envelope)
    if word is None or word.keyid != approval.keyid:
        return False
    claims = (word.predicate.get("dream"), word.predicate.get("name"))
    is_about_it = word.subject == _subject(proven) and approval.dream_id == proven.dream.id
    return is_about_it and claims == (proven.dream.id, approval.name)
