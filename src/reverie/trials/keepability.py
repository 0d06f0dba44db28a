"""New tests: would a maintainer keep them as they are? Read from their text and the modules'."""

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from reverie.gates.paths import is_test_module, module_of
from reverie.gates.python import imported_names, parse, same
from reverie.inputs.literals import catalogue_texts
from reverie.model.change import Change
from reverie.scoring.keepability import Keepability, Known, files_about, known_of, score_test
from reverie.scoring.keepability.anatomy import tests_in
from reverie.scoring.keepability.subject import Subject, kept_with, subject_of, subjects_in
from reverie.trials.findings import Findings

_MOST_FILES = 60
"""That are read about the modules under test."""
_ASIDE = frozenset({"node_modules", "build", "dist", "__pycache__"})


@dataclass(frozen=True, slots=True)
class Scored:
    """A test as it is written, and as what it is about makes it likely to be kept."""

    keepability: Keepability
    kept: float


def note_keeping(found: Findings, change: Change, base: Path, bar: float) -> None:
    """The least score, what all of them lack to one, and the tests below the bar."""
    tests = scored_tests(change, base)
    scores = {name: each.keepability.score for name, each in tests.items()}
    if scores:
        found.note("tests.keepability", min(scores.values()))
        found.note("tests.kept.mean", fmean(each.kept for each in tests.values()))
        found.note("tests.rework", sum(1 - each for each in scores.values()))
    below = (name for name, each in scores.items() if each < bar)
    found.note_names("tests.unkeepable", below)


def keepability_of(change: Change, base: Path) -> dict[str, Keepability]:
    """Every test that a change adds or rewrites, by the id that pytest gives it."""
    return {name: each.keepability for name, each in scored_tests(change, base).items()}


def scored_tests(change: Change, base: Path) -> dict[str, Scored]:
    """The same with what each is about."""
    paths = sorted(_paths(base))
    scores: dict[str, Scored] = {}
    for edit in change.edits:
        parsed = parse(edit.path, edit.after)
        if parsed is not None and is_test_module(edit.path):
            before = parse(edit.renamed_from or edit.path, edit.before)
            old = {} if before is None else tests_in(before.text)
            known, subjects = _known(imported_names(parsed.tree).values(), paths, base)
            for name, node in tests_in(parsed.text).items():
                if name not in old or not same(old[name], node):
                    place = f"{edit.path}::{name.replace('.', '::')}"
                    score = score_test(node, parsed.text, known)
                    subject = subject_of(name, subjects)
                    facts = {} if subject is None else subject.facts
                    scores[place] = Scored(score, kept_with(score.score, facts))
    return scores


def _known(
    origins: Collection[str], paths: Sequence[str], base: Path
) -> tuple[Known, Mapping[str, Subject]]:
    """What is written about the modules that a file of tests imports from, and their callables."""
    wanted = {each for origin in origins for each in (origin, origin.rpartition(".")[0])}
    own = [
        path
        for path in paths
        if path.endswith(".py") and module_of(path).removesuffix(".__init__") in wanted
    ]
    near = dict.fromkeys(each for path in own for each in files_about(path, paths))
    others = [each for each in near if each not in own]
    sources = [_text(base, each) for each in own]
    known = known_of(
        "\n".join(sources),
        [_text(base, each) for each in others[:_MOST_FILES]],
        catalogue_texts(),
    )
    return known, {name: each for text in sources for name, each in subjects_in(text).items()}


def _text(base: Path, path: str) -> str:
    return (base / path).read_text("utf-8", errors="replace")


def _paths(base: Path) -> Iterator[str]:
    for place, folders, names in os.walk(base):
        folders[:] = [each for each in folders if each not in _ASIDE and not each.startswith(".")]
        yield from (Path(place, name).relative_to(base).as_posix() for name in names)
