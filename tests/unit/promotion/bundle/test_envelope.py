"""DSSE and in-toto as their specifications and other programs have them."""

import base64
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from securesystemslib.dsse import Envelope as PeerEnvelope
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import SSlibKey

from reverie.errors import BundleRefused
from reverie.promotion.bundle.keys import SigningKey
from reverie.promotion.bundle.statement import PAYLOAD_TYPE, open_envelope, pae, seal

KEY = SigningKey(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
OTHER = SigningKey(Ed25519PrivateKey.from_private_bytes(bytes(32)))


def test_what_is_signed_is_what_the_specification_prints() -> None:
    seen = pae("http://example.com/HelloWorld", b"hello world")
    assert seen == b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
    assert pae("é", b"") == b"DSSEv1 2 \xc3\xa9 0 "


def test_the_key_and_signature_of_the_ed25519_standard() -> None:
    """RFC 8032, 7.1, test 2."""
    secret = bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")
    key = SigningKey(Ed25519PrivateKey.from_private_bytes(secret))
    assert key.public.raw.hex().startswith("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968c")
    assert key.sign(b"\x72").hex().startswith("92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8f")


def peer_key(key: SigningKey) -> SSlibKey:
    value = {"public": key.public.raw.hex()}
    return SSlibKey(key.public.fingerprint, "ed25519", "ed25519", value)


def test_another_implementation_accepts_it_and_refuses_another_key() -> None:
    sealed = seal(b'{"_type":"x"}\n', KEY)
    theirs = PeerEnvelope.from_dict(json.loads(sealed))
    accepted = theirs.verify([peer_key(KEY)], 1)
    assert list(accepted) == [KEY.public.fingerprint]
    assert theirs.payload == b'{"_type":"x"}\n'
    with pytest.raises(VerificationError):
        theirs.verify([peer_key(OTHER)], 1)


def test_openssl_accepts_the_signature(tmp_path: Path, needs_program: Callable) -> None:
    needs_program("openssl")
    sealed = json.loads(seal(b"payload", KEY))
    (tmp_path / "key.pub").write_bytes(KEY.public.pem)
    (tmp_path / "sig").write_bytes(base64.b64decode(sealed["signatures"][0]["sig"]))
    (tmp_path / "message").write_bytes(pae(PAYLOAD_TYPE, b"payload"))
    ran = subprocess.run(
        ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", "key.pub", "-rawin",
         "-in", "message", "-sigfile", "sig"],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert "Signature Verified Successfully" in ran.stdout


def test_it_opens_for_its_key_alone() -> None:
    envelope = open_envelope(seal(b"payload", KEY))
    assert envelope.require_signed_by([OTHER.public, KEY.public]) == KEY.public
    with pytest.raises(BundleRefused, match="no signature of the key"):
        envelope.require_signed_by([OTHER.public])


def spelled(**changes: object) -> bytes:
    document = {**json.loads(seal(b"payload", KEY)), **changes}
    return json.dumps(document, sort_keys=True, separators=(",", ":")).encode() + b"\n"


SIGNED = json.loads(seal(b"payload", KEY))["signatures"][0]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}\n",
        b"[]\n",
        b"null\n",
        b"\xff\n",
        b"[" * 100_000,
        seal(b"payload", KEY)[:-9],
        seal(b"payload", KEY) + b"\n",
        seal(b"payload", KEY).replace(b'","', b'", "', 1),
        spelled(extra=1),
        spelled(payload="cGF5bG9hZA"),
        spelled(payload="cGF5bG9hZB=="),
        spelled(payload=7),
        spelled(payloadType="text/plain"),
        spelled(signatures=[]),
        spelled(signatures=[SIGNED, SIGNED]),
        spelled(signatures=[{"sig": SIGNED["sig"]}]),
        spelled(signatures=[{**SIGNED, "keyid": 1}]),
        spelled(signatures=[{**SIGNED, "sig": "!!!!"}]),
    ],
)
def test_any_other_spelling_is_refused(content: bytes) -> None:
    with pytest.raises(BundleRefused):
        open_envelope(content)
