"""Lists of a journal, page by page: the same on every backend."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from benchmarks.dashboard.data import MODULES, Size, cycle_name, dream_name, fill

from reverie.errors import UsageError
from reverie.model.dream import DreamStatus
from reverie.model.outcome import TestOutcome
from reverie.store import ExecutionRecorder, Journal, journal_url
from reverie.store.browsing import walking
from reverie.store.browsing.cycles import (
    browse_cycles,
    browse_findings,
    feel_pulse,
    find_cycles,
    load_line,
)
from reverie.store.browsing.dreams import DreamFilter, find_dreams, list_dreams, load_dream
from reverie.store.browsing.executions import (
    ExecutionFilter,
    browse_patterns,
    find_executions,
    list_executions,
    load_pattern,
)
from reverie.store.browsing.modules import fates_of_modules
from reverie.store.browsing.people import offered_lines
from reverie.store.browsing.series import CyclePoint, load_series, measured_alike
from reverie.testing.fakes import FIRST_START, finished

SIZE = Size(cycles=3, dreams=120, executions=400, patterns=10)
OTHER = Path("/somewhere/else")
HERE = Path("/the/repository")


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def journal(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Journal]:
    """A journal with a past."""
    if request.param == "sqlite":
        url = journal_url(tmp_path_factory.mktemp("browsing"))
    else:
        url = request.getfixturevalue("postgres").new_database()
    with Journal.open(url) as made:
        fill(made, HERE, SIZE)
        yield made


def test_pages_of_dreams_hold_every_dream_once(journal: Journal) -> None:
    for wanted in (
        DreamFilter(),
        DreamFilter(status="rejected"),
        DreamFilter(module=MODULES[5]),
        DreamFilter(cycle=cycle_name(1)),
        DreamFilter(kind="test", status="promoted"),
        DreamFilter(text="DOES WITH 7"),
    ):
        seen = []
        after: str | None = None
        while True:
            leaf = list_dreams(journal, HERE, wanted, after)
            seen += leaf.rows
            after = leaf.after
            if after is None:
                break
        expected = [
            (c, n) for c in range(SIZE.cycles) for n in range(SIZE.dreams) if _fits(c, n, wanted)
        ]
        assert len(seen) == len(expected)
        assert {(each.cycle_id, each.id) for each in seen} == {
            (cycle_name(c), dream_name(c, n)) for c, n in expected
        }
        moments = [each.created_at for each in seen]
        assert moments == sorted(moments, reverse=True)


def test_a_window_is_bounded_and_says_where_to_go_on(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(walking, "WINDOW", 50)
    seen, after, pages = 0, None, 0
    while pages == 0 or after is not None:
        leaf = list_dreams(journal, HERE, DreamFilter(kind="optimisation"), after)
        seen, after, pages = seen + len(leaf.rows), leaf.after, pages + 1
        assert leaf.looked_at in (None, 50)
    assert seen == SIZE.cycles * SIZE.dreams // 4
    assert pages > SIZE.cycles


def test_pages_of_executions_hold_every_execution_once(journal: Journal) -> None:
    for wanted in (
        ExecutionFilter(),
        ExecutionFilter(outcome="timeout"),
        ExecutionFilter(outcome="timeout", isolation="landlock"),
        ExecutionFilter(outcome="success", isolation="landlock"),
        ExecutionFilter(code_hash=f"{7:064x}"),
        ExecutionFilter(failure_signature=f"{3:016x}"),
        ExecutionFilter(text="BAD VALUE 3"),
    ):
        ids: list[str] = []
        after: str | None = None
        while True:
            leaf = list_executions(journal, wanted, after)
            ids += [each.id for each in leaf.rows]
            after = leaf.after
            if after is None:
                break
        assert len(ids) == len(set(ids)) == _executions(wanted), wanted


def test_places_that_no_page_gave_out_are_refused(journal: Journal) -> None:
    for wrong in ("", "x", "1", "1~2", "x~y~z", "~~", "9" * 5000):
        with pytest.raises(UsageError, match="no page begins"):
            list_dreams(journal, HERE, DreamFilter(), wrong)


def test_another_repository_sees_nothing_of_this_one(journal: Journal) -> None:
    assert browse_cycles(journal, OTHER).rows == ()
    assert list_dreams(journal, OTHER, DreamFilter()).rows == ()
    assert browse_findings(journal, OTHER).rows == ()
    assert offered_lines(journal, OTHER) == ()
    assert load_series(journal, OTHER) == ()
    assert find_cycles(journal, OTHER, "2020") == ()
    assert find_dreams(journal, OTHER, dream_name(0, 1)[:6]) == []
    with pytest.raises(UsageError):
        load_line(journal, OTHER, cycle_name(0))
    with pytest.raises(UsageError):
        load_dream(journal, OTHER, cycle_name(0), dream_name(0, 1))


def test_one_dream_comes_with_its_trial_and_its_promotion(journal: Journal) -> None:
    header, each = load_dream(journal, HERE, cycle_name(2), dream_name(2, 0))
    assert header.id == cycle_name(2)
    assert each.status is DreamStatus.PROMOTED
    assert each.promotion is not None
    assert each.trial is not None
    assert len(each.trial.judgement.rulings) == 8
    _, other = load_dream(journal, HERE, cycle_name(2), dream_name(2, 1))
    assert other.promotion is None


def test_counts_and_series_come_from_the_rows(journal: Journal) -> None:
    newest = browse_cycles(journal, HERE).rows[0]
    assert newest.header.id == cycle_name(2)
    assert newest.statuses == {"promoted": 20, "rejected": 60, "borderline": 20, "tested": 20}
    assert newest.findings == 5
    series = load_series(journal, HERE)
    assert [each.cycle_id for each in series] == [cycle_name(n) for n in range(3)]
    assert series[0].mutation == pytest.approx(0.8)
    assert series[0].promoted == 20
    assert sum(sum(each.values()) for each in fates_of_modules(journal, HERE).values()) == 360
    assert browse_findings(journal, HERE, MODULES[1]).rows
    assert len(offered_lines(journal, HERE)) == 50
    pulse = feel_pulse(journal, HERE)
    assert (pulse.cycle_id, pulse.steps, pulse.dreams) == (cycle_name(2), 40, 120)


def test_failures_are_listed_by_frequency_and_found_by_signature(journal: Journal) -> None:
    rows = browse_patterns(journal).rows
    assert [each.frequency for each in rows] == sorted(
        (each.frequency for each in rows), reverse=True
    )
    assert browse_patterns(journal, "timeout").rows == ()
    assert load_pattern(journal, rows[0].signature) == rows[0]
    with pytest.raises(UsageError):
        load_pattern(journal, "nope")


def test_what_is_recorded_later_is_listed_first(journal: Journal) -> None:
    request, execution = finished(5, outcome=TestOutcome.SUCCESS)
    with ExecutionRecorder(journal) as recorder:
        recorder(request, execution)
    assert find_executions(journal, execution.id[:10])[0].id == execution.id
    since = int((FIRST_START - timedelta(days=1)).timestamp() * 1_000_000)
    found = list_executions(journal, ExecutionFilter(since_us=since)).rows
    assert [each.id for each in found] == [execution.id]


def _fits(cycle: int, n: int, wanted: DreamFilter) -> bool:
    from benchmarks.dashboard.data import KINDS, STATUSES

    module = MODULES[(cycle + n) % len(MODULES)]
    return (
        wanted.status in (None, STATUSES[n % 6])
        and wanted.kind in (None, KINDS[n % 4])
        and wanted.module in (None, module)
        and wanted.cycle in (None, cycle_name(cycle))
        and (wanted.text or "").lower() in f"test what {module} does with {n}"
    )


def _executions(wanted: ExecutionFilter) -> int:
    from benchmarks.dashboard.data import _execution

    names = ("outcome", "isolation", "code_hash", "failure_signature")
    places = {"code_hash": 3, "outcome": 7, "failure_signature": 11, "isolation": 15}
    found = 0
    for n in range(SIZE.executions):
        row = _execution(n, SIZE)
        fits = all(getattr(wanted, name) in (None, row[places[name]]) for name in names)
        found += fits and (wanted.text or "").lower() in (row[10] or "").lower()
    return found


def test_coverage_without_promotions_does_not_follow_coverage_with_them() -> None:
    moment = datetime(2024, 6, 1, tzinfo=UTC)

    def point(share: float, *, is_result: bool) -> CyclePoint:
        return CyclePoint("c", moment, share, None, None, None, None, 0, {}, is_result)

    with_promotions, as_it_stands = point(0.8, is_result=True), point(0.5, is_result=False)
    series = [as_it_stands, with_promotions, as_it_stands]
    assert measured_alike(series, "line_coverage") == [(with_promotions, 0.8)]
    assert len(measured_alike([as_it_stands, as_it_stands], "line_coverage")) == 2
    assert measured_alike(series, "mutation") == []
