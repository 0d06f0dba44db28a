"""Values added to the text of a TOML file, every other byte as it was.

Each way of adding is tried on the text and believed only when the file then says what it said
before and the value besides: so no comment, odd layout or multi-line string can mislead it.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_ROOT = ("tool", "reverie")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_WIDTH = 100


@dataclass(frozen=True, slots=True)
class Line:
    """A value to be added, with the comment above it."""

    key: str
    value: Any
    """As `tomllib` would read it."""
    why: str


@dataclass(frozen=True, slots=True)
class Added:
    """The new text, and the keys that found no place in it."""

    text: str
    left_out: tuple[str, ...]


def add(text: str, lines: Sequence[Line]) -> Added:
    """Add values below `tool.reverie`; none of them may be there already."""
    sections: dict[str, list[Line]] = {}
    for line in lines:
        sections.setdefault(line.key.partition(".")[0], []).append(line)
    left_out: list[str] = []
    for section, its in sections.items():
        added = _added(text, section, its)
        if added is None:
            left_out += [line.key for line in its]
        else:
            text = added
    return Added(text, tuple(left_out))


def _added(text: str, section: str, lines: Sequence[Line]) -> str | None:
    """The text with one section's values in it, by the first way that holds."""
    wanted = _merged(tomllib.loads(text), section, lines)
    return next((each for each in _ways(text, section, lines) if _says(each, wanted)), None)


def _ways(text: str, section: str, lines: Sequence[Line]) -> Iterator[str]:
    """Under the section's own header, in a new table at the end, or below `[tool.reverie]`."""
    end = "\r\n" if "\r\n" in text else "\n"
    short = "".join(_written(line, line.key.partition(".")[2]) for line in lines)
    for place in _after_headers(text, (*_ROOT, section)):
        yield _inserted(text, place, short, end)
    heading = f"[{'.'.join((*_ROOT, section))}]\n"
    gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    yield text + (gap + heading + short).replace("\n", end)
    whole = "".join(_written(line, line.key) for line in lines)
    for place in _after_headers(text, _ROOT):
        yield _inserted(text, place, whole, end)


def _inserted(text: str, place: int, more: str, end: str) -> str:
    lead = "" if text[:place].endswith("\n") else end
    return text[:place] + lead + more.replace("\n", end) + text[place:]


def _after_headers(text: str, names: Sequence[str]) -> Iterator[int]:
    """Where the line after a header begins; some of them may be inside of strings."""
    parts = r"[ \t]*\.[ \t]*".join(rf"(?:{name}|\"{name}\"|'{name}')" for name in names)
    header = rf"^[ \t]*\[[ \t]*{parts}[ \t]*\][ \t]*(?:#[^\n]*)?(?:\r?\n|\Z)"
    return (match.end() for match in re.finditer(header, text, re.MULTILINE))


def _says(text: str, wanted: Mapping[str, Any]) -> bool:
    try:
        return tomllib.loads(text) == wanted
    except (ValueError, RecursionError):
        return False


def _merged(document: dict[str, Any], section: str, lines: Sequence[Line]) -> dict[str, Any]:
    table = document
    for name in (*_ROOT, section):
        table = table.setdefault(name, {})
    for line in lines:
        table[line.key.partition(".")[2]] = line.value
    return document


def _written(line: Line, key: str) -> str:
    return f"# {line.why}\n{key} = {_value(line.value, len(key) + 3)}\n"


def _value(value: Any, column: int) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return _quoted(value)
        case list():
            inner = [_quoted(each) for each in value]
            flat = f"[{', '.join(inner)}]"
            if column + len(flat) <= _WIDTH:
                return flat
            return "[\n" + "".join(f"    {each},\n" for each in inner) + "]"
        case dict():
            pairs = (f"{_key(name)} = {_quoted(each)}" for name, each in value.items())
            return f"{{ {', '.join(pairs)} }}"
    return repr(value)


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _quoted(name)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
