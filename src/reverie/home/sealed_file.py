"""Values kept in files between runs, believed again only with the user's seal on them."""

import gzip
import json
import logging
import os
import threading
import zlib
from pathlib import Path
from typing import Any

from reverie.home.seal import user_seal

_logger = logging.getLogger(__name__)
MOST_BYTES = 256 << 20
"""What one file may unpack to."""
_PACK_LEVEL = 3
_TAG_CHARACTERS = 64


def write_sealed(path: Path, purpose: str, text: str) -> None:
    """Keep a text of JSON in a file, whole or not at all, for one purpose and name."""
    packed = gzip.compress(text.encode(), _PACK_LEVEL)
    tag = user_seal().tag(purpose, path.name.encode(), packed)
    unfinished = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
    unfinished.write_bytes(tag.encode() + b"\n" + packed)
    os.replace(unfinished, path)


def read_sealed(path: Path, purpose: str) -> Any:
    """The value in a file; None: there is none, or somebody else wrote it.

    Nothing is unpacked before the seal was checked, and then no more than `MOST_BYTES`.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            return None
        content = path.read_bytes()
    except OSError:
        return None
    tag, packed = content[:_TAG_CHARACTERS], content[_TAG_CHARACTERS + 1 :]
    said = tag.decode("ascii", "replace")
    if not user_seal().fits(said, purpose, path.name.encode(), packed):
        _logger.warning("%s is not as you left it: it is not believed, and made anew", path)
        return None
    try:
        return json.loads(unpacked(packed, MOST_BYTES))
    except (ValueError, EOFError, zlib.error):
        return None


def unpacked(packed: bytes, most: int) -> bytes:
    """What a gzip stream holds; `ValueError` as soon as it holds more than that."""
    stream = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
    content = stream.decompress(packed, most)
    if stream.unconsumed_tail:
        raise ValueError(f"it unpacks to more than {most} bytes")
    if not stream.eof:
        raise EOFError("it ends too early")
    return content
