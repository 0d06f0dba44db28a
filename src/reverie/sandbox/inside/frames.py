"""Frames on the channel between supervisor and execution: length, then JSON."""

import json
import os
import struct
from typing import Any

HEADER = struct.Struct("!I")
NONCE_BYTES = 16


def encode(document: Any) -> bytes:
    """One frame."""
    body = json.dumps(document, separators=(",", ":")).encode()
    return HEADER.pack(len(body)) + body


def read_exactly(descriptor: int, count: int) -> bytes:
    """`count` bytes from a descriptor; EOFError when it ends before."""
    chunks = []
    while count:
        chunk = os.read(descriptor, min(count, 1 << 20))
        if not chunk:
            raise EOFError("the channel was closed")
        chunks.append(chunk)
        count -= len(chunk)
    return b"".join(chunks)


def read(descriptor: int) -> Any:
    """One frame's document. Only for frames of the supervisor, which is trusted."""
    (length,) = HEADER.unpack(read_exactly(descriptor, HEADER.size))
    return json.loads(read_exactly(descriptor, length))


def write_all(descriptor: int, data: bytes) -> None:
    """Write everything, however small the steps."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
