"""Read a repository from its files alone."""

import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from reverie.index.discovery import FoundFile, Survey, read_file, survey
from reverie.index.linking import ReadFile, Surroundings, is_test_path, link
from reverie.index.naming import layout_of
from reverie.index.projects import read_project
from reverie.index.reading import FileFacts, read_bytes
from reverie.model.code import CodeIndex
from reverie.model.outcome import TrustTier
from reverie.model.sections import IndexSection


def read_repository(
    root: Path, section: IndexSection, tier_of: Callable[[str], TrustTier]
) -> CodeIndex:
    """The index of a repository, read afresh in this process. Nothing of it is imported or run."""
    found = survey(root, section.exclude)
    return link(read_files(found, section), surroundings(root, found, section, tier_of))


def read_files(found: Survey, section: IndexSection) -> Iterator[ReadFile]:
    """Read every file of a survey."""
    for each in found.files:
        yield read_found(each, section)


def read_found(found: FoundFile, section: IndexSection) -> ReadFile:
    """Read one file; whatever is wrong with it is in its facts."""
    if found.problem is not None:
        return ReadFile(found.path, "", FileFacts(0, error=found.problem))
    try:
        raw = read_file(found, section.max_file_mb << 20)
    except OSError as error:
        return ReadFile(found.path, "", FileFacts(0, error=f"cannot be read: {error.strerror}"))
    except ValueError as error:
        return ReadFile(found.path, "", FileFacts(0, error=str(error)))
    digest = hashlib.sha256(raw).hexdigest()
    return ReadFile(found.path, digest, read_bytes(raw, is_test=is_test_path(found.path)))


def surroundings(
    root: Path, found: Survey, section: IndexSection, tier_of: Callable[[str], TrustTier]
) -> Surroundings:
    """What is known of a repository besides its Python files."""
    place = Path(os.path.realpath(root))
    folders = dict.fromkeys((".", *found.projects))
    projects = [read_project(place, folder) for folder in folders]
    return Surroundings(
        repository=str(place),
        layout=layout_of(projects, _enclosing(place), section.roots),
        distributions={each.folder: each.distribution for each in projects if each.distribution},
        tier_of=tier_of,
        notes=found.notes,
    )


def _enclosing(place: Path) -> tuple[str, ...]:
    """The names of the packages that the repository itself is part of, outermost first."""
    names: list[str] = []
    while (place / "__init__.py").is_file() and place.name.isidentifier():
        names.append(place.name)
        place = place.parent
    return tuple(reversed(names))
