"""Tests for modules: search, write, and say what that is worth.

from reverie import enrich

for made in enrich(["shop.prices"], repository="."):
    made.written.source        # the test file
    made.branches.after        # how much of the module it covers, with the tests there were
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from reverie.dreamers.enrich.coverage import Outline, outline_of
from reverie.dreamers.enrich.naturalising.front import naturalised
from reverie.dreamers.enrich.noticing.front import notice_survivors
from reverie.dreamers.enrich.search.search import Effort, Findings, find_scenarios
from reverie.dreamers.enrich.standing import Figures, measure_standing
from reverie.dreamers.enrich.target import Target, find_target
from reverie.dreamers.enrich.writing import Written, write_tests
from reverie.dreamers.enrich.writing.habits import Framework
from reverie.sandbox.engine import Sandbox

Progress = Callable[[str, int, int], None]
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
    spent = f"--budget {wish.seconds:g}s" if wish.executions is None else ""
    tried = f"--executions {wish.executions}" if wish.executions is not None else ""
    return f"reverie enrich {target.module} {spent or tried} --seed {wish.seed}"


def _coverage(outline: Outline, standing: Figures) -> tuple[Change, Change]:
    """Lines and branches; without tests nothing is covered."""
    before = None if standing.before is None else outline.covered(standing.before)
    after = None if standing.after is None else outline.covered(standing.after)
    return (
        Change(before.lines if before else 0.0, after.lines if after else None),
        Change(before.branches if before else 0.0, after.branches if after else None),
    )
