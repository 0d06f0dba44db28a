"""What happened last night, at a glance."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from reverie.interfaces.web.charts import spark, stacked_bar
from reverie.interfaces.web.desk import desk_of
from reverie.model.cycle import CycleState
from reverie.model.dream import DreamStatus
from reverie.model.words import counted
from reverie.store import Journal
from reverie.store.browsing.cycles import CycleLine, browse_cycles, load_sightings, load_steps
from reverie.store.browsing.dreams import DreamFilter, DreamLine, list_dreams
from reverie.store.browsing.people import waiting_lines
from reverie.store.browsing.series import CyclePoint, latest_health, load_series, measured_alike

_CYCLES, _SHOWN, _TREND = 20, 6, 30
_NIGHT = timedelta(hours=16)
"""Cycles that began so shortly before the newest one belong to the same night."""
HELD = (DreamStatus.TESTED, DreamStatus.BORDERLINE, DreamStatus.PENDING_TEST)


@dataclass(frozen=True, slots=True)
class Trend:
    """One figure over the last cycles."""

    title: str
    now: float | None
    before: float | None
    unit: str
    plot: Markup


def show(request: Request) -> Response:
    """The newest cycle, what it came to, and what waits for somebody."""
    desk = desk_of(request)
    journal, repository = desk.journal, desk.loaded.repository
    leaf = browse_cycles(journal, repository, rows_wanted=_CYCLES)
    if not leaf.rows:
        told = f"no cycle has run in {repository} yet"
        return desk.answer(request, "empty.html", told=told)
    night = _of_one_night(leaf.rows)
    series = load_series(journal, repository, _TREND)
    return desk.answer(
        request,
        "night.html",
        newest=leaf.rows[0],
        night=night,
        headline=headline(night),
        counts=counts_of(_together(night)),
        findings=sum(line.findings for line in night),
        executions=sum(line.header.executions for line in night),
        seconds=sum(line.header.seconds for line in night),
        steps=progress(journal, leaf.rows[0]),
        worth=_worth(series, night),
        trends=_trends(series),
        health=latest_health(journal),
        cycles=[(line, verdict_bar(line.statuses)) for line in leaf.rows],
        promoted=_promoted(journal, repository, night),
        waiting=waiting_lines(journal, repository, rows_wanted=_SHOWN).rows,
        found=[
            (line.header.id, each)
            for line in night
            if line.findings
            for each in load_sightings(journal, line.header.id, _SHOWN)
        ][:_SHOWN],
    )


def headline(night: Sequence[CycleLine]) -> str:
    """One sentence for somebody who reads nothing else; the newest cycle first."""
    counts = counts_of(_together(night))
    findings = sum(line.findings for line in night)
    if night[0].header.state is CycleState.RUNNING:
        said = "A cycle is running"
        said += f": {counted(counts['promoted'], 'improvement')} so far" * bool(counts["promoted"])
    elif counts["promoted"]:
        said = f"{counted(counts['promoted'], 'improvement')}, each proven"
    else:
        said = "Nothing new was worth promoting"
    if counts["held"]:
        said += f"; {counted(counts['held'], 'dream')} held back"
    return f"{said}; {counted(findings, 'finding')} to look at" if findings else said


def _of_one_night(lines: Sequence[CycleLine]) -> list[CycleLine]:
    since = lines[0].header.started_at - _NIGHT
    return [line for line in lines if line.header.started_at >= since]


def _together(night: Sequence[CycleLine]) -> Mapping[str, int]:
    statuses: Counter[str] = Counter()
    for line in night:
        statuses.update(line.statuses)
    return statuses


def _worth(series: Sequence[CyclePoint], night: Sequence[CycleLine]) -> float | None:
    ids = {line.header.id for line in night}
    known = [each.raroi for each in series if each.cycle_id in ids and each.raroi is not None]
    return sum(known) if known else None


def _promoted(journal: Journal, repository: Path, night: Sequence[CycleLine]) -> list[DreamLine]:
    found: list[DreamLine] = []
    for line in night:
        if line.statuses.get(DreamStatus.PROMOTED) and len(found) < _SHOWN:
            wanted = DreamFilter(status=DreamStatus.PROMOTED, cycle=line.header.id)
            found += list_dreams(journal, repository, wanted, rows_wanted=_SHOWN).rows
    return found[:_SHOWN]


def counts_of(statuses: Mapping[str, int]) -> Mapping[str, int]:
    """Dreams as people ask for them."""
    return {
        "promoted": statuses.get(DreamStatus.PROMOTED, 0),
        "held": sum(statuses.get(status, 0) for status in HELD),
        "rejected": statuses.get(DreamStatus.REJECTED, 0),
        "rolled_back": statuses.get(DreamStatus.ROLLED_BACK, 0),
    }


def verdict_bar(statuses: Mapping[str, int]) -> Markup:
    """What became of dreams, as one bar."""
    counts = counts_of(statuses)
    rest = sum(statuses.values()) - sum(counts.values())
    return stacked_bar(
        (
            ("good", "promoted", counts["promoted"]),
            ("hold", "held", counts["held"]),
            ("bad", "rejected", counts["rejected"] + counts["rolled_back"]),
            ("rest", "others", rest),
        )
    )


def progress(journal: Journal, line: CycleLine) -> Mapping[str, int] | None:
    """How many steps of a running cycle are over; None when it does not run."""
    if line.header.state is not CycleState.RUNNING:
        return None
    steps = load_steps(journal, line.header.id)
    over = sum(step.state.value in ("done", "skipped", "failed") for step in steps)
    return {"over": over, "all": len(steps)}


def _trends(series: tuple[CyclePoint, ...]) -> list[Trend]:
    wanted = (
        ("line_coverage", "of the lines run by tests, with promotions", "share"),
        ("branch_coverage", "of the branches taken, with promotions", "share"),
        ("mutation", "of the mutants noticed", "share"),
        ("raroi", "worth, risk counted", "minutes"),
    )
    found = []
    for name, title, unit in wanted:
        known = [value for _, value in measured_alike(series, name)]
        before = known[-2] if len(known) > 1 else None
        found.append(Trend(title, known[-1] if known else None, before, unit, spark(known)))
    return found
