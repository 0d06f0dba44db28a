"""Source as everybody here reads it."""

import io
import tokenize


def read_source(path: str) -> bytes:
    """A file's text as UTF-8 with plain line ends, however it was saved."""
    with open(path, "rb") as file:
        data = file.read()
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    return data.decode(encoding).replace("\r\n", "\n").replace("\r", "\n").encode()
