"""Changes of one kind and module that pass together are one commit, as a person would make it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from reverie.cycle.pairing import Pairing
from reverie.cycle.report.document import report_document
from reverie.cycle.running import CycleRun
from reverie.model.change import Change, FileEdit
from reverie.model.cycle import CycleBudget, CycleRecord, CycleWishes, Trial
from reverie.model.dream import Dream, DreamKind, DreamStatus
from reverie.model.outcome import IsolationTier
from reverie.model.ruling import Answer, Evidence, Judgement, Ruling
from reverie.model.settings.cycle import CycleSection
from reverie.stages.dreamer import Dreamt
from reverie.stages.trying import Tried
from reverie.store import Journal, journal_url
from reverie.store.cycles.cycles import load_cycle
from reverie.testing.workshop import ScriptedWorkshop

BASE = "".join(f"line {number}\n" for number in range(30))
PASSED = Trial(
    Evidence({}, 0, IsolationTier.NONE, ()),
    Judgement((Ruling("g", Answer.PASS, "c", "r"),)),
    {},
    1.0,
    1,
)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(journal_url(tmp_path)) as journal:
        yield journal


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ScriptedWorkshop:
    plain = ScriptedWorkshop.dream

    def dream(*given: object) -> Dreamt:
        dreamt = plain(*given)  # type: ignore[arg-type]
        (one,) = dreamt.dreams
        return replace(dreamt, dreams=tuple(changed(one, line) for line in (2, 12, 22)))

    def prove(shop: ScriptedWorkshop, dream: Dream, *more: object) -> Tried:
        return Tried(dream, PASSED)

    monkeypatch.setattr(ScriptedWorkshop, "dream", dream)
    monkeypatch.setattr(ScriptedWorkshop, "prove", prove)
    (tmp_path / "promotions").mkdir()
    return ScriptedWorkshop(tmp_path / "promotions", modules=2)


def changed(one: Dream, line: int) -> Dream:
    text = BASE.replace(f"line {line}\n", f"changed {line}\n")
    edit = FileEdit(f"{one.module}.py", BASE, text, mode_before="100644", mode_after="100644")
    return replace(one, kind=DreamKind.REFACTOR, title=f"Change {line}", change=Change((edit,)))


def run(journal: Journal, workshop: ScriptedWorkshop, lines: int) -> CycleRecord:
    pairing = Pairing(lambda dreams, seed: PASSED, lines=lines)
    folder = workshop.folder.parent
    cycle = CycleRun(journal, folder, workshop, CycleSection(), pairing=pairing)
    return cycle.begin(CycleWishes(CycleBudget(executions=600), seed=7))


def test_three_changes_of_a_module_are_one_commit(
    journal: Journal, workshop: ScriptedWorkshop
) -> None:
    record = run(journal, workshop, 40)
    assert sorted(each.dream.title for each in record.promotions) == [
        f"Change 2, and 2 more changes of m0{number}" for number in (0, 1)
    ]
    assert sum(each.status is DreamStatus.ARCHIVED for each in record.dreams) == 6
    assert load_cycle(journal, record.header.id) == record
    assert report_document(record)["refused"] == []


def test_what_is_too_much_for_one_change_is_a_commit_each(
    journal: Journal, workshop: ScriptedWorkshop
) -> None:
    record = run(journal, workshop, 3)
    assert len(record.promotions) == 6
