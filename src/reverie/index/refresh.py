"""Bring a remembered index up to date: only what changed is read again."""

import gc
import hashlib
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from reverie.index.discovery import FoundFile, Survey, survey
from reverie.index.encoding import FORMAT, decode_imports, encode_facts, encode_imports
from reverie.index.linking import ReadFile, Surroundings, name_modules
from reverie.index.memory import Memory
from reverie.index.repository import read_found, surroundings
from reverie.index.resolution import Resolver, edges_of
from reverie.index.search import symbols_of
from reverie.model.indexed import FileOutline, FileRecord, IndexTotals, KnownFile, KnownIndex
from reverie.model.outcome import TrustTier
from reverie.model.sections import IndexSection

FRESH_NS = 1_000_000_000
"""A file younger than this may change again without its times telling."""
_BATCH_CHARACTERS = 4 << 20

TierOf = Callable[[str], TrustTier]
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
) -> Refreshed:
    """Read what changed, forget what is gone, and count the whole again if anything did."""
    found = survey(root, section.exclude)
    whole, written_as = memory.known_index(), _format(section)
    known = memory.known_files()
    if whole is None or whole.format != written_as:
        memory.forget_files(tuple(known))
        known, whole = {}, None
    read = _read_changed(found, section, known, memory, progress)
    present = {each.path for each in found.files}
    gone = tuple(path for path in known if path not in present)
    if gone:
        memory.forget_files(gone)
    around = surroundings(root, found, section, tier_of)
    layout = _layout_hash(around)
    if whole is None or read or gone or whole.layout != layout:
        whole = _count(memory, around, written_as, layout)
    tiers = Counter(tier_of(path).value for path in present)
    totals = replace(whole.totals, tiers=dict(sorted(tiers.items())))
    return Refreshed(totals, read, len(gone), memory.errors(), found.notes)


def _read_changed(
    found: Survey,
    section: IndexSection,
    known: Mapping[str, KnownFile],
    memory: Memory,
    progress: Progress | None,
) -> int:
    """Read the files that look changed; how many of them really were."""
    looked = [each for each in found.files if _looks_changed(each, known.get(each.path))]
    batch, characters, count = list[FileRecord](), 0, 0
    touched: dict[str, str] = {}
    with collector_paused():
        for done, each in enumerate(looked):
            if progress is not None:
                progress(done, len(looked))
            signature = _trusted_signature(each)
            read = read_found(each, section, _hash_of(known.get(each.path)))
            if read is None:
                touched[each.path] = signature
                continue
            record = _record(read, signature)
            batch.append(record)
            count += 1
            characters += len(record.facts)
            if characters > _BATCH_CHARACTERS:
                memory.save_files(batch)
                batch, characters = [], 0
    if batch:
        memory.save_files(batch)
    if touched:
        memory.save_signatures(touched)
    return count


@contextmanager
def collector_paused() -> Iterator[None]:
    """Syntax trees have no cycles, and looking for some costs a fifth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _looks_changed(found: FoundFile, known: KnownFile | None) -> bool:
    return known is None or not known.signature or known.signature != found.signature


def _hash_of(known: KnownFile | None) -> str | None:
    return None if known is None else known.content_hash or None


def _trusted_signature(found: FoundFile) -> str:
    """The signature, unless the file is so fresh that it may change without its times telling."""
    return found.signature if found.changed_ns < time.time_ns() - FRESH_NS else ""


def _record(read: ReadFile, signature: str) -> FileRecord:
    said = read.facts
    return FileRecord(
        outline=FileOutline(
            path=read.path,
            loc=said.loc,
            functions=len(said.functions),
            methods=sum(len(each.methods) for each in said.classes),
            classes=len(said.classes),
            error=said.error,
            imports=encode_imports(said),
        ),
        signature=signature,
        content_hash=read.content_hash,
        facts=encode_facts(said),
        symbols=symbols_of(said),
    )


def _count(memory: Memory, around: Surroundings, written_as: str, layout: str) -> KnownIndex:
    """Name all modules, draw all edges, and remember the totals."""
    outlines = {each.path: each for each in memory.outlines()}
    imports = {path: decode_imports(each.imports) for path, each in outlines.items()}
    named = name_modules(imports, around.layout)
    resolver = Resolver(named)
    resolved = (
        (module.name, [resolver.resolve(raw, module) for raw in imports[path]])
        for path, module in named.items()
    )
    edges, checking = edges_of(resolved)
    totals = IndexTotals(
        modules=len(outlines),
        packages=sum(each.is_package for each in named.values()),
        functions=sum(each.functions for each in outlines.values()),
        methods=sum(each.methods for each in outlines.values()),
        classes=sum(each.classes for each in outlines.values()),
        loc=sum(each.loc for each in outlines.values()),
        edges=len(edges),
        type_checking_edges=len(checking),
        errors=sum(each.error is not None for each in outlines.values()),
        tiers={},
    )
    whole = KnownIndex(written_as, layout, totals, time.time_ns() // 1000)
    memory.save_index(whole, {path: each.name for path, each in named.items()})
    return whole


def _format(section: IndexSection) -> str:
    """What facts depend on besides the bytes of a file."""
    return f"{FORMAT}/{sys.version_info[0]}.{sys.version_info[1]}/{section.max_file_mb}"


def _layout_hash(around: Surroundings) -> str:
    """What names and edges depend on besides the facts."""
    parts = repr((around.layout, sorted(around.distributions.items())))
    return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:16]
