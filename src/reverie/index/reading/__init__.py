"""From the bytes of one file to what can be known from that file alone."""

from reverie.index.reading.facts import FileFacts, RawCall, RawImport
from reverie.index.reading.file import read_bytes

__all__ = ["FileFacts", "RawCall", "RawImport", "read_bytes"]
