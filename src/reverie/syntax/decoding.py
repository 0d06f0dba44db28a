"""From bytes to text, as Python reads a file: a first line may name the encoding."""

import io
import tokenize


def declared_encoding(content: bytes) -> str:
    """The encoding that a source declares; `SyntaxError` where there is none of the name."""
    encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
    return encoding


def decode(content: bytes) -> str:
    """The text of a source; `SyntaxError`, `ValueError` or `LookupError` where it has none."""
    return content.decode(declared_encoding(content))
