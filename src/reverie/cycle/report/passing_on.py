"""A report as it is passed on to others: without the places of one person's machine.

Paths are the repository's, its interpreter goes by its version, and the home of whoever writes the
page is `~`. Differences stay as they are: they are the repository's own text.
"""

import os
import re
from collections.abc import Callable, Mapping
from typing import Any

from reverie.cycle.report.document import Document

_AS_IT_IS = frozenset({"diff"})


def passed_on(document: Mapping[str, Any]) -> Document:
    """The same document for the eyes of others; paths in it start from the repository."""
    around = document["environment"]
    version = f"Python {around.get('python_version') or ''}".rstrip()
    places = [
        (str(around.get("python") or ""), version, version),
        (str(document["repository"]), ".", ""),
        (os.path.expanduser("~"), "~", "~/"),
    ]
    rules = [(_at(place), itself, below) for place, itself, below in places if place.count("/") > 1]

    def told(text: str) -> str:
        for pattern, itself, below in rules:
            text = pattern.sub(_instead(itself, below), text)
        return text

    shared: Document = _walked(dict(document), told)
    return {**shared, "repository": os.path.basename(str(document["repository"]))}


def _at(place: str) -> re.Pattern[str]:
    """A place that is named whole: what only begins or ends like it is another one."""
    return re.compile(rf"(?<![\w.~/-]){re.escape(place)}(?:(/)(?=[\w.])|/?(?![\w/-]|\.\w))")


def _instead(itself: str, below: str) -> Callable[[re.Match[str]], str]:
    return lambda found: below if found[1] else itself


def _walked(value: Any, told: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return told(value)
    if isinstance(value, Mapping):
        return {
            name: inner if name in _AS_IT_IS else _walked(inner, told)
            for name, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [_walked(inner, told) for inner in value]
    return value
