"""Tests for modules: search, write, and estimate what they are worth to a maintainer.

from reverie import enrich

for made in enrich(["shop.prices"], repository="."):
    made.written.source        # the test file
    made.branches.after        # how much of the module it covers, with the tests there were
"""

import math
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from reverie.dreamers.enrich.naturalising.front import naturalised
from reverie.dreamers.enrich.naturalising.parameters import everyday_texts
from reverie.dreamers.enrich.noticing.front import notice_survivors
from reverie.dreamers.enrich.search.search import Effort, Findings, Progress, find_scenarios
from reverie.dreamers.enrich.target import Target, find_target
from reverie.dreamers.enrich.worth import Figures, Outline, measure_standing, outline_of
from reverie.dreamers.enrich.writing import Written, write_tests
from reverie.dreamers.enrich.writing.habits import Framework
from reverie.dreamers.enrich.writing.subject import Subject
from reverie.sandbox.engine import Sandbox
from reverie.scoring.keepability import Keepability, Known, files_about, known_of, score_tests

_ASIDE = frozenset({"node_modules", "build", "dist", "__pycache__"})


def known_about(subject: Subject) -> Known:
    """What people have written in a module, beside it, in its tests and on the front page."""
    home = Path(subject.repository or subject.import_root)
    own = os.path.relpath(subject.path, home)
    top = home if subject.repository is not None else home / subject.module.partition(".")[0]
    paths = [os.path.normpath(Path(os.path.relpath(top, home), each)) for each in _paths(top)]
    texts = [(home / each).read_text("utf-8", errors="replace") for each in files_about(own, paths)]
    return known_of(subject.source, texts, everyday_texts())


def liking_of(subject: Subject) -> Callable[[str], dict[str, float]]:
    """Says of the source of a test file how likely a maintainer keeps each of its tests."""
    read = cache(lambda: known_about(subject))

    def found(source: str) -> dict[str, float]:
        scores = score_tests(source, read()) if source else {}
        return {name: each.score for name, each in scores.items()}

    return found


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


_SEARCH_SHARE, _NATURAL_SHARE = 0.36, 0.16
"""Of the budget; the rest is for choosing, writing, and running what was written."""
_MEASURING_SHARE = 0.2
"""Of the budget, where mutants are judged before and after."""
_GRACE_SHARE = 0.2
_GRACE_SECONDS = 14.0
"""Beyond the budget, for what was begun within it; then it is ended."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What an enrichment may spend, and how its tests should look."""

    seconds: float | None = 60.0
    """Wall time for all of it; None where `executions` decides."""
    executions: int | None = None
    """Tries of the search: the same seed and number give the same tests."""
    seed: int = 0
    framework: Framework | None = None
    is_measured: bool = True
    """Whether the mutants are judged before and after, as far as the time goes."""
    workers: int = 2


@dataclass(frozen=True, slots=True)
class Change:
    """A share before and after; None where nobody measured it."""

    before: float | None
    after: float | None


@dataclass(frozen=True, slots=True)
class Enriched:
    """What came of one module."""

    target: Target
    findings: Findings
    written: Written
    lines: Change
    branches: Change
    mutation: Change
    seconds: float
    """Of all of it."""
    notes: tuple[str, ...] = ()


def enrich(
    modules: Sequence[str],
    *,
    repository: str | Path | None = None,
    python: str | None = None,
    wish: Wish = Wish(),  # noqa: B008  frozen
    sandbox: Sandbox | None = None,
    progress: Progress = lambda phase, done, total: None,
) -> Iterator[Enriched]:
    """Tests for each module, not yet on disk. A module is a dotted name, or a path."""
    home = None if repository is None else Path(repository)
    targets = [find_target(each, home, python) for each in modules]
    opened: AbstractContextManager[Sandbox] = Sandbox() if sandbox is None else nullcontext(sandbox)
    with opened as running:
        for target in targets:
            yield enrich_target(running, target, wish, progress)


def enrich_target(
    sandbox: Sandbox,
    target: Target,
    wish: Wish,
    progress: Progress = lambda phase, done, total: None,
) -> Enriched:
    """Tests for one module."""
    began, seconds = time.monotonic(), wish.seconds
    ends_at = None if seconds is None else began + seconds * (1 + _GRACE_SHARE) + _GRACE_SECONDS
    sandbox = sandbox.until(ends_at)
    if seconds is not None and wish.is_measured:
        seconds *= 1 - _MEASURING_SHARE
    effort = Effort(
        seconds=None if seconds is None else seconds * _SEARCH_SHARE,
        tries=wish.executions,
        seed=wish.seed,
        workers=wish.workers,
    )
    spent = None if seconds is None else seconds * _NATURAL_SHARE
    natural = naturalised(
        sandbox,
        target,
        lambda: find_scenarios(sandbox, target, effort, progress),
        spent,
        wish.seed,
    )
    findings = natural.findings
    progress("writing", 0, 0)
    written = write_tests(
        sandbox,
        target,
        natural.findings.scenarios,
        deadline=None if seconds is None else began + seconds,
        command=_command(target, wish),
        framework=wish.framework,
        more=lambda survivors, seconds: notice_survivors(
            sandbox, target, natural, survivors, seconds, wish.seed
        ),
        taste=natural.taste,
        liking=liking_of(target),
    )
    progress("measuring", 0, 0)
    standing = measure_standing(sandbox, target, written, is_measured=wish.is_measured)
    return Enriched(
        target,
        findings,
        written,
        *_coverage(outline_of(target.source), standing),
        mutation=Change(standing.score_before, standing.score_after),
        seconds=time.monotonic() - began,
        notes=(*natural.notes, *written.notes, *standing.notes),
    )


def _command(target: Target, wish: Wish) -> str:
    """What writes the tests anew."""
    effort = f"--executions {wish.executions}"
    if wish.executions is None and wish.seconds is not None:
        effort = f"--budget {math.ceil(wish.seconds)}s"
    return f"reverie enrich {target.module} {effort} --seed {wish.seed}"


def _coverage(outline: Outline, standing: Figures) -> tuple[Change, Change]:
    """Lines and branches; without tests nothing is covered."""
    before = None if standing.before is None else outline.covered(standing.before)
    after = None if standing.after is None else outline.covered(standing.after)
    return (
        Change(before.lines if before else 0.0, after.lines if after else None),
        Change(before.branches if before else 0.0, after.branches if after else None),
    )
