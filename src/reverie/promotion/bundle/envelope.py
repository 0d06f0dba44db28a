"""DSSE, the envelope that a statement is signed in (github.com/secure-systems-lab/dsse, v1)."""

import base64
import binascii
from collections.abc import Iterable
from dataclasses import dataclass

from reverie.errors import BundleRefused
from reverie.promotion.bundle.canonical import decode, encode
from reverie.promotion.bundle.keys import PublicKey, SigningKey

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
