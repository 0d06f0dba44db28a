"""Deeds: what a person does about a dream by hand, signed like an approval."""

from datetime import datetime

from reverie.errors import Refused
from reverie.model.deed import Deed, DeedKind
from reverie.promotion.bundle.keys import SigningKey
from reverie.promotion.bundle.statement import Subject, sign_word
from reverie.promotion.commits import one_line

PREDICATE_TYPES = {kind: f"urn:reverie:{kind}:v1" for kind in DeedKind}
_NAME_CHARACTERS = 80
_WHY_CHARACTERS = 400


def sign_deed(
    kind: DeedKind, dream_id: str, name: str, key: SigningKey, at: datetime, why: str
) -> Deed:
    """What somebody did, under their signature."""
    person, reason = one_line(name, _NAME_CHARACTERS), one_line(why, _WHY_CHARACTERS)
    if not person:
        raise Refused(f"a {kind} needs a name")
    predicate = {"dream": dream_id, "name": person, "why": reason, "created_at": at.isoformat()}
    subject = (Subject("dream", {"reverie": dream_id}),)
    envelope = sign_word(PREDICATE_TYPES[kind], subject, predicate, key).decode("ascii")
    return Deed(kind, dream_id, person, key.public.fingerprint, reason, envelope, at)
