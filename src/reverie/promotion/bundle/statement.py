"""The signed statement of a bundle: in-toto, in a DSSE envelope, as JSON with one spelling only.

The statement names every file of the bundle by its digest, and what it is about. A value is
always the same bytes, and others are refused. DSSE: github.com/secure-systems-lab/dsse, v1.
"""

import base64
import binascii
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

from reverie.errors import BundleRefused
from reverie.model.codec import Malformed, pick, plain, read
from reverie.model.cycle import Proven
from reverie.promotion.bundle.keys import PublicKey, SigningKey, parse_public_key


def encode(value: object) -> bytes:
    """The one spelling of a value: keys sorted, no blanks, pure ASCII, a newline at the end."""
    text = json.dumps(
        value, allow_nan=False, sort_keys=True, separators=(",", ":"), ensure_ascii=True
    )
    return text.encode("ascii") + b"\n"


def decode(content: bytes, name: str) -> Any:
    """The value that was spelled; `BundleRefused` for any other spelling of it."""
    try:
        value = json.loads(content.decode("ascii"))
        is_canonical = encode(value) == content
    except (ValueError, RecursionError) as error:
        raise BundleRefused("malformed", f"{name} is not JSON as Reverie writes it") from error
    if not is_canonical:
        raise BundleRefused("malformed", f"{name} is not spelled as Reverie spells it")
    return value


def number(value: float) -> float | str:
    """A number as JSON can hold it: one that is not finite is its name."""
    return value if math.isfinite(value) else str(float(value))


PAYLOAD_TYPE = "application/vnd.in-toto+json"


@dataclass(frozen=True, slots=True)
class Envelope:
    """A payload and who signed it, not yet believed."""

    payload: bytes
    keyid: str
    signature: bytes

    def require_signed_by(self, keys: Iterable[PublicKey]) -> PublicKey:
        """The key that signed it; `BundleRefused` when none of those given did."""
        message = pae(PAYLOAD_TYPE, self.payload)
        for key in keys:
            if key.fingerprint == self.keyid and key.verifies(self.signature, message):
                return key
        raise BundleRefused("bad_signature", f"no signature of the key {self.keyid}")


def pae(payload_type: str, payload: bytes) -> bytes:
    """What is signed: type and payload with their lengths, so that neither can pass for more."""
    kind = payload_type.encode("utf-8")
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)


def seal(payload: bytes, key: SigningKey) -> bytes:
    """A payload in its envelope, signed."""
    signature = key.sign(pae(PAYLOAD_TYPE, payload))
    return encode(
        {
            "payload": base64.b64encode(payload).decode("ascii"),
            "payloadType": PAYLOAD_TYPE,
            "signatures": [
                {
                    "keyid": key.public.fingerprint,
                    "sig": base64.b64encode(signature).decode("ascii"),
                }
            ],
        }
    )


def open_envelope(content: bytes) -> Envelope:
    """What an envelope holds; `BundleRefused` when it is spelled in any other way than `seal`'s."""
    document = decode(content, "the envelope")
    try:
        (signed,) = document["signatures"]
        is_plain = set(document) == {"payload", "payloadType", "signatures"}
        if not is_plain or set(signed) != {"keyid", "sig"} or not isinstance(signed["keyid"], str):
            raise ValueError("other keys")
        payload, signature = _bytes(document["payload"]), _bytes(signed["sig"])
    except (KeyError, TypeError, ValueError) as error:
        raise BundleRefused("malformed", "the envelope is no DSSE envelope of ours") from error
    if document["payloadType"] != PAYLOAD_TYPE:
        raise BundleRefused("malformed", "the envelope does not hold an in-toto statement")
    return Envelope(payload, signed["keyid"], signature)


def _bytes(text: str) -> bytes:
    """What base64 spells, in its one spelling."""
    try:
        content = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from error
    if base64.b64encode(content).decode("ascii") != text:
        raise ValueError("not spelled as base64 is")
    return content


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
