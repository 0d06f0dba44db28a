"""Ids that are printed anywhere are taken everywhere; what a run came to is said plainly."""

import io
import os
import signal
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reverie.bootstrap.nightly import cycle_lock, ended_by_request, stop_cycle
from reverie.cycle.glance import DONE, Glance
from reverie.cycle.running import CycleRun
from reverie.interfaces.cli.commands.cycles import cycle_document
from reverie.interfaces.cli.views.cycles import Night
from reverie.model.cycle import CycleBudget, CycleRecord, CycleWishes, Sighting
from reverie.model.dream import DreamStatus
from reverie.model.outcome import TestOutcome
from reverie.model.ruling import Need, NeedKind
from reverie.model.settings.cycle import CycleSection
from reverie.promotion.scratch import held_alone, holder_of
from reverie.store import ExecutionRecorder, Journal, journal_url
from reverie.store.browsing.cycles import CycleLine
from reverie.testing.fakes import finished
from reverie.testing.workshop import ScriptedWorkshop

WISHES = CycleWishes(CycleBudget(executions=600), seed=7)
NEEDS = (Need(NeedKind.APPROVALS, 2),)


class Asking(ScriptedWorkshop):
    """A workshop whose first promotion needs people."""

    def prove(self, dream: Any, seed: int, is_stopped: Callable[[], bool]) -> Any:
        tried = ScriptedWorkshop.prove(self, dream, seed, is_stopped)
        if dream.module != "m01":
            return tried
        judgement = replace(tried.trial.judgement, needs=NEEDS)
        return replace(tried, trial=replace(tried.trial, judgement=judgement))


@pytest.fixture
def night(repository: Path, monkeypatch: pytest.MonkeyPatch) -> CycleRecord:
    """A cycle of the repository that we stand in: 3 ready, 1 waiting, 2 refused, 1 finding."""
    monkeypatch.chdir(repository)
    (repository / "promotions").mkdir()
    return ran(repository)


def ran(repository: Path) -> CycleRecord:
    workshop = Asking(repository / "promotions")
    with Journal.open(journal_url(repository)) as journal:
        return CycleRun(journal, repository, workshop, CycleSection()).begin(WISHES)


def of(record: CycleRecord, status: str) -> list[str]:
    return [each.dream.id for each in record.dreams if each.status.value == status]


def test_the_summary_leads_with_what_a_person_does_next(cli: Callable, night: CycleRecord) -> None:
    shown = cli("report").out
    (waiting,), refused = of(night, "tested"), of(night, "rejected")
    titles = ("Found, for you to judge: 1 finding", "Ready to merge: 3 changes",
              "Waiting for approval: 1 change", "Refused: 2 changes", "cost: ")  # fmt: skip
    places = [shown.index(each) for each in titles]
    assert places == sorted(places)
    for each in (f"git merge {night.header.branch}", f"reverie rollback {night.header.id}",
                 f"reverie approve {waiting}", f"reverie show {waiting} --patch",
                 *refused, night.sightings[0].signature):  # fmt: skip
        assert each in shown
    for word in ("dreamt", "told", "held back", "border", " min"):
        assert word not in shown


def test_a_waiting_change_is_never_called_nothing(cli: Callable, night: CycleRecord) -> None:
    document = cli("report", "--json").document
    (waiting,) = document["waiting"]
    assert waiting["dream"] == of(night, "tested")[0]
    assert waiting["command"].startswith(f"reverie approve {waiting['dream']}")
    assert waiting["needs"] == [str(each) for each in NEEDS]
    assert "1 proven change waiting for your approval" in cli("report").out


def test_show_knows_every_kind_of_id(cli: Callable, night: CycleRecord) -> None:
    refused, found = of(night, "rejected")[0], night.sightings[0].signature
    for given, what in (
        (refused, "change"),
        (refused[:10], "change"),
        (night.header.id, "cycle"),
        (night.header.branch, "cycle"),
        (found, "finding"),
    ):
        ran = cli("show", given, "--json")
        assert (ran.code, ran.document["what"]) == (0, what)
    shown = cli("show", refused).out
    assert shown.splitlines()[1].startswith("  refused; cycle ")
    assert (
        cli("show", refused, "--patch").out
        == cli("show", refused, "--json").document["document"]["diff"]
    )
    assert cli("show", found, "--patch").code == 2


def test_a_failure_is_shown_by_its_signature(cli: Callable, repository: Path) -> None:
    failed = finished(1, outcome=TestOutcome.RUNTIME_ERROR, message="KeyError: 'name'")
    with Journal.open(journal_url(repository)) as journal, ExecutionRecorder(journal) as recorder:
        recorder(*failed)
    at = ("--repo", str(repository))
    (pattern,) = cli("history", "--patterns", "--json", *at).document["patterns"]
    shown = cli("show", pattern["signature"], "--json", *at).document
    assert (shown["what"], shown["document"]) == ("failure", pattern)
    assert cli("show", failed[1].id[:12], "--json", *at).document["what"] == "execution"


