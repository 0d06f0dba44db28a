"""From bytes to the syntax trees that Python would run.

A file that is longer than `PIECE_BYTES` is parsed piece by piece, cut where a line starts with
a word: a tree takes a hundred times the memory of its source. A cut inside a string or a
bracket leaves a piece that does not parse, and is taken back.
"""

import ast
import codecs
import io
import re
import tokenize
import warnings
from collections.abc import Iterator

PIECE_BYTES = 512 << 10
_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=]", re.MULTILINE)
_STATEMENT = re.compile(rb"^(?!(?:else|elif|except|finally)\b)[A-Za-z_@]", re.MULTILINE)

_ATOM = rb"(?:[-+]?[0-9][\w.]*+|'[^'\\\n]*+'|\"[^\"\\\n]*+\"|None|True|False)"
_ROW = rb"(?:[(\[]\s*+" + _ATOM + rb"(?:\s*+,\s*+" + _ATOM + rb")*+,?+\s*+[)\]])"
_ENTRY = rb"(?:(?:" + _ATOM + rb"\s*+:\s*+)?(?:" + _ATOM + rb"|" + _ROW + rb"))"
_DATA = re.compile(_ENTRY + rb"(?:\s*+,\s*+" + _ENTRY + rb"){999,}+")
"""A thousand literals in a row, or rows of them: data, of which nothing is kept."""


def decoded(raw: bytes) -> bytes:
    """The source in UTF-8, without its mark; what it declares is believed, as Python does.

    `SyntaxError`, `LookupError` or `ValueError` when the bytes are not what they declare.
    """
    plain = raw.removeprefix(codecs.BOM_UTF8)
    first_lines = b"\n".join(plain[:2000].splitlines()[:2])
    if _COOKIE.search(first_lines) is None:
        return plain
    encoding, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
    if encoding in ("utf-8", "utf-8-sig"):
        return plain
    return _without_cookie(raw.decode(encoding)).encode("utf-8")


def thinned(source: bytes) -> bytes:
    """A long source with its tables of data emptied; every line keeps its number."""
    if len(source) <= PIECE_BYTES:
        return source
    return _DATA.sub(lambda run: b"0" + b"\n" * run.group().count(b"\n"), source)


def trees(source: bytes) -> Iterator[ast.Module]:
    """The syntax tree, or those of the pieces; raises what `ast.parse` raises."""
    cuts = _cuts(source)
    first = 0
    while first < len(cuts) - 1:
        tree, first = _longest_needed(source, cuts, first)
        yield tree


def _longest_needed(source: bytes, cuts: list[int], first: int) -> tuple[ast.Module, int]:
    """The tree of the shortest run of pieces that parses, and the piece after it."""
    length = 1
    while True:
        end = min(first + length, len(cuts) - 1)
        is_rest = end == len(cuts) - 1
        try:
            return _parse_piece(source, cuts[first], cuts[end]), end
        except SyntaxError:
            if is_rest:
                raise
            length *= 4


def _parse_piece(source: bytes, start: int, end: int) -> ast.Module:
    before = source.count(b"\n", 0, start)
    piece = source if end - start == len(source) else b"\n" * before + source[start:end]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(piece)


def _cuts(source: bytes) -> list[int]:
    """Where pieces start, and the end."""
    cuts = [0]
    if len(source) > PIECE_BYTES:
        for match in _STATEMENT.finditer(source):
            if match.start() - cuts[-1] > PIECE_BYTES:
                cuts.append(match.start())
    return [*cuts, len(source)]


def _without_cookie(text: str) -> str:
    """The text with its declaration spoilt, columns kept: it is UTF-8 from now on."""
    lines = text.split("\n", 2)
    shown = [re.sub("coding(?=[:=])", "CODING", line) for line in lines[:2]]
    return "\n".join([*shown, *lines[2:]])
