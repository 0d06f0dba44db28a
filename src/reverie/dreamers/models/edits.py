"""A change out of an answer: edits, a diff or a whole file, parsed strictly.

Whatever cannot be understood is a `ModelFailed` with a sentence that its author can act on.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from reverie.dreamers.models.beginnings import merged
from reverie.dreamers.models.writing import PYTHON, read_blocks, read_code
from reverie.errors import ModelFailed
from reverie.model.change import Change, FileEdit
from reverie.syntax.parsing import NOT_PYTHON, parse_module

_MOST_CHARACTERS = 400_000
_MOST_EDITS = 200
_PLAIN = "100644"
_EDIT = re.compile(
    r"^(?P<path>[^\n]+)\n(?:`{3,}[\w+-]*\n)?<{5,9} SEARCH[ \t]*\n"
    r"(?P<old>.*?)(?:(?<=\n)|^)={5,9}[ \t]*\n"
    r"(?P<new>.*?)(?:(?<=\n)|^)>{5,9} REPLACE[ \t]*$",
    re.DOTALL | re.MULTILINE,
)
_TITLE = re.compile(r"^[ \t*#]*TITLE:[ \t]*(?P<title>\S[^\n]*)$", re.MULTILINE)
_HUNK = re.compile(r"^@@ [^\n]*@@[^\n]*\n", re.MULTILINE)
_TITLE_CHARACTERS = 72
_MOST_CUT = 40
"""Lines at the end of an answer that may be incomplete."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a whole file goes that names no path: the module, or a new file of tests."""

    path: str
    before: str | None


@dataclass(frozen=True, slots=True)
class Replacement:
    """One part of one file, in other words."""

    path: str
    old: str
    new: str


def read_change(text: str, files: Mapping[str, bytes], place: Place) -> Change:
    """The change that an answer describes."""
    if len(text) > _MOST_CHARACTERS:
        raise ModelFailed(f"the answer is longer than {_MOST_CHARACTERS} characters")
    wanted = [*_replacements(text), *_from_diffs(text)]
    if not wanted:
        code = merged(_whole_file(text), place.before)
        edits = () if code == place.before else (_edit(place.path, place.before, code),)
        return Change(edits)
    if len(wanted) > _MOST_EDITS:
        raise ModelFailed(f"the answer has {len(wanted)} edits; at most {_MOST_EDITS} are read")
    after: dict[str, str | None] = {}
    for each in wanted:
        _require_inside(each.path)
        now = after[each.path] if each.path in after else _text(files, each.path)
        after[each.path] = _replaced(now, each)
    found = ((path, _text(files, path), new) for path, new in sorted(after.items()))
    return Change(tuple(_edit(path, old, new) for path, old, new in found if old != new))


def _whole_file(text: str) -> str:
    """The longest block of Python that parses: weak models repeat themselves.

    Without any, what stands in a block that was never closed, as far as it parses.
    """
    whole = [each for each in read_blocks(text, PYTHON) if _parses(each)]
    if whole:
        return max(whole, key=len)
    return _salvaged(text) or read_code(text)


def _salvaged(text: str) -> str | None:
    """An answer that was cut off: the statements that are whole."""
    *_, rest = re.split(r"^(?:`{3,}|~{3,})(?:python3?|py)?[ \t]*\n", text, flags=re.MULTILINE)
    lines = rest.splitlines(keepends=True)
    for last in range(len(lines), max(len(lines) - _MOST_CUT, 0), -1):
        code = "".join(lines[:last])
        if _parses(code):
            tree = parse_module(code)
            kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
            return code if any(isinstance(each, kinds) for each in tree.body) else None
    return None


def read_title(text: str) -> str | None:
    """The sentence that an author gives its change: for people, and for no verdict."""
    found = _TITLE.search(text)
    if found is None:
        return None
    line = "".join(each for each in found["title"] if each.isprintable()).strip(" *`.#")
    return line[:_TITLE_CHARACTERS] or None


def _replacements(text: str) -> Iterator[Replacement]:
    for found in _EDIT.finditer(text.replace("\r\n", "\n")):
        path = found["path"].strip().strip("`*#: ")
        yield Replacement(path, found["old"], found["new"])


def _from_diffs(text: str) -> Iterator[Replacement]:
    """The hunks of unified diffs: what a hunk had before is looked for, wherever it stands."""
    whole = text.replace("\r\n", "\n")
    blocks = read_blocks(whole, frozenset({"diff", "patch"}))
    if not blocks and whole.lstrip().startswith(("--- ", "diff --git ")):
        blocks = [whole]
    for block in blocks:
        for part in re.split(r"^(?=--- )", block, flags=re.MULTILINE):
            yield from _hunks(part)


def _hunks(part: str) -> Iterator[Replacement]:
    names = re.match(r"--- (?P<old>[^\n\t]+)[^\n]*\n\+\+\+ (?P<new>[^\n\t]+)[^\n]*\n", part)
    if names is None:
        return
    if names["new"].strip() == "/dev/null":
        raise ModelFailed(f"the answer deletes {names['old'].strip()!r}: nothing is deleted here")
    path = re.sub(r"^b/", "", names["new"].strip())
    for body in _HUNK.split(part[names.end() :])[1:]:
        lines = [
            line for line in body.split("\n") if not line.startswith(("\\", "diff --git", "index "))
        ]
        while lines and not lines[-1]:
            lines.pop()
        old = [line[1:] for line in lines if line[:1] in (" ", "-", "")]
        new = [line[1:] for line in lines if line[:1] in (" ", "+", "")]
        yield Replacement(path, _joined(old), _joined(new))


def _parses(code: str) -> bool:
    try:
        return bool(parse_module(code).body)
    except NOT_PYTHON:
        return False


def _joined(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _replaced(now: str | None, each: Replacement) -> str:
    if now is None:
        if each.old.strip():
            raise ModelFailed(f"there is no file {each.path!r}: a new one has an empty SEARCH part")
        return each.new
    if not each.old.strip():
        raise ModelFailed(f"{each.path!r} is there already: say which part of it is replaced")
    count = now.count(each.old)
    if count != 1:
        found = "does not occur" if not count else f"occurs {count} times"
        first = each.old.strip().partition("\n")[0][:80]
        raise ModelFailed(f"a SEARCH part {found} in {each.path!r}; it begins with: {first}")
    return now.replace(each.old, each.new)


def _require_inside(path: str) -> None:
    parts = path.split("/")
    is_plain = path and "\0" not in path and "\\" not in path and not path.startswith(("/", "~"))
    if not is_plain or any(each in ("", ".", "..", ".git") for each in parts):
        raise ModelFailed(f"{path!r} is no path inside of the repository")


def _text(files: Mapping[str, bytes], path: str) -> str | None:
    content = files.get(path)
    return None if content is None else content.decode("utf-8", "surrogateescape")


def _edit(path: str, before: str | None, after: str | None) -> FileEdit:
    if path.endswith(".py") and after is not None:
        try:
            parse_module(after)
        except NOT_PYTHON as error:
            raise ModelFailed(f"{path} does not parse after the change: {error}") from error
    return FileEdit(path, before, after, None, None if before is None else _PLAIN, _PLAIN)
