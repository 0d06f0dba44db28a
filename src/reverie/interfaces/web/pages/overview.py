"""The first page: what is ready, what waits, what was found, and how the main branch stands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from reverie.bootstrap.repository import Mainline, mainline_of, still_waiting
from reverie.interfaces.web.charts import SHARES, Point, stacked_bar
from reverie.interfaces.web.desk import desk_of
from reverie.interfaces.web.pages.figures import Figure, figure_of
from reverie.interfaces.web.rendering import url
from reverie.model.cycle import CycleHeader, CycleState, PromotionStatus, Step, StepState
from reverie.model.dream import DreamStatus
from reverie.model.outcome import counted
from reverie.model.repository.environment import SETTLED
from reverie.store import Journal
from reverie.store.browsing.cycles import (
    CycleLine,
    FindingLine,
    browse_cycles,
    browse_findings,
    load_steps,
)
from reverie.store.browsing.people import OfferedLine, offered_lines, waiting_lines
from reverie.store.browsing.series import WIDE_ENOUGH, CommitPoint, load_revisions

_CYCLES, _SHOWN = 8, 6
_REVISION = 8
HELD = (DreamStatus.TESTED, DreamStatus.BORDERLINE)
_DECIDED = (*HELD, DreamStatus.PROMOTED, DreamStatus.REJECTED, DreamStatus.ROLLED_BACK)
_WORKED_ON = (StepState.DONE, StepState.FAILED)
_OVER = (*_WORKED_ON, StepState.SKIPPED)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a running cycle is."""

    over: int
    """Modules that were worked on and need no more work."""
    skipped: int
    all: int
    seconds: float
    seconds_left: float | None
    under_way: tuple[Step, ...]
    """What is being worked on."""


def show(request: Request) -> Response:
    """What a person can do now, and how the repository stands."""
    desk = desk_of(request)
    journal, repository = desk.journal, desk.loaded.repository
    leaf = browse_cycles(journal, repository, rows_wanted=_CYCLES)
    if not leaf.rows:
        told = f"no cycle has run in {repository} yet"
        return desk.answer(request, "empty.html", told=told)
    mainline = mainline_of(repository)
    ready = ready_lines(journal, repository, mainline)
    waiting = still_waiting(journal, repository, waiting_lines(journal, repository).rows)
    findings = open_findings(journal, repository)
    commits = on_mainline(load_revisions(journal, repository), mainline)
    newest = leaf.rows[0]
    return desk.answer(
        request,
        "overview.html",
        newest=newest,
        mainline=mainline,
        headline=_headline(newest, len(ready), len(waiting), len(findings)),
        progress=progress(journal, newest),
        ready=ready,
        waiting=waiting,
        found=findings,
        shown=_SHOWN,
        suite=commits[-1].suite if commits else {},
        trends=[trend(commits, *each) for each in _TRENDS],
        cycles=[(line, counts_of(line.statuses)) for line in leaf.rows],
    )


def ready_lines(journal: Journal, repository: Path, mainline: Mainline) -> list[OfferedLine]:
    """Promoted changes that the branch which is checked out does not have yet."""
    return [
        line
        for line in offered_lines(journal, repository)
        if line.status == PromotionStatus.OFFERED and not mainline.holds(line.commit_id)
    ]


def merged_ids(journal: Journal, repository: Path) -> frozenset[str]:
    """Changes that the branch which is checked out has."""
    mainline = mainline_of(repository)
    lines = offered_lines(journal, repository)
    return frozenset(line.dream_id for line in lines if mainline.holds(line.commit_id))


def open_findings(journal: Journal, repository: Path) -> list[FindingLine]:
    """Findings that nobody has settled, each once, newest first."""
    found: dict[str, FindingLine] = {}
    for each in browse_findings(journal, repository).rows:
        if each.opinion not in SETTLED:
            found.setdefault(each.id, each)
    return list(found.values())


def on_mainline(commits: Sequence[CommitPoint], mainline: Mainline) -> list[CommitPoint]:
    """The measured commits of the branch that is checked out; all of them without git."""
    known = [each for each in commits if mainline.holds(each.revision)]
    return known if mainline.head is not None else list(commits)


