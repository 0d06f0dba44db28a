"""`coverage.json`: the report that `coverage json` writes."""

import json
from pathlib import Path
from typing import Any

from reverie.errors import UsageError
from reverie.index.coverage.raw import MAX_LINE, RawCoverage, RawFile


def read_json(path: Path) -> RawCoverage:
    """What was run and what was not, by file."""
    try:
        document = json.loads(path.read_bytes())
        files = document["files"]
        return RawCoverage({str(name): _file(about) for name, about in files.items()})
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise UsageError(f"{str(path)!r} is no coverage report: {reason}") from error


def _file(about: Any) -> RawFile:
    summary = about.get("summary", {})
    return RawFile(
        executed=_lines(about["executed_lines"]),
        missing=_lines(about["missing_lines"]),
        branches_covered=_count(summary.get("covered_branches")),
        branches_total=_count(summary.get("num_branches")),
    )


def _lines(numbers: Any) -> frozenset[int]:
    if not isinstance(numbers, list):
        raise TypeError("lines are no list")
    for number in numbers:
        if type(number) is not int or not 0 <= number <= MAX_LINE:
            raise ValueError(f"{number!r} is no line number")
    return frozenset(numbers) - {0}


def _count(number: Any) -> int | None:
    if number is not None and (type(number) is not int or number < 0):
        raise ValueError(f"{number!r} is no number of branches")
    return number
