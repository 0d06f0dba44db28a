"""Settings proposed from how a repository looks, each with its reason; and written into TOML.

Values are added to the text of a file, every other byte as it was. Each way of adding is tried on
the text and believed only when the file then says what it said before and the value besides: so
no comment, odd layout or multi-line string can mislead it.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reverie.index.outlook import Outlook

_MODULE_SECONDS = 60
_LEAST_NIGHT_SECONDS = 15 * 60
_LONGEST_NIGHT_SECONDS = 4 * 60 * 60
_NIGHT_STEP_SECONDS = 5 * 60

Value = str | int | float | tuple[str, ...] | Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Proposal:
    """One setting, what it should be here, and why."""

    key: str
    value: Value
    why: str


@dataclass(frozen=True, slots=True)
class Past:
    """What git knows that settings depend on."""

    taken_prefix: bool
    """Whether a branch has the name that ours would start with."""


def propose(outlook: Outlook, past: Past) -> tuple[Proposal, ...]:
    """The settings that depend on the repository; what every repository has alike is no matter."""
    return (
        *_of_code(outlook),
        *_of_tests(outlook),
        *_of_past(past),
        *_of_nights(outlook),
    )


def _of_code(outlook: Outlook) -> Iterator[Proposal]:
    if outlook.roots and not (outlook.is_told and len(outlook.roots) > 1):
        origin = "project files say so" if outlook.is_told else "seen by what the code imports"
        why = f"Imports start here ({origin})."
        yield Proposal("index.roots", outlook.roots, why)
    if outlook.strangers:
        why = "Copied here or generated: what changes there is lost with the next copy."
        yield Proposal("guard.protected", outlook.strangers, why)


def _of_tests(outlook: Outlook) -> Iterator[Proposal]:
    if not outlook.test_roots:
        return
    files = f"{outlook.test_files} file{'s' * (outlook.test_files != 1)} of {outlook.framework}"
    counted = f" ({files})" if outlook.framework else ""
    why = f"The tests{counted}: new ones are written only here; changes of code never touch them."
    yield Proposal("guard.test_roots", outlook.test_roots, why)
    paths = {
        pattern: "testing"
        for each in outlook.test_roots
        for pattern in ([f"{each}/*"] if "/" in each else [f"{each}/*", f"*/{each}/*"])
    }
    why = "Tests may do more than production code before a safety rule objects."
    yield Proposal("safety.paths", paths, why)


def _of_past(past: Past) -> Iterator[Proposal]:
    if past.taken_prefix:
        why = "A branch is called reverie, which leaves no room for reverie/2026-11-15-1."
        yield Proposal("promotion.branch_prefix", "reverie-night", why)


def _of_nights(outlook: Outlook) -> Iterator[Proposal]:
    why = "When a night begins, once `reverie nightly install` was run."
    yield Proposal("nightly.time", "02:00", why)
    wanted = outlook.modules * _MODULE_SECONDS
    wanted += -wanted % _NIGHT_STEP_SECONDS
    seconds = min(max(wanted, _LEAST_NIGHT_SECONDS), _LONGEST_NIGHT_SECONDS)
    counted = f"{outlook.modules} module{'s' * (outlook.modules != 1)}"
    why = f"Seconds of a night: a minute for each of {counted}, within 15 minutes and 4 hours."
    yield Proposal("nightly.budget_seconds", seconds, why)


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
