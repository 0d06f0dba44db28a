"""How likely a maintainer keeps the new tests as they are: read from their text, not run."""

import os
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from reverie.gates.paths import is_test_module, module_of
from reverie.gates.python import imported_names, parse, same
from reverie.model.change import Change
from reverie.scoring.keepability import Keepability, Known, files_about, known_of, score_test
from reverie.scoring.keepability.reading import tests_in
from reverie.trials.measuring import Findings

_MOST_FILES = 60
"""That are read about the modules under test."""
_ASIDE = frozenset({"node_modules", "build", "dist", "__pycache__"})


def note_keeping(found: Findings, change: Change, base: Path, bar: float) -> None:
    """The least score, what all of them lack to one, and the tests below the bar."""
    scores = keepability_of(change, base)
    if scores:
        found.note("tests.keepability", min(each.score for each in scores.values()))
        found.note("tests.rework", sum(1 - each.score for each in scores.values()))
    below = (name for name, each in scores.items() if each.score < bar)
    found.note_names("tests.unkeepable", below)


def keepability_of(change: Change, base: Path) -> dict[str, Keepability]:
    """Every test that a change adds or rewrites, by the id that pytest gives it."""
    paths = sorted(_paths(base))
    scores: dict[str, Keepability] = {}
    for edit in change.edits:
        parsed = parse(edit.path, edit.after)
        if parsed is not None and is_test_module(edit.path):
            before = parse(edit.renamed_from or edit.path, edit.before)
            old = {} if before is None else tests_in(before.text)
            known = _known(imported_names(parsed.tree).values(), paths, base)
            for name, node in tests_in(parsed.text).items():
                if name not in old or not same(old[name], node):
                    place = f"{edit.path}::{name.replace('.', '::')}"
                    scores[place] = score_test(node, parsed.text, known)
    return scores


def _known(origins: Collection[str], paths: Sequence[str], base: Path) -> Known:
    """What is written about the modules that a file of tests imports from."""
    wanted = {each for origin in origins for each in (origin, origin.rpartition(".")[0])}
    own = [
        path
        for path in paths
        if path.endswith(".py") and module_of(path).removesuffix(".__init__") in wanted
    ]
    near = dict.fromkeys(each for path in own for each in files_about(path, paths))
    others = [each for each in near if each not in own]
    return known_of(
        "\n".join(_text(base, each) for each in own),
        [_text(base, each) for each in others[:_MOST_FILES]],
    )


def _text(base: Path, path: str) -> str:
    return (base / path).read_text("utf-8", errors="replace")


def _paths(base: Path) -> Iterator[str]:
    for place, folders, names in os.walk(base):
        folders[:] = [each for each in folders if each not in _ASIDE and not each.startswith(".")]
        yield from (Path(place, name).relative_to(base).as_posix() for name in names)
