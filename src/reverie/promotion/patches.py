"""A unified diff applied to the files of a tree, in memory: exactly, or not at all."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from reverie.errors import UsageError
from reverie.promotion.revisions import TreeFile

_HUNK = re.compile(rb"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_NOTHING = b"/dev/null"
_NO_NEWLINE = b"\\"


@dataclass(slots=True)
class _FilePatch:
    old: bytes = b""
    new: bytes = b""
    mode: str | None = None
    is_deleted: bool = False
    hunks: list[tuple[int, list[bytes]]] = field(default_factory=list)


def apply_patch(files: Mapping[str, TreeFile], patch: str) -> dict[str, TreeFile]:
    """The files after the diff in a file; `UsageError` when it does not fit."""
    try:
        text = Path(patch).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {patch!r}: {error.strerror}") from error
    after = dict(files)
    patches = list(_parse(text))
    if not patches:
        raise UsageError(f"{patch!r} is no unified diff")
    for each in patches:
        _apply(after, each, patch)
    return after


def _apply(files: dict[str, TreeFile], each: _FilePatch, patch: str) -> None:
    old, new = _name(each.old), _name(each.new)
    known = TreeFile(each.mode or "100644", b"") if old is None else files.get(old)
    if known is None:
        raise UsageError(f"{patch!r} changes {old!r}, which is not there")
    if old is None and new in files:
        raise UsageError(f"{patch!r} makes {new!r}, which is there already")
    content = _patched(known.content, each.hunks, f"{patch!r}: {new or old}")
    if old is not None:
        del files[old]
    if new is not None and not each.is_deleted:
        files[new] = TreeFile(each.mode or known.mode, content)


def _name(written: bytes) -> str | None:
    if written in (_NOTHING, b""):
        return None
    name = written.removeprefix(b"a/") if written.startswith(b"a/") else written.removeprefix(b"b/")
    return name.decode("utf-8", "surrogateescape")


def _parse(text: bytes) -> Iterator[_FilePatch]:
    current: _FilePatch | None = None
    lines = iter(_lines(text))
    for line in lines:
        word = line.rstrip(b"\r\n")
        if word.startswith(b"diff --git "):
            if current is not None:
                yield current
            first, _, second = word.removeprefix(b"diff --git ").partition(b" b/")
            current = _FilePatch(first, b"b/" + second)
        elif word.startswith(b"--- "):
            if current is None or current.hunks:
                if current is not None:
                    yield current
                current = _FilePatch()
            current.old = word.removeprefix(b"--- ").partition(b"\t")[0]
        elif current is not None:
            found = _HUNK.match(word)
            if found:
                current.hunks.append((int(found[1]), list(_hunk(lines, found))))
            elif word.startswith(_NO_NEWLINE) and current.hunks:
                current.hunks[-1][1].append(line)
            else:
                _header(current, word)
    if current is not None:
        yield current


def _lines(text: bytes) -> list[bytes]:
    """As git counts them: a form feed or a lone carriage return ends none."""
    *whole, rest = text.split(b"\n")
    return [line + b"\n" for line in whole] + ([rest] if rest else [])


def _header(current: _FilePatch, word: bytes) -> None:
    if word.startswith(b"+++ "):
        current.new = word.removeprefix(b"+++ ").partition(b"\t")[0]
    elif word.startswith((b"new file mode ", b"new mode ")):
        current.mode = word.rpartition(b" ")[2].decode("ascii")
        if word.startswith(b"new file"):
            current.old = _NOTHING
    elif word.startswith(b"deleted file"):
        current.is_deleted = True
    elif word.startswith(b"rename from "):
        current.old = b"a/" + word.removeprefix(b"rename from ")
    elif word.startswith(b"rename to "):
        current.new = b"b/" + word.removeprefix(b"rename to ")
    elif word.startswith((b"GIT binary", b"Binary files")):
        raise UsageError("the diff has binary files, which nobody can judge")


def _hunk(lines: Iterator[bytes], found: "re.Match[bytes]") -> Iterator[bytes]:
    old, new = int(found[2] or 1), int(found[4] or 1)
    while old > 0 or new > 0:
        line = next(lines, None)
        if line is None:
            raise UsageError("the diff ends in the middle of a hunk")
        if line.startswith(_NO_NEWLINE):
            yield line
            continue
        mark = line[:1]
        old -= mark in (b" ", b"-", b"\n")
        new -= mark in (b" ", b"+", b"\n")
        yield line if mark != b"\n" else b" \n"


def _patched(content: bytes, hunks: list[tuple[int, list[bytes]]], what: str) -> bytes:
    lines = _lines(content)
    result: list[bytes] = []
    position = 0
    for start, body in hunks:
        at = max(start - 1, 0) if any(each[:1] in b" -" for each in body) else start
        result += lines[position:at]
        position = at
        for number, line in enumerate(body):
            if line.startswith(_NO_NEWLINE):
                continue
            is_last = number + 1 < len(body) and body[number + 1].startswith(_NO_NEWLINE)
            wanted = line[1:].rstrip(b"\n") if is_last else line[1:]
            if line[:1] in (b" ", b"-"):
                known = lines[position] if position < len(lines) else b""
                if not known or known.rstrip(b"\r\n") != wanted.rstrip(b"\r\n"):
                    raise UsageError(f"{what}: the diff does not fit at line {position + 1}")
                if line[:1] == b" ":
                    result.append(lines[position])
                position += 1
            else:
                result.append(wanted)
    return b"".join(result + lines[position:])
