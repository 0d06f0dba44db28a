"""How likely a maintainer keeps the tests that were written, by what is known of the module."""

import os
from pathlib import Path

from reverie.dreamers.enrich.writing.subject import Subject
from reverie.scoring.keepability import Keepability, Known, files_about, known_of, score_tests

_ASIDE = frozenset({"node_modules", "build", "dist", "__pycache__"})


def known_about(subject: Subject) -> Known:
    """What people have written in a module, beside it, in its tests and on the front page."""
    home = Path(subject.repository or subject.import_root)
    own = os.path.relpath(subject.path, home)
    paths = _paths(home) if subject.repository is not None else []
    texts = [(home / each).read_text("utf-8", errors="replace") for each in files_about(own, paths)]
    return known_of(subject.source, texts)


def keepability_of(subject: Subject, source: str) -> dict[str, Keepability]:
    """Every test of a written file, the least likely first."""
    scores = score_tests(source, known_about(subject)) if source else {}
    return dict(sorted(scores.items(), key=lambda each: (each[1].score, each[0])))


def _paths(home: Path) -> list[str]:
    found = []
    for place, folders, names in os.walk(home):
        folders[:] = [each for each in folders if each not in _ASIDE and not each.startswith(".")]
        found += [Path(place, name).relative_to(home).as_posix() for name in names]
    return sorted(found)
