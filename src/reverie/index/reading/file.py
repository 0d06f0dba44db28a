"""Everything that one file says, from its bytes to the trees that Python would run.

A file that is longer than `PIECE_BYTES` is parsed piece by piece, cut where a line starts with
a word: a tree takes a hundred times the memory of its source. A cut inside a string or a
bracket leaves a piece that does not parse, and is taken back.
"""

import ast
import codecs
import re
from collections.abc import Iterator

from reverie.index.reading.calls import is_own
from reverie.index.reading.facts import FileFacts, RawCall, SourceLines
from reverie.index.reading.statements import StatementReader
from reverie.syntax.decoding import declared_encoding
from reverie.syntax.parsing import fresh_quietly

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
    encoding = declared_encoding(raw)
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
    return fresh_quietly(piece)


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


def read_bytes(raw: bytes, *, is_test: bool = False) -> FileFacts:
    """The facts of a file. One that does not parse has its error in them; nothing is raised."""
    source = raw
    try:
        source = decoded(raw)
        return _read(source, is_test)
    except SyntaxError as problem:
        where = "" if problem.lineno is None else f"line {problem.lineno}: "
        error = where + str(problem.msg)
    except (RecursionError, MemoryError):
        error = "nested too deeply to be parsed"
    except (LookupError, ValueError, AssertionError) as problem:
        error = str(problem)  # not the encoding it declares, or bytes that no source has
    return FileFacts(SourceLines(source).loc, error=" ".join(error.split()))


def _read(source: bytes, is_test: bool) -> FileFacts:
    lines = SourceLines(thinned(source))
    reader = StatementReader(lines, keeps_literals=is_test)
    calls: list[RawCall] = []
    docstring = None
    for number, tree in enumerate(trees(lines.source)):
        if number == 0:
            docstring = reader.read_docstring(tree.body)
        reader.read(tree.body)
        calls += reader.take_calls()
    declared = reader.declared
    bound = {each.bound.partition(".")[0] for each in reader.imports} | set(reader.names)
    return FileFacts(
        loc=lines.loc,
        docstring=docstring,
        functions=tuple(reader.functions),
        classes=tuple(reader.classes),
        imports=tuple(reader.imports),
        calls=(*(each for each in calls if is_own(each, bound)), *reader.doctest_calls),
        literals=tuple(reader.scanner.literals),
        strings=tuple(reader.scanner.strings),
        names=tuple(reader.names),
        declared=None if declared.names is None else tuple(dict.fromkeys(declared.names)),
        declared_from=tuple(declared.taken_from),
        has_main_block=reader.has_main_block,
    )
