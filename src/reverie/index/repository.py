"""Read a repository from its files alone.

The garbage collector is kept out of the way while trees are built and taken apart.
"""

import gc
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reverie.index.discovery import FoundFile, Survey, TierOf, read_file, surroundings, survey
from reverie.index.linking import ReadFile, link
from reverie.index.paths import is_test_path
from reverie.index.reading import FileFacts, read_bytes
from reverie.model.repository.code import CodeIndex
from reverie.model.sections import IndexSection


@contextmanager
def collector_paused() -> Iterator[None]:
    """Syntax trees and facts hold no cycles; looking for some costs a fifth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def read_repository(root: Path, section: IndexSection, tier_of: TierOf) -> CodeIndex:
    """The index of a repository, read afresh in this process. Nothing of it is imported or run."""
    found = survey(root, section.exclude)
    around = surroundings(root, found, section, tier_of)
    with collector_paused():
        return link(_read_files(found, section), around)


def _read_files(found: Survey, section: IndexSection) -> Iterator[ReadFile]:
    for each in found.files:
        read = read_found(each, section)
        if read is not None:
            yield read


def read_found(
    found: FoundFile, section: IndexSection, known_hash: str | None = None
) -> ReadFile | None:
    """Read one file; whatever is wrong with it is in its facts. None: it has the hash known."""
    if found.problem is not None:
        return ReadFile(found.path, "", FileFacts(0, error=found.problem))
    try:
        raw = read_file(found, section.max_file_mb << 20)
    except OSError as error:
        return ReadFile(found.path, "", FileFacts(0, error=f"cannot be read: {error.strerror}"))
    except ValueError as error:
        return ReadFile(found.path, "", FileFacts(0, error=str(error)))
    digest = hashlib.sha256(raw).hexdigest()
    if digest == known_hash:
        return None
    return ReadFile(found.path, digest, read_bytes(raw, is_test=is_test_path(found.path)))
