"""From bytes to the syntax tree that Python would run, or the reason why there is none."""

import ast
import codecs
import io
import re
import tokenize
import warnings
from dataclasses import dataclass

_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=]", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A syntax tree with the source in UTF-8; without a tree, the reason."""

    source: bytes
    tree: ast.Module | None
    error: str | None = None


def parse(raw: bytes) -> Parsed:
    """Decode and parse the way Python would. Never raises for what the bytes hold."""
    try:
        source = _in_utf8(raw)
    except (SyntaxError, LookupError, ValueError, AssertionError) as problem:
        return Parsed(raw, None, _one_line(problem))
    try:
        return Parsed(source, _parse(source))
    except SyntaxError as problem:
        where = "" if problem.lineno is None else f"line {problem.lineno}: "
        return Parsed(source, None, f"{where}{_one_line(problem.msg)}")
    except (RecursionError, MemoryError):
        return Parsed(source, None, "nested too deeply to be parsed")
    except ValueError as problem:
        return Parsed(source, None, _one_line(problem))


def _parse(source: bytes) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source)


def _in_utf8(raw: bytes) -> bytes:
    """The text in UTF-8 without its mark; what is declared is believed, as Python does."""
    plain = raw.removeprefix(codecs.BOM_UTF8)
    first_lines = b"\n".join(plain[:2000].splitlines()[:2])
    if _COOKIE.search(first_lines) is None:
        return plain
    encoding, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
    if encoding in ("utf-8", "utf-8-sig"):
        return plain
    return _without_cookie(raw.decode(encoding)).encode("utf-8")


def _without_cookie(text: str) -> str:
    """The text with its declaration spoilt, columns kept: it is UTF-8 from now on."""
    lines = text.split("\n", 2)
    shown = [re.sub("coding(?=[:=])", "CODING", line) for line in lines[:2]]
    return "\n".join([*shown, *lines[2:]])


def _one_line(problem: object) -> str:
    return " ".join(str(problem).split())
