"""Ed25519 keys: one of the user's own, made on first use; and those of others, to trust."""

import base64
import hashlib
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from reverie.errors import UsageError

KEY_FILE = "key.pem"
TRUSTED_FOLDER = "trusted"
_MAX_BYTES = 1 << 16
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
    """Where the user's keys lie, by the habits of the desktop."""
    given = environ.get("XDG_CONFIG_HOME", "")
    home = environ.get("HOME") or str(Path.home())
    return (Path(given) if os.path.isabs(given) else Path(home) / ".config") / "reverie"


def own_key(folder: Path) -> SigningKey:
    """The user's key; made, readable by nobody else, when there is none."""
    path = folder / KEY_FILE
    if not os.path.lexists(path):
        _make(path)
    return read_signing_key(path)


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
    return parse_signing_key(_content(path, private=True), str(path))


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
        return parse_public_key(_content(path, private=False))
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


def _make(path: Path) -> None:
    """Write a new key, whole or not at all; whoever comes second uses the first one's."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    pem = Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    part = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(pem)
            stream.flush()
            os.fsync(stream.fileno())
        try:
            os.link(part, path)
        except FileExistsError:
            return
    finally:
        os.unlink(part)


def _content(path: Path, *, private: bool) -> bytes:
    try:
        with open(path, "rb") as stream:
            about = os.fstat(stream.fileno())
            if not stat.S_ISREG(about.st_mode):
                raise UsageError(f"{str(path)!r} is no file")
            if private and about.st_mode & 0o077:
                raise UsageError(f"others can read the key {str(path)!r}: chmod 600 it")
            return stream.read(_MAX_BYTES)
    except OSError as error:
        raise UsageError(f"cannot read the key {str(path)!r}: {error.strerror}") from error