def test_report_takes_whatever_belongs_to_a_cycle(cli: Callable, night: CycleRecord) -> None:
    whole = cli("report", "--json").out
    for given in (night.header.id, night.header.branch, of(night, "rejected")[0]):
        assert cli("report", given, "--json").out == whole


def test_cycles_are_listed_with_what_they_came_to(cli: Callable, night: CycleRecord) -> None:
    (line,) = cli("cycles", "--json").document["cycles"]
    counts = {name: line[name] for name in ("promoted", "waiting", "refused", "findings")}
    assert counts == {"promoted": 3, "waiting": 1, "refused": 2, "findings": 1}
    assert night.header.id in cli("cycles").out
    assert cli("cycle").out == cli("cycles").out


def test_a_branch_that_a_rollback_took_away_is_not_named(night: CycleRecord) -> None:
    undone = {DreamStatus.ROLLED_BACK: 2, DreamStatus.TESTED: 1}
    for statuses, branch in ((undone, None), ({**undone, DreamStatus.PROMOTED: 1}, "night")):
        header = replace(night.header, branch="night")
        assert cycle_document(CycleLine(header, statuses, 0))["branch"] == branch


def test_an_ignored_finding_is_never_reported_again(
    cli: Callable, night: CycleRecord, repository: Path
) -> None:
    name = night.sightings[0].signature
    assert name in cli("finding").out
    assert cli("finding", name[:8], "ignore", "--why", "meant").code == 0
    assert cli("finding").out == "no finding is open\n"
    assert cli("finding", "--all", "--json").document["findings"][0]["opinion"] == "out_of_scope"
    assert cli("finding", str(repository), "--all").out == cli("finding", "--all").out
    assert cli("report", "--json").document["settled"] == 1
    assert "1 that you settled since" in cli("report").out
    assert "1 that you settled since" in cli("show", night.header.id).out
    again = ran(repository)
    with Journal.open(journal_url(repository)) as journal:
        workshop = Asking(repository / "promotions")
        fresh = CycleRun(journal, repository, workshop, CycleSection()).begin(
            replace(WISHES, is_fresh=True)
        )
    assert (again.sightings, fresh.sightings) == ((), ())


class Faulty(ScriptedWorkshop):
    """A workshop that finds one more fault of one function in each run."""

    faults = 0

    def dream(self, step: Any, allowance: Any) -> Any:
        found = ScriptedWorkshop.dream(self, step, allowance)
        if not found.sightings:
            return found
        seen = Sighting(step.module, f"f fails, fault {self.faults}", {"function": "f"})
        return replace(found, sightings=(seen,))


def test_a_function_can_be_ignored_for_ever(
    cli: Callable, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository)
    (repository / "promotions").mkdir()

    def night(fault: int) -> tuple[Sighting, ...]:
        workshop = Faulty(repository / "promotions")
        workshop.faults = fault
        with Journal.open(journal_url(repository)) as journal:
            run = CycleRun(journal, repository, workshop, CycleSection())
            return run.begin(replace(WISHES, is_fresh=True)).sightings

    (first,), (second,) = night(1), night(2)
    assert first.signature != second.signature
    said = cli("finding", first.signature, "ignore").out
    assert f"reverie finding {first.signature} ignore --function" in said
    assert len(night(3)) == 1, "the word was about one finding"
    about = f"{second.module}:f"
    noted = cli("finding", second.signature, "ignore", "--function", "--json").document
    assert (noted["id"], noted["function"]) == (second.signature, about)
    assert night(4) == ()
    assert cli("finding").out == "no finding is open\n"
    cli("finding", second.signature, "bug", "--function")
    assert len(night(5)) == 1


def test_a_function_is_ignored_by_a_finding_that_has_one(cli: Callable, night: CycleRecord) -> None:
    name = night.sightings[0].signature
    assert cli("finding", name, "ignore", "--function").code == 2
    assert cli("finding", name, "--function").code == 2


def test_what_would_help_is_said_for_every_reason_of_a_refusal(
    cli: Callable, night: CycleRecord
) -> None:
    refused = of(night, "rejected")[0]
    shown = cli("show", refused).out
    assert "\nwhat would help:\n  undo what the reason names\n" in shown
    assert "    would help: undo what the reason names\n" in cli("report").out


def test_a_change_that_was_taken_by_hand_no_longer_waits(
    cli: Callable, night: CycleRecord, repository: Path
) -> None:
    (waiting,) = of(night, "tested")
    (each,) = (one for one in night.dreams if one.dream.id == waiting)
    for edit in each.dream.change.edits:
        place = repository / edit.path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(edit.after or "")
    assert cli("report", "--json").document["waiting"] == []
    shown = cli("show", waiting).out
    assert "your files have it" in shown
    assert "reverie approve" not in shown


