"""The in-toto statement of a bundle: every file of it by its digest, and what it is about."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

from reverie.errors import BundleRefused
from reverie.model.codec import Malformed, pick, plain, read
from reverie.model.promotion import Proven
from reverie.promotion.bundle.canonical import decode, encode
from reverie.promotion.bundle.envelope import open_envelope, seal
from reverie.promotion.bundle.keys import SigningKey, parse_public_key

STATEMENT_TYPE: Final = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = "urn:reverie:proof-bundle:v1"
ENVELOPE = "statement.dsse.json"
TREE = "tree"
CLAIMS = "dream=dream.id dream.kind stage dream.title source.revision judgement.verdict"
"""What a statement says of its proof, and has to agree with its files in."""
_PLAIN_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*(\.[a-z0-9_-]+)+")


@dataclass(frozen=True, slots=True)
class Subject:
    """One thing that a statement is about, by its digests."""

    name: str
    digest: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _InToto:
    """A statement as in-toto writes it."""

    KEYS = "_type=type subject predicateType=kind predicate"

    type: Literal["https://in-toto.io/Statement/v1"]
    subject: tuple[Subject, ...]
    kind: str
    predicate: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Statement:
    """What was signed."""

    files: Mapping[str, str]
    """sha256 of each file besides the envelope, by name."""
    predicate: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Word:
    """What a person has signed, checked against the key that it names."""

    subject: tuple[Subject, ...]
    predicate: Mapping[str, Any]
    keyid: str


def statement_of(
    proven: Proven, files: Mapping[str, str], result_tree: str | None, at: datetime, version: str
) -> bytes:
    """The statement as it is signed."""
    subject = [Subject(name, {"sha256": files[name]}) for name in sorted(files)]
    if result_tree is not None:
        subject.append(Subject(TREE, {"gitTree": result_tree}))
    predicate = pick(
        proven,
        CLAIMS,
        created_at=at.isoformat(),
        reverie_version=version,
    )
    return _encoded(PREDICATE_TYPE, subject, predicate)


def sign_word(
    kind: str, subject: Sequence[Subject], predicate: Mapping[str, Any], key: SigningKey
) -> bytes:
    """What a person says, in its envelope, with the key that signs it."""
    named = {**predicate, "key": key.public.pem.decode("ascii")}
    return seal(_encoded(kind, subject, named), key)


def open_word(kind: str, content: str | bytes) -> Word | None:
    """What a person has said; None for another kind of word, and where the signature is bad."""
    text = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    try:
        envelope = open_envelope(text)
        told = read(_InToto, decode(envelope.payload, "the statement"))
        key = parse_public_key(read(str, told.predicate.get("key")).encode("ascii"))
        envelope.require_signed_by((key,))
    except (BundleRefused, ValueError):
        return None
    return Word(told.subject, told.predicate, key.fingerprint) if told.kind == kind else None


def read_statement(payload: bytes) -> Statement:
    """What a signed statement says; `BundleRefused` when it is not one of ours."""
    try:
        told = read(_InToto, decode(payload, "the statement"), "the statement")
        files = {
            each.name: read(str, each.digest.get("sha256"), "the statement: sha256")
            for each in told.subject
            if each.name != TREE
        }
    except Malformed as error:
        raise BundleRefused("malformed", str(error)) from error
    if told.kind != PREDICATE_TYPE:
        raise BundleRefused("malformed", f"the statement is not of type {PREDICATE_TYPE}")
    for name in files:
        if not _PLAIN_NAME.fullmatch(name) or name == ENVELOPE:
            raise BundleRefused("unsafe_name", f"no name of a file in a bundle: {name!r}")
    return Statement(files, told.predicate)


def _encoded(kind: str, subject: Sequence[Subject], predicate: Mapping[str, Any]) -> bytes:
    return encode(plain(_InToto(STATEMENT_TYPE, tuple(subject), kind, predicate)))
