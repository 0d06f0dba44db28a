"""The coverage of a repository, from a file that was left in it or from what was just run.

Reported paths are matched with files of the repository.
"""

import stat
from collections.abc import Callable, Collection, Mapping
from pathlib import Path, PurePosixPath

from reverie.errors import UsageError
from reverie.index.coverage_files import (
    MAX_BYTES,
    RawCoverage,
    RawFile,
    read_json,
    read_sqlite,
    read_xml,
)
from reverie.index.statements import statements_of
from reverie.model.repository.candidate import CoverageMap, FileCoverage


class Places:
    """Finds the modules that paths of another machine or folder stand for."""

    def __init__(self, repository: Path, paths: Collection[str], folders: Collection[str]) -> None:
        self._root = PurePosixPath(repository.as_posix())
        self._paths = frozenset(paths)
        self._folders = [PurePosixPath(folder) for folder in folders]
        self._by_tail: dict[tuple[str, ...], set[str]] = {}
        for path in paths:
            parts = PurePosixPath(path).parts
            for start in range(len(parts)):
                self._by_tail.setdefault(parts[start:], set()).add(path)

    def find(self, reported: str) -> str | None:
        """The module's path, when there is one and no other that it could be."""
        path = PurePosixPath(reported.replace("\\", "/"))
        for place in (path, *(folder / path for folder in self._folders)):
            relative = place
            if place.is_relative_to(self._root):
                relative = place.relative_to(self._root)
            if str(relative) in self._paths:
                return str(relative)
        return self._by_name(path.parts)

    def _by_name(self, parts: tuple[str, ...]) -> str | None:
        """By the longest end that a module's path has too; one name alone is no proof."""
        for start in range(len(parts)):
            tail = parts[start:]
            found = self._by_tail.get(tail, set())
            is_whole = len(found) == 1 and len(PurePosixPath(next(iter(found))).parts) == len(tail)
            if found and (len(tail) > 1 or start == 0 or is_whole):
                return next(iter(found)) if len(found) == 1 else None
        return None


NAMES = ("coverage.json", "coverage.xml", ".coverage")
"""Where coverage is looked for, the most telling first."""

_SQLITE_MAGIC = b"SQLite format 3\0"
ReadSource = Callable[[str], bytes | None]


def find_report(repository: Path) -> Path | None:
    """The first coverage file that lies in the repository."""
    return next((repository / name for name in NAMES if (repository / name).is_file()), None)


def read_report(path: Path) -> RawCoverage:
    """What a coverage file says, its kind told by its content."""
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):
            raise UsageError(f"coverage {str(path)!r}: not a file")
        if about.st_size > MAX_BYTES:
            raise UsageError(f"coverage {str(path)!r}: larger than {MAX_BYTES} bytes")
        with open(path, "rb") as stream:
            head = stream.read(256)
        if head.startswith(_SQLITE_MAGIC):
            return read_sqlite(path)
        if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
            return read_xml(path)
        return read_json(path)
    except OSError as error:
        raise UsageError(f"coverage {str(path)!r}: {error.strerror}") from error


def map_coverage(
    raw: RawCoverage,
    source: str,
    repository: Path,
    paths: Collection[str],
    read_source: ReadSource,
) -> CoverageMap:
    """The report, held against the files as they are now."""
    places = Places(repository, paths, raw.folders)
    found: dict[str, RawFile] = {}
    unknown = 0
    for reported, file in raw.files.items():
        path = places.find(reported)
        if path is None or path in found:
            unknown += 1
        else:
            found[path] = file
    files, stale = _judge(found, read_source)
    return CoverageMap(source, files, tuple(stale), unknown)


def _judge(
    found: Mapping[str, RawFile], read_source: ReadSource
) -> tuple[dict[str, FileCoverage], list[str]]:
    files: dict[str, FileCoverage] = {}
    stale = []
    for path, raw in sorted(found.items()):
        content = read_source(path)
        if content is None:
            continue
        last = max((*raw.executed, *(raw.missing or ())), default=0)
        if last > len(content.splitlines()):
            stale.append(path)
        else:
            covered = _complete(raw, content)
            if covered is not None:
                files[path] = covered
    return files, stale


def _complete(raw: RawFile, content: bytes) -> FileCoverage | None:
    """With the lines that were not run, from the source where the report has none."""
    if raw.missing is not None:
        return FileCoverage(raw.executed, raw.missing, raw.branches_covered, raw.branches_total)
    statements = statements_of(content)
    if statements is None:
        return None
    executed: set[int] = set()
    missing: set[int] = set()
    for each in statements:
        was_run = not raw.executed.isdisjoint(range(each.line, each.last_line + 1))
        (executed if was_run else missing).add(each.line)
    return FileCoverage(frozenset(executed), frozenset(missing))
