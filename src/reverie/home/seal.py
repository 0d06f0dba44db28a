"""Seals: was something that lies in a repository written by its user? And seeds nobody foresees.

A repository may ship files that look like Reverie's own. What is believed later carries a message
authentication code made with the user's key, which no repository knows. A plain question makes one
too, so nothing is imported here that is slow to import.
"""

import os
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from reverie.errors import UsageError
from reverie.home.folder import config_folder
from reverie.home.key_file import own_key_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping
    from hashlib import blake2b
else:
    try:
        from _blake2 import blake2b  # hashlib loads OpenSSL, which takes 60 times as long
    except ImportError:
        from hashlib import blake2b

_PERSON = b"reverie seal 1"
_BYTES = 32


class Seal(NamedTuple):
    """Makes and checks the codes of one user."""

    key: bytes
    is_lasting: bool = True
    """Whether the next process will know the same key."""

    def tag(self, purpose: str, *parts: bytes) -> str:
        """The code of some content, for one purpose alone."""
        made = blake2b(key=self.key, digest_size=_BYTES, person=_PERSON)
        for part in (purpose.encode(), *parts):
            made.update(len(part).to_bytes(8, "big"))
            made.update(part)
        return made.hexdigest()

    def fits(self, tag: object, purpose: str, *parts: bytes) -> bool:
        """Whether a code was made from this content with this user's key."""
        from hmac import compare_digest

        made = self.tag(purpose, *parts)
        return isinstance(tag, str) and compare_digest(tag.encode(), made.encode())


def user_seal(environ: "Mapping[str, str] | None" = None) -> Seal:
    """The user's seal; where no key can be kept, one that is good for this process only."""
    return _seal_of(config_folder(os.environ if environ is None else environ))


@cache
def _seal_of(folder: str) -> Seal:
    try:
        content = own_key_bytes(folder)
    except UsageError as error:
        import logging

        logging.getLogger(__name__).warning("nothing is kept for the next run: %s", error)
        return Seal(os.urandom(_BYTES), is_lasting=False)
    # A key for codes out of the file of the key that signs: neither tells about the other.
    return Seal(blake2b(content, digest_size=_BYTES, person=_PERSON).digest())


_HEX_DIGITS = 7
"""So large that nobody tries them all, and still a seed for everything that wants one."""


def seed_of(*parts: str, seal: Seal | None = None) -> int:
    """The same for the same change and user; never 0, which asks for one."""
    tag = (seal or user_seal()).tag("seed", *(each.encode("utf-8", "replace") for each in parts))
    return int(tag[:_HEX_DIGITS], 16) + 1
