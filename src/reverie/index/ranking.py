"""A repository ranked by what a test is worth: from its index, its past and its coverage."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reverie.index import remarks
from reverie.index.candidates import rank
from reverie.index.coverage.raw import RawCoverage
from reverie.index.coverage.report import map_coverage
from reverie.index.exclusions import exclusion_of
from reverie.index.formatting import is_formatting_only
from reverie.index.hotness import Ignored, measure_history, parse_ignored_revisions
from reverie.index.renames import FileCommit, trace_files
from reverie.model.analysis_sections import CandidatesSection
from reverie.model.candidate import ModuleHistory, Ranking
from reverie.model.code import CodeIndex
from reverie.model.commit import BlobPair, History

MAX_SOURCE_BYTES = 16 << 20
ReadPairs = Callable[[Sequence[BlobPair]], Iterator[tuple[BlobPair, bytes, bytes]]]


@dataclass(frozen=True, slots=True)
class Past:
    """What git tells of a repository, and how to read the contents that it speaks of."""

    history: History
    read_pairs: ReadPairs


@dataclass(frozen=True, slots=True)
class FoundCoverage:
    """A coverage report, and where it came from."""

    raw: RawCoverage
    source: str


def rank_repository(
    index: CodeIndex,
    past: Past | None,
    coverage: FoundCoverage | None,
    section: CandidatesSection,
) -> Ranking:
    """Where in a repository a test is worth most."""
    repository = Path(index.repository)
    sources = {each.path: read_source(repository, each.path) for each in index.modules}
    excluded = [
        exclusion_of(each, sources[each.path] or b"", section.exclude) for each in index.modules
    ]
    modules = [each for each, why in zip(index.modules, excluded, strict=True) if why is None]
    paths = [each.path for each in modules]
    histories = None if past is None else histories_of(repository, past, paths, section)
    covered = None
    if coverage is not None:
        covered = map_coverage(coverage.raw, coverage.source, repository, sources, sources.get)
    notes = [] if past is None else remarks.remarks_on_history(past.history, histories)
    notes += remarks.remarks_on_coverage(covered, paths) if paths else [remarks.NO_MODULES]
    lines = {path: len(source.splitlines()) for path, source in sources.items() if source}
    return Ranking(
        candidates=rank(modules, histories, covered, lines),
        excluded=tuple(why for why in excluded if why is not None),
        notes=(*index.notes, *notes),
        head=None if past is None else past.history.head,
    )


def histories_of(
    repository: Path, past: Past, paths: Collection[str], section: CandidatesSection
) -> Mapping[str, ModuleHistory] | None:
    """The history of every path; None when no commit counts for any of them."""
    traced = trace_files(past.history, paths)
    ignored = _ignored(repository, past, traced.values(), section)
    measured = {
        path: measure_history(past.history, entries, section, ignored)
        for path, entries in traced.items()
    }
    return measured if any(each.touches for each in measured.values()) else None


def _ignored(
    repository: Path,
    past: Past,
    traced: Iterable[Sequence[FileCommit]],
    section: CandidatesSection,
) -> Ignored:
    """Commits that the repository wants passed over, and changes that are none."""
    listed = read_source(repository, section.ignore_revs_file) or b""
    commits = parse_ignored_revisions(listed.decode("utf-8", "replace"))
    if not section.ignore_formatting:
        return Ignored(commits)
    touches = (each.touch for entries in traced for each in entries)
    pairs = list(dict.fromkeys(touch.blobs for touch in touches if touch.blobs is not None))
    read = past.read_pairs(pairs)
    return Ignored(
        commits, frozenset(pair for pair, old, new in read if is_formatting_only(old, new))
    )


def read_source(repository: Path, path: str) -> bytes | None:
    """A file of the repository; None when it is none, lies elsewhere or is very large."""
    place = repository / path
    try:
        is_own = place.resolve().is_relative_to(repository.resolve()) and place.is_file()
        return place.read_bytes() if is_own and place.stat().st_size <= MAX_SOURCE_BYTES else None
    except (OSError, ValueError):
        return None
