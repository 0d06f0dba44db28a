"""What happened last night, at a glance."""

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from reverie.cycle.report.figures import counted
from reverie.interfaces.web.charts import spark, stacked_bar
from reverie.interfaces.web.desk import desk_of
from reverie.model.cycle import CycleState
from reverie.model.dream import DreamStatus
from reverie.store.browsing.cycles import CycleLine, browse_cycles, load_sightings, load_steps
from reverie.store.browsing.dreams import DreamFilter, list_dreams
from reverie.store.browsing.people import waiting_lines
from reverie.store.browsing.series import CyclePoint, latest_health, load_series

_CYCLES, _SHOWN, _TREND = 12, 6, 30
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
    newest = leaf.rows[0]
    cycle_id = newest.header.id
    promoted = DreamFilter(status=DreamStatus.PROMOTED, cycle=cycle_id)
    series = load_series(journal, repository, _TREND)
    return desk.answer(
        request,
        "night.html",
        newest=newest,
        headline=headline(newest),
        counts=counts_of(newest.statuses),
        steps=progress(journal, newest),
        worth=series[-1].raroi if series else None,
        trends=_trends(series),
        health=latest_health(journal),
        cycles=[(line, verdict_bar(line.statuses)) for line in leaf.rows],
        promoted=list_dreams(journal, repository, promoted).rows[:_SHOWN],
        waiting=waiting_lines(journal, repository).rows[:_SHOWN],
        found=load_sightings(journal, cycle_id, _SHOWN),
    )


def headline(line: CycleLine) -> str:
    """One sentence for somebody who reads nothing else."""
    counts = counts_of(line.statuses)
    if line.header.state is CycleState.RUNNING:
        said = "A cycle is running"
    elif counts["promoted"]:
        said = f"{counted(counts['promoted'], 'improvement')}, each proven"
    else:
        said = "Nothing new was worth promoting"
    if counts["held"]:
        said += f"; {counted(counts['held'], 'dream')} held back"
    return f"{said}; {counted(line.findings, 'finding')} to look at" if line.findings else said


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


def progress(journal: object, line: CycleLine) -> Mapping[str, int] | None:
    """How many steps of a running cycle are over; None when it does not run."""
    if line.header.state is not CycleState.RUNNING:
        return None
    steps = load_steps(journal, line.header.id)  # type: ignore[arg-type]
    over = sum(step.state.value in ("done", "skipped", "failed") for step in steps)
    return {"over": over, "all": len(steps)}


def _trends(series: tuple[CyclePoint, ...]) -> list[Trend]:
    wanted = (
        ("line_coverage", "of the lines run by tests", "share"),
        ("branch_coverage", "of the branches taken", "share"),
        ("mutation", "of the mutants noticed", "share"),
        ("raroi", "worth, risk counted", "minutes"),
    )
    found = []
    for name, title, unit in wanted:
        known = [value for each in series if (value := each.value(name)) is not None]
        before = known[-2] if len(known) > 1 else None
        found.append(Trend(title, known[-1] if known else None, before, unit, spark(known)))
    return found
