"""Seals: whether something that lies in a repository was written by its user, and by nobody else.

A repository may ship files that look like Reverie's own. What is believed later carries a message
authentication code made with the user's key, which no repository knows.
"""

import hashlib
import hmac
import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from reverie.errors import UsageError
from reverie.home.folder import config_folder
from reverie.home.key_file import own_key_bytes

_logger = logging.getLogger(__name__)
_PERSON = b"reverie seal 1"
_TAG_BYTES = 32


@dataclass(frozen=True, slots=True)
class Seal:
    """Makes and checks the codes of one user."""

    key: bytes
    is_lasting: bool = True
    """Whether the next process will know the same key."""

    def tag(self, purpose: str, *parts: bytes) -> str:
        """The code of some content, for one purpose alone."""
        return self._mac(purpose, parts).hexdigest()

    def fits(self, tag: object, purpose: str, *parts: bytes) -> bool:
        """Whether a code was made from this content with this user's key."""
        made = self.tag(purpose, *parts)
        return isinstance(tag, str) and hmac.compare_digest(tag.encode(), made.encode())

    def _mac(self, purpose: str, parts: tuple[bytes, ...]) -> "hashlib.blake2b":
        made = hashlib.blake2b(key=self.key, digest_size=_TAG_BYTES, person=_PERSON)
        for part in (purpose.encode(), *parts):
            made.update(len(part).to_bytes(8, "big"))
            made.update(part)
        return made


def user_seal(environ: Mapping[str, str] | None = None) -> Seal:
    """The user's seal; where no key can be kept, one that is good for this process only."""
    return _seal_of(config_folder(os.environ if environ is None else environ))


def lasting_seal(environ: Mapping[str, str]) -> Seal:
    """The user's seal; `UsageError` where no key can be kept."""
    return Seal(_derived(own_key_bytes(Path(config_folder(environ)))))


@cache
def _seal_of(folder: str) -> Seal:
    try:
        return Seal(_derived(own_key_bytes(Path(folder))))
    except UsageError as error:
        _logger.warning("nothing is kept for the next run: %s", error)
        return Seal(os.urandom(_TAG_BYTES), is_lasting=False)


def _derived(content: bytes) -> bytes:
    """A key for codes out of the file of the key that signs: neither tells about the other."""
    return hashlib.blake2b(content, digest_size=_TAG_BYTES, person=_PERSON).digest()
