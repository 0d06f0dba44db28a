"""From bytes to the syntax tree that Python would run.

A file's first lines may name an encoding under which its bytes are quite another program
than the one an editor shows. Such a file is judged by what would run.
"""

import ast
import re
from dataclasses import dataclass

from reverie.syntax.decoding import declared_encoding
from reverie.syntax.parsing import fresh_module

MAX_BYTES = 2 << 20
_PROBE = bytes(range(32, 127)) + b"\n\t+AGE- \\x61 \\u0061 ~{ &#97; =61 %61"
_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True, slots=True)
class Note:
    """Something about the source as a whole: a word of a `source` or `unjudged` rule."""

    what: str
    line: int
    column: int
    detail: str


@dataclass(frozen=True, slots=True)
class Source:
    """The texts to judge (what a file would run, what a string would), and what is odd."""

    texts: tuple[str, ...]
    notes: tuple[Note, ...]


def read_source(source: str | bytes) -> Source:
    """Decode the way Python would; never raises."""
    raw = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    if len(raw) > MAX_BYTES:
        return Source((), (Note("too-large", 1, 1, f"{len(raw)} bytes, at most {MAX_BYTES}"),))
    try:
        encoding = declared_encoding(raw)
    except SyntaxError as problem:
        if isinstance(source, bytes):
            return Source((), (Note("syntax", 1, 1, str(problem.msg)),))
        encoding = "utf-8"
    plain = _is_plain(encoding)
    notes = [] if plain else [Note("encoding", 1, 1, f"the file declares {encoding!r}")]
    texts = [source.removeprefix("\ufeff")] if isinstance(source, str) else []
    if not plain or isinstance(source, bytes):
        decoded = _decode(raw, encoding)
        if decoded is None:
            notes.append(Note("syntax", 1, 1, f"the bytes are not {encoding}"))
        else:
            texts.append(decoded)
    notes += [note for text in texts[:1] for note in _find_bidi(text)]
    return Source(tuple(dict.fromkeys(texts)), tuple(notes))


def _is_plain(encoding: str) -> bool:
    """Whether ASCII stays what it looks like under the encoding."""
    try:
        return _PROBE.decode(encoding) == _PROBE.decode("ascii")
    except (LookupError, ValueError, AssertionError):
        return False


def _decode(raw: bytes, encoding: str) -> str | None:
    try:
        return raw.decode(encoding)
    except (LookupError, ValueError, AssertionError):
        return None


def _find_bidi(text: str) -> list[Note]:
    found = _BIDI.search(text)
    if found is None:
        return []
    line = text.count("\n", 0, found.start()) + 1
    column = found.start() - (text.rfind("\n", 0, found.start()) + 1) + 1
    return [Note("bidi", line, column, f"U+{ord(found.group()):04X}")]


def parse(text: str) -> ast.Module | None:
    """The syntax tree, or None."""
    tree = parse_or_note(text)
    return tree if isinstance(tree, ast.Module) else None


def parse_or_note(text: str) -> ast.Module | Note:
    """The syntax tree, or why there is none."""
    try:
        return fresh_module(text)
    except SyntaxError as problem:
        line = max(problem.lineno or 1, 1)
        return Note("syntax", line, max(problem.offset or 1, 1), str(problem.msg))
    except ValueError as problem:
        return Note("syntax", 1, 1, str(problem))
    except (RecursionError, MemoryError):
        return Note("too-complex", 1, 1, "nested too deeply to be parsed")
