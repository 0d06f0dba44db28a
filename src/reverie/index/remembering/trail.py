"""Whether anything changed since the index was brought up to date: one look per folder and file.

A folder that looks as it did holds the names it held. So what was seen on the way through a
repository is remembered, and seen again without listing a single folder. What reads, names and
counts is not imported for it.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from reverie.index.paths import packages_around

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path
    from typing import AnyStr

    from reverie.index.remembering.memory import Memory
    from reverie.model.sections import IndexSection

FORMAT = "1"
"""Changes whenever the same file would give other facts, or the same facts another text."""

NOTHING = 0
"""What is seen where nothing can be."""
FRESH_NS = 1_000_000_000
"""What is younger than this may change again without its times telling."""


def format_of(section: IndexSection) -> str:
    """What facts depend on besides the bytes of a file."""
    return f"{FORMAT}/{sys.version_info[0]}.{sys.version_info[1]}/{section.max_file_mb}"


def sight(about: os.stat_result) -> int:
    """What changes when a file does, or the names in a folder: nothing changes without this time.

    Made thousands of times per look, so one number instead of a text.
    """
    return about.st_ctime_ns ^ (about.st_ino << 64)


def changed_ns(seen: int) -> int:
    """When what was seen had changed."""
    return seen & (1 << 64) - 1


def look(place: str | bytes) -> int:
    """What is seen at a place now."""
    try:
        return sight(os.stat(place))
    except OSError:
        return NOTHING


def trail_text(root: Path, section: IndexSection, sights: Mapping[str, int]) -> str:
    """A trail as it is remembered, from what was seen at each place."""
    import json

    start = _start(root)
    places = [f"{place}/".removeprefix(start).removesuffix("/") for place in sights]
    return json.dumps([_manner(root, section), places, list(sights.values())])


def remembered_trail(root: Path, section: IndexSection, memory: Memory) -> Mapping[str, int] | None:
    """What was seen at each place, from the root on, if it was seen for such settings."""
    import json

    text = memory.trail()
    if text is None:
        return None
    manner, places, seen = json.loads(text)
    return dict(zip(places, seen, strict=True)) if manner == _manner(root, section) else None


def is_current(root: Path, section: IndexSection, memory: Memory) -> bool:
    """Whether everything looks as it did when the index was last brought up to date."""
    trail = remembered_trail(root, section, memory)
    return trail is not None and looks_alike(_start(root), trail.keys(), [*trail.values()])


def looks_alike(start: AnyStr, places: Iterable[AnyStr], seen: list[int]) -> bool:
    """Whether every place below a folder looks as it did."""
    stat = os.stat
    try:  # written out: thousands of looks, and nobody waits for a search
        now = [(about := stat(start + place)).st_ctime_ns ^ about.st_ino << 64 for place in places]
    except OSError:  # what could not be seen then may be what cannot be seen now
        now = [look(start + place) for place in places]
    return now == seen


def _start(root: Path) -> str:
    return os.path.realpath(root).rstrip("/") + "/"


def _manner(root: Path, section: IndexSection) -> str:
    """What an index depends on besides the files below its root."""
    return ascii((format_of(section), section.exclude, section.roots, packages_around(root)))