def test_a_finding_that_is_a_bug_stays_on_the_list(cli: Callable, night: CycleRecord) -> None:
    name = night.sightings[0].signature
    assert cli("finding", name, "bug").code == 0
    assert [each["opinion"] for each in cli("finding", "--json").document["findings"]] == ["bug"]
    assert f"seen in {night.header.id}; judged: bug\n" in cli("finding", name).out


def test_who_runs_a_cycle_is_known_and_asked_to_stop(repository: Path) -> None:
    what = cycle_lock(repository)
    assert (holder_of(what), stop_cycle(repository)) == (None, None)
    with held_alone(what, "a cycle", 0.0), ended_by_request():
        assert holder_of(what) == os.getpid()
        with pytest.raises(KeyboardInterrupt):
            _stop_and_wait(repository)
    assert holder_of(what) is None
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def _stop_and_wait(repository: Path) -> None:
    stop_cycle(repository)
    threading.Event().wait(5)  # the signal comes before that


def test_a_number_that_a_dead_process_left_is_not_believed(repository: Path) -> None:
    what = cycle_lock(repository)
    with held_alone(what, "a cycle", 0.0):
        from reverie.promotion.scratch import _lock_file

        _lock_file(what).write_text(str(os.getppid()))
        assert holder_of(what) is None


def test_progress_off_a_terminal_is_a_line_per_phase_with_what_was_found(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with Night() as night:
        night.show(Glance("reading", seconds_left=-4.0))
        night.show(Glance("proving", 6, 2, ("writing tests for m02",), 1, 1, 0, 1, None, 20.0))
        night.show(Glance("proving", 6, 3, (), 2, 1, 0, 1, None, 20.0))
        night.show(Glance(DONE, 6, 4, (), 3, 1, 2, 1, None, -4.0, 2))
    first, second, last = capsys.readouterr().err.splitlines()
    assert first.startswith("0 s: reading; ")
    assert first.endswith("the budget is spent: what has begun is finished")
    assert "2 of 6 modules; writing tests for m02; 1 ready to merge, 1 waiting" in second
    assert second.endswith("1 finding; 20 s left")
    assert "4 of 6 modules, 2 skipped; 3 ready to merge, 1 waiting, 2 refused, 1 finding" in last
    assert last.endswith("2 refused, 1 finding")


def test_the_picture_tells_the_module_what_was_found_and_the_time_left() -> None:
    from rich.console import Console

    night = Night()
    night.show(Glance("proving", 6, 2, ("writing tests for m02",), 1, 1, 0, 2, "Test m01", 20.4))
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(night._picture())
    shown = console.export_text()
    for each in ("proving", "2 of 6 modules", "writing tests for m02", "1 ready to merge",
                 "1 waiting", "2 findings", "Test m01", "20 s left; Ctrl-C ends it"):  # fmt: skip
        assert each in shown


def test_what_was_watched_last_is_what_the_journal_says(repository: Path) -> None:
    (repository / "promotions").mkdir()
    seen: list[Glance] = []
    with Journal.open(journal_url(repository)) as journal:
        workshop = Asking(repository / "promotions")
        CycleRun(journal, repository, workshop, CycleSection(), watch=seen.append).begin(WISHES)
    last = seen[-1]
    assert (last.phase, last.over, last.under_way) == ("done", 6, ())
    assert (last.promoted, last.waiting, last.rejected, last.sightings) == (3, 1, 2, 1)


def test_a_change_that_was_not_tried_says_so_and_does_not_repeat_its_title(
    capsys: pytest.CaptureFixture[str],
) -> None:
    from reverie.interfaces.cli.views.cycles import show_change

    show_change(
        {"dream_id": "ab12", "title": "Test f in m", "module": "m", "status": "archived",
         "cycle_id": "c", "trial": None, "needs": [], "diff": "+a\n", "promotion": None}
    )  # fmt: skip
    shown = capsys.readouterr().out
    assert "not tried: the time of its run was up; another run tries it" in shown
    assert shown.count("Test f in m") == 1


def test_a_change_without_a_proof_says_where_its_evidence_is(
    cli: Callable, night: CycleRecord
) -> None:
    (waiting,) = of(night, "tested")
    for line in (("verify", waiting), ("rollback", waiting)):
        shown = cli(*line)
        assert shown.code == 2
        assert "is on no branch and has no proof bundle" in shown.err
        assert f"`reverie show {waiting}`" in shown.err


def test_what_earlier_runs_left_stands_before_the_cost(
    cli: Callable, night: CycleRecord, repository: Path
) -> None:
    ran(repository)
    shown = cli("report").out
    assert shown.index("Since earlier runs") < shown.index("cost: ")
    assert "waiting for approval: " in shown.partition("Since earlier runs")[2]