_TRENDS = (
    ("line_coverage", "Lines that tests run"),
    ("branch_coverage", "Branches that tests run"),
)


def trend(commits: Sequence[CommitPoint], name: str, title: str) -> Figure:
    """One figure of the branch, commit by commit; without commits of which little was measured."""
    widest = max((len(each.covered) for each in commits), default=0)
    points = [
        commit_point(each, float(value))
        for each in commits
        if len(each.covered) >= WIDE_ENOUGH * widest
        if (value := getattr(each, name)) is not None
    ]
    return figure_of(name, title, SHARES, points, foresees=False)


def commit_point(each: CommitPoint, value: float) -> Point:
    """A figure of a commit: by when it was measured, with its hash beside it."""
    href = url("cycles", each.cycle_id)
    return Point(f"{each.started_at:%d %b %H:%M}", value, href, each.revision[:_REVISION])


def _headline(newest: CycleLine, ready: int, waiting: int, findings: int) -> str:
    """One sentence for somebody who reads nothing else."""
    parts = []
    if ready:
        parts.append(f"{counted(ready, 'change')} ready to merge")
    if waiting:
        parts.append(f"{waiting} waiting for approval")
    if findings:
        parts.append(f"{counted(findings, 'finding')} to judge")
    said = ", ".join(parts)
    if newest.header.state is CycleState.RUNNING:
        return f"A cycle is running; {said or 'nothing new so far'}"
    return (
        said[:1].upper() + said[1:] if said else "Nothing to do: no change and no finding is open"
    )


def cycle_headline(line: CycleLine) -> str:
    """What one cycle came to, in one sentence."""
    counts = counts_of(line.statuses)
    parts = []
    if counts["promoted"]:
        parts.append(f"{counted(counts['promoted'], 'change')} accepted")
    if counts["held"]:
        parts.append(f"{counted(counts['held'], 'change')} waiting for approval")
    if line.findings:
        parts.append(counted(line.findings, "finding"))
    said = ", ".join(parts)
    if line.header.state is CycleState.RUNNING:
        return f"Running: {said or 'nothing found so far'}"
    refused = f": {counts['rejected']} refused" if counts["rejected"] else ""
    return said[:1].upper() + said[1:] if said else f"No change was accepted{refused}"


def counts_of(statuses: Mapping[str, int]) -> Mapping[str, int]:
    """Changes as people ask for them."""
    return {
        "promoted": statuses.get(DreamStatus.PROMOTED, 0),
        "held": sum(statuses.get(status, 0) for status in HELD),
        "rejected": statuses.get(DreamStatus.REJECTED, 0),
        "rolled_back": statuses.get(DreamStatus.ROLLED_BACK, 0),
        "rest": sum(n for status, n in statuses.items() if status not in _DECIDED),
    }


def verdict_bar(statuses: Mapping[str, int]) -> Markup:
    """What became of changes, as one bar."""
    counts = counts_of(statuses)
    return stacked_bar(
        (
            ("good", "accepted", counts["promoted"]),
            ("hold", "waiting", counts["held"]),
            ("bad", "refused or taken back", counts["rejected"] + counts["rolled_back"]),
            ("rest", "not tried", counts["rest"]),
        )
    )


def progress(journal: Journal, line: CycleLine) -> Progress | None:
    """How far a cycle is; None when it does not run."""
    if line.header.state is not CycleState.RUNNING:
        return None
    steps = load_steps(journal, line.header.id)
    spent = max(0.0, (datetime.now(UTC) - line.header.started_at).total_seconds())
    return Progress(
        over=sum(step.state in _WORKED_ON for step in steps),
        skipped=sum(step.state is StepState.SKIPPED for step in steps),
        all=len(steps),
        seconds=spent,
        seconds_left=_left(line.header, spent),
        under_way=tuple(step for step in steps if step.state not in _OVER)[:_SHOWN],
    )


def _left(header: CycleHeader, spent: float) -> float | None:
    budget: Any = header.wishes.budget.seconds
    return None if budget is None else max(0.0, budget - spent)
