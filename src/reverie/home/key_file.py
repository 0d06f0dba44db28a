"""The file with the user's private key: made on first use, readable by nobody else."""

import os
import stat

from reverie.errors import UsageError

KEY_FILE = "key.pem"
_MAX_BYTES = 1 << 16


def own_key_bytes(folder: str) -> bytes:
    """What the user's key file holds; made when there is none. `UsageError` where that fails."""
    path = os.path.join(folder, KEY_FILE)
    if not os.path.lexists(path):
        try:
            _make(path)
        except OSError as error:
            raise UsageError(
                f"cannot make your key {path!r}: {error.strerror}; "
                "set XDG_CONFIG_HOME to a folder that you can write"
            ) from error
    return read_key_file(path, private=True)


def read_key_file(path: str, *, private: bool) -> bytes:
    """The content of a key's file; a private one that others can read is refused."""
    try:
        with open(path, "rb") as stream:
            about = os.fstat(stream.fileno())
            if not stat.S_ISREG(about.st_mode):
                raise UsageError(f"{path!r} is no file")
            if private and about.st_mode & 0o077:
                raise UsageError(f"others can read the key {path!r}: chmod 600 it")
            return stream.read(_MAX_BYTES)
    except OSError as error:
        raise UsageError(f"cannot read the key {path!r}: {error.strerror}") from error


def _make(path: str) -> None:
    """Write a new key, whole or not at all; whoever comes second uses the first one's."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    folder, name = os.path.split(path)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    pem = Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    part = os.path.join(folder, f".{name}.{os.getpid()}.{os.urandom(4).hex()}")
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
