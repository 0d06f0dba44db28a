"""`reverie score` and `reverie forecast`, on a journal with tried dreams and recorded cycles."""

import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from reverie import ForesightTracker
from reverie.model.change import Change, FileEdit
from reverie.model.cycle import (
    CycleBudget,
    CycleDream,
    CycleHeader,
    CycleState,
    CycleWishes,
    Step,
    Trial,
)
from reverie.model.dream import Dream, DreamKind, DreamStatus
from reverie.model.outcome import IsolationTier
from reverie.model.ruling import Answer, Evidence, Judgement, Ruling
from reverie.store import Journal, journal_url
from reverie.store.cycles.cycles import CycleWriter
from reverie.store.cycles.measures import ForesightMemory

SCORE = {
    "roi": 9.5,
    "raroi": 9.4,
    "benefit: conditions.protected": 12.0,
    "cost: review.lines": 2.5,
    "roi_ratio": 4.8,
    "kept_probability": 0.75,
    "kept_decisions": 2,
    "confidence": 0.5,
    "quantities": {"conditions.protected": 3.0},
    "unmeasured": ["stability"],
}


def _try(journal: Journal, folder: Path, day: int, score: dict[str, Any]) -> str:
    header = CycleHeader(
        id=f"202406{day:02}-0300-abcd",
        repository=str(folder),
        started_at=datetime(2024, 6, day, 3, 0, tzinfo=UTC),
        state=CycleState.RUNNING,
        wishes=CycleWishes(CycleBudget()),
        revision=None,
    )
    change = Change((FileEdit("tests/test_shop.py", None, f"# {day}\n", mode_after="100644"),))
    dream = Dream(DreamKind.TEST, "tests", "shop", "Test shop", change, seed=3)
    step = Step(0, "tests", "shop", "shop.py", "0" * 16)
    each = CycleDream(dream, 0, "0" * 16, DreamStatus.PENDING_TEST)
    evidence = Evidence({"mutants.newly_killed": 3.0}, 3, IsolationTier.NONE, ("reverie", "guard"))
    judgement = Judgement((Ruling("worth", Answer.PASS, "ok", "more is seen", 3.0, 1),))
    writer = CycleWriter(journal, header.id)
    writer.begin(header)
    writer.plan(header, [step])
    writer.dreamt(step, [each], [])
    writer.tried(each, Trial(evidence, judgement, score, 1.0, 1))
    return dream.id


@pytest.fixture
def tried(repository: Path) -> tuple[Path, str]:
    (repository / ".reverie").mkdir(exist_ok=True)
    with Journal.open(journal_url(repository)) as journal:
        ids = [_try(journal, repository, day, {**SCORE, "roi": 9.0 + day}) for day in range(1, 8)]
        tracker = ForesightTracker(ForesightMemory(journal))
        for worth in (20, 18, 16, 14, 12, 10, 8, 6, 4, 2):
            tracker.record_cycle_metrics("wf\x1b[31m", {"roi_delta": worth})
    return repository, ids[0]


def test_the_score_of_a_dream_part_by_part(cli: Callable, tried: tuple[Path, str]) -> None:
    folder, dream = tried
    ran = cli("score", dream[:8], "--repo", str(folder), "--json")
    assert (ran.code, ran.err) == (0, "")
    document = ran.document
    assert document["parts"] == [
        {"name": "conditions.protected", "points": 12.0, "measured": 3.0},
        {"name": "review.lines", "points": -2.5, "measured": None},
    ]
    assert (document["roi"], document["raroi"], document["roi_ratio"]) == (10.0, 9.4, 4.8)
    assert document["verdict"] == "promote"
    text = cli("score", dream, "--repo", str(folder)).out
    assert "conditions.protected  3         +12.00" in text
    assert "worth +10.00 points, +9.40 points after risk" in text
    assert "75 % likely to be kept (2 decisions on the like), confidence 0.50" in text
    assert "not measured: stability" in text


def test_the_standing_of_a_module_and_its_flags(
    cli: Callable, tried: tuple[Path, str], tmp_path: Path
) -> None:
    folder, _ = tried
    line = ("score", "shop", "--repo", str(folder), "--flags", str(tmp_path / "flags"))
    document = cli(*line, "--json").document
    assert (document["completion"], document["is_complete"]) == ("open", False)
    assert len(document["dreams"]) == 7
    assert document["flags"] == []
    assert "shop: open" in cli(*line).out


def test_a_forecast_in_the_terminal_and_as_a_picture(
    cli: Callable, tried: tuple[Path, str], tmp_path: Path
) -> None:
    folder, _ = tried
    picture = tmp_path / "shop.svg"
    ran = cli("forecast", "shop", "--repo", str(folder), "--svg", str(picture))
    assert ran.code in (0, 1)
    assert ran.out.count("o") >= 7
    assert "*" in ran.out
    assert "risk: Stable" in ran.out
    root = ElementTree.parse(picture).getroot()
    assert root.tag.endswith("svg")
    assert not [each for each in root.iter() if each.tag.endswith("script")]
    document = cli("forecast", "shop", "--repo", str(folder), "--json").document
    assert document["history"] == [10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0]
    assert len(document["forecast"]["projections"]) == len(document["cycles"]) == 5
    assert document["safe"] is (ran.code == 0)


def test_a_collapse_is_told_and_names_are_made_harmless(
    cli: Callable, tried: tuple[Path, str]
) -> None:
    folder, _ = tried
    ran = cli("forecast", "wf\x1b[31m", "--repo", str(folder))
    assert ran.code == 1
    assert "risk: Immediate collapse risk" in ran.out
    assert "roi_collapse_risk" in ran.out
    assert "\x1b" not in ran.out


def test_what_is_not_there_is_a_mistake_of_the_caller(
    cli: Callable, tried: tuple[Path, str], tmp_path: Path
) -> None:
    folder, _ = tried
    for line, said in (
        (("score", "zzzzzz"), "no change 'zzzzzz'"),
        (("forecast", "nobody"), "no cycle of 'nobody'"),
        (("forecast", "shop", "--svg", "/nowhere/x.svg"), "--svg '/nowhere/x.svg'"),
    ):
        ran = cli(*line, "--repo", str(folder))
        assert ran.code == 2
        assert said in ran.err
    empty = empty_folder(tmp_path)
    for command in ("score", "forecast"):
        ran = cli(command, "anything", "--repo", str(empty))
        assert (ran.code, "there is no journal" in ran.err) == (2, True)


def empty_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "empty"
    folder.mkdir()
    return folder
