"""Bring a remembered index up to date: only what changed is read again.

What reads and what counts is imported when there is something to read or to count: mostly there
is not.
"""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.index.discovery import FoundFile, Surroundings, TierOf, surroundings, survey
from reverie.index.remembering.memory import Memory
from reverie.index.remembering.trail import FRESH_NS, format_of, trail_text
from reverie.model.repository.indexed import IndexTotals, KnownFile
from reverie.model.sections import IndexSection

if TYPE_CHECKING:
    from reverie.index.remembering.rereading import ReadFiles


Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What bringing the index up to date took."""

    totals: IndexTotals
    read: int
    """Files whose content was new."""
    removed: int
    errors: Mapping[str, str]
    """By path."""
    notes: tuple[str, ...]

    @property
    def unchanged(self) -> int:
        """Files that were not read again."""
        return self.totals.modules - self.read


def refresh(
    root: Path,
    section: IndexSection,
    tier_of: TierOf,
    memory: Memory,
    progress: Progress | None = None,
    read_files: "ReadFiles | None" = None,
) -> Refreshed:
    """Read what changed, forget what is gone, and count the whole again if anything did."""
    started_ns = time.time_ns()
    found = survey(root, section.exclude)
    written_as = format_of(section)
    if memory.known_format() != written_as:
        memory.begin(written_as)
    whole, known = memory.known_index(), memory.known_files()
    looked = [each for each in found.files if _looks_changed(each, known.get(each.path))]
    read = 0
    if looked:
        from reverie.index.remembering.rereading import read_changed

        read = read_changed(looked, section, known, memory, progress, read_files)
    present = {each.path for each in found.files}
    gone = tuple(path for path in known if path not in present)
    if gone:
        memory.forget_files(gone)
    around = surroundings(root, found, section, tier_of)
    layout = _layout_text(around)
    if whole is None or read or gone or whole.layout != layout:
        from reverie.index.remembering.encoding import count_whole

        whole = count_whole(memory, around, layout)
    if found.changed_ns < started_ns - FRESH_NS:
        _remember_trail(memory, trail_text(root, section, found.sights))
    tiers = Counter(tier_of(path).value for path in present)
    totals = replace(whole.totals, tiers=dict(sorted(tiers.items())))
    return Refreshed(totals, read, len(gone), memory.errors(), found.notes)


def _looks_changed(found: FoundFile, known: KnownFile | None) -> bool:
    return known is None or not known.signature or known.signature != found.signature


def _remember_trail(memory: Memory, trail: str) -> None:
    if trail != memory.trail():
        memory.save_trail(trail)


def _layout_text(around: Surroundings) -> str:
    """What names and edges depend on besides the facts."""
    return ascii((around.layout, sorted(around.distributions.items())))
