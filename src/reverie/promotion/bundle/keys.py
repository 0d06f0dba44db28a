"""Ed25519 keys: one of the user's own, made on first use; and those of others, to trust."""

import base64
import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from reverie.errors import UsageError
from reverie.home.folder import config_folder as user_folder
from reverie.home.key_file import KEY_FILE, own_key_bytes, read_key_file

TRUSTED_FOLDER = "trusted"
_OPENSSH = b"-----BEGIN OPENSSH PRIVATE KEY-----"


@dataclass(frozen=True, slots=True)
class PublicKey:
    """Whose signature it is."""

    raw: bytes

    @property
    def fingerprint(self) -> str:
        """sha256 over the key in DER form: what a `keyid` is here."""
        return hashlib.sha256(self._der()).hexdigest()

    @property
    def pem(self) -> bytes:
        """The key as openssl and others read it."""
        body = base64.encodebytes(self._der()).replace(b"\n", b"")
        return b"-----BEGIN PUBLIC KEY-----\n" + body + b"\n-----END PUBLIC KEY-----\n"

    def verifies(self, signature: bytes, message: bytes) -> bool:
        """Whether this key signed the message."""
        try:
            Ed25519PublicKey.from_public_bytes(self.raw).verify(signature, message)
        except InvalidSignature:
            return False
        return True

    def _der(self) -> bytes:
        key = Ed25519PublicKey.from_public_bytes(self.raw)
        return key.public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
        )


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A private key, in memory."""

    private: Ed25519PrivateKey

    @property
    def public(self) -> PublicKey:
        """The half that anyone may see."""
        return PublicKey(self.private.public_key().public_bytes_raw())

    def sign(self, message: bytes) -> bytes:
        """The signature of a message."""
        return self.private.sign(message)


def config_folder(environ: Mapping[str, str]) -> Path:
    """Where the user's keys lie."""
    return Path(user_folder(environ))


def own_key(folder: Path) -> SigningKey:
    """The user's key; made, readable by nobody else, when there is none."""
    return parse_signing_key(own_key_bytes(str(folder)), str(folder / KEY_FILE))


def existing_key(folder: Path) -> tuple[PublicKey, ...]:
    """The user's own key, if there is one."""
    own = folder / KEY_FILE
    return (read_signing_key(own).public,) if os.path.lexists(own) else ()


def trusted_keys(folder: Path) -> tuple[PublicKey, ...]:
    """The user's own key, if there is one, and those laid into the folder for trusted ones."""
    others = sorted((folder / TRUSTED_FOLDER).glob("*.pub"))
    return (*existing_key(folder), *(read_public_key(path) for path in others))


def read_signing_key(path: Path) -> SigningKey:
    """A private key in PEM or OpenSSH form, that only its owner can read."""
    return parse_signing_key(read_key_file(str(path), private=True), str(path))


def parse_signing_key(content: bytes, name: str) -> SigningKey:
    """A private key in PEM or OpenSSH form; errors call it by its name."""
    try:
        if content.startswith(_OPENSSH):
            key = serialization.load_ssh_private_key(content, None)
        else:
            key = serialization.load_pem_private_key(content, None)  # type: ignore[assignment]
    except TypeError:
        raise UsageError(f"the key {name!r} is protected by a passphrase") from None
    except (ValueError, UnsupportedAlgorithm) as error:
        raise UsageError(f"{name!r} holds no private key: {error}") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise UsageError(f"the key {name!r} is not an Ed25519 key")
    return SigningKey(key)


def read_public_key(path: Path) -> PublicKey:
    """A public key from a file, in PEM or OpenSSH form."""
    try:
        return parse_public_key(read_key_file(str(path), private=False))
    except ValueError as error:
        raise UsageError(f"{str(path)!r}: {error}") from error


def parse_public_key(content: bytes) -> PublicKey:
    """A public key; `ValueError` when it is none of Ed25519's."""
    try:
        if content.startswith(b"ssh-"):
            key: object = serialization.load_ssh_public_key(content)
        else:
            key = serialization.load_pem_public_key(content)
    except (ValueError, UnsupportedAlgorithm) as error:
        raise ValueError(f"no public key: {error}") from error
    if not isinstance(key, Ed25519PublicKey):
        raise ValueError("not an Ed25519 key")
    return PublicKey(key.public_bytes_raw())
