"""Frames on the channel between supervisor and execution: length, then JSON."""

import json
import os
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

HEADER = struct.Struct("!I")
NONCE_BYTES = 16


_write = os.write  # ours: code that replaces `os.write` still gets its answer through
_encode = json.JSONEncoder(separators=(",", ":")).encode


def encode(document: Any) -> bytes:
    """One frame."""
    body = _encode(document).encode()
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


def encode_request(document: Any) -> bytes:
    """A request's body; integers of any length, for the caller's numbers are not ours to limit."""
    try:
        return _encode(document).encode()
    except ValueError:
        with _any_length():
            return _encode(document).encode()


def request_frame(nonce: bytes, body: bytes) -> bytes:
    """A request as it travels: length, nonce, body."""
    return HEADER.pack(len(body)) + nonce + body


def read_request(descriptor: int) -> "tuple[bytes, Any]":
    """Nonce and document of a request. It comes from the supervisor, which is trusted."""
    head = read_exactly(descriptor, HEADER.size + NONCE_BYTES)
    (length,) = HEADER.unpack(head[: HEADER.size])
    body = read_exactly(descriptor, length)
    try:
        document = json.loads(body)
    except ValueError:
        with _any_length():
            document = json.loads(body)
    return head[HEADER.size :], document


@contextmanager
def _any_length() -> "Iterator[None]":
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(limit)


def write_all(descriptor: int, data: bytes) -> None:
    """Write everything, however small the steps."""
    view = memoryview(data)
    while view:
        view = view[_write(descriptor, view) :]
