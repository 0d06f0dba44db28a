"""What ruff would write otherwise: its fixes, rule by rule, as spans of the text."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from reverie.instruments.quality.tools import RUFF, Bench, execute_tool

_MOST_FIXES = 5_000


@dataclass(frozen=True, slots=True)
class FixedSpan:
    """New text from one place to another; lines and columns in characters, both from 1."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


@dataclass(frozen=True, slots=True)
class LintFix:
    """One finding with the fix that ruff has for it."""

    rule: str
    message: str
    line: int
    spans: tuple[FixedSpan, ...]
    is_safe: bool
    """Whether ruff itself says that behaviour stays."""


def find_fixes(
    bench: Bench, files: Sequence[Path], rules: Sequence[str], target_version: str | None = None
) -> Mapping[str, tuple[LintFix, ...]]:
    """By file as it was given; nothing where ruff is not there or does not finish."""
    arguments = ["check", "--no-cache", "--isolated", "--output-format=json", "--exit-zero"]
    arguments += [f"--select={','.join(rules)}"]
    if target_version is not None:
        arguments += [f"--target-version={target_version}"]
    if not files or find_spec("ruff") is None:
        return {}
    execution = execute_tool(bench, RUFF, arguments, files)
    if not execution.succeeded:
        return {}
    found: dict[str, list[LintFix]] = {}
    try:
        code, printed, _ = execution.output
        for path, fix in _read(printed) if code == 0 else ():
            found.setdefault(path, []).append(fix)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}
    return {path: tuple(fixes[:_MOST_FIXES]) for path, fixes in found.items()}


def _read(printed: str) -> Iterator[tuple[str, LintFix]]:
    for each in json.loads(printed):
        fix = each["fix"]
        if fix is None or fix["applicability"] not in ("safe", "unsafe"):
            continue
        spans = tuple(_span(edit) for edit in fix["edits"])
        is_safe = fix["applicability"] == "safe"
        line = _whole(each["location"]["row"])
        yield (
            str(each["filename"]),
            LintFix(str(each["code"]), str(each["message"]), line, spans, is_safe),
        )


def _span(edit: dict[str, Any]) -> FixedSpan:
    start, end = edit["location"], edit["end_location"]
    return FixedSpan(
        _whole(start["row"]),
        _whole(start["column"]),
        _whole(end["row"]),
        _whole(end["column"]),
        str(edit["content"]),
    )


def _whole(number: Any) -> int:
    if type(number) is not int or number < 1:
        raise TypeError(f"{number!r} is no position")
    return number
