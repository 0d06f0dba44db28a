"""What is known of a repository besides its Python files."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from reverie.index.discovery import Survey
from reverie.index.naming import Layout, layout_of
from reverie.index.paths import packages_around
from reverie.index.projects import read_project
from reverie.model.outcome import TrustTier
from reverie.model.sections import IndexSection

TierOf = Callable[[str], TrustTier]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where imports start, and what files and settings say about paths."""

    repository: str
    layout: Layout
    distributions: Mapping[str, str]
    """Name of the distribution by the folder of its project file."""
    tier_of: TierOf
    notes: tuple[str, ...] = ()


def surroundings(root: Path, found: Survey, section: IndexSection, tier_of: TierOf) -> Surroundings:
    """Read the project files of a repository."""
    place = Path(os.path.realpath(root))
    folders = dict.fromkeys((".", *found.projects))
    projects = [read_project(place, folder) for folder in folders]
    return Surroundings(
        repository=str(place),
        layout=layout_of(projects, packages_around(place), section.roots),
        distributions={each.folder: each.distribution for each in projects if each.distribution},
        tier_of=tier_of,
        notes=found.notes,
    )
