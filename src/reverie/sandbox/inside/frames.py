"""Frames on the channel between supervisor and execution: length, then JSON."""

import json
import os
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

HEADER = struct.Struct("!I")
NONCE_BYTES = 16
GO_ON = b"G"
"""The supervisor's word to a new slot, after its look from outside."""


_write = os.write  # ours: code that replaces `os.write` still gets its answer through


def make_encoder(allow_nan: bool) -> "Callable[[Any], str]":
    """What `JSONEncoder.encode` makes anew for each document, made once."""
    make: Any = json.encoder.__dict__["c_make_encoder"]
    refuse, escape = json.JSONEncoder().default, json.encoder.encode_basestring_ascii
    encoder = make(None, refuse, escape, None, ":", ",", False, False, allow_nan)
    join = "".join
    return lambda document: join(encoder(document, 0))


_encode = make_encoder(allow_nan=True)
_decode = json.JSONDecoder().raw_decode  # no look for white space: there is none


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
    head, start = _read_head(descriptor)
    (length,) = HEADER.unpack(head[: HEADER.size])
    body = start + read_exactly(descriptor, length - len(start))
    return head[HEADER.size :], parse(body.decode())


def parse(text: str) -> Any:
    """The document of a request."""
    try:
        return _decode(text)[0]
    except ValueError:
        with _any_length():
            return _decode(text)[0]


def _read_head(descriptor: int) -> "tuple[bytes, bytes]":
    """The head of a request, and as much of the rest as came with it."""
    size = HEADER.size + NONCE_BYTES
    data = os.read(descriptor, 1 << 14)
    if not data:
        raise EOFError("the channel was closed")
    if len(data) < size:
        data += read_exactly(descriptor, size - len(data))
    return data[:size], data[size:]


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
