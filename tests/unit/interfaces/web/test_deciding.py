"""What people see first and what they say: overview, findings, hot spots, experiments."""

import html
import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.unit.interfaces.cli.test_promotion_commands import journaled
from tests.unit.interfaces.web.conftest import Door
from tests.unit.interfaces.web.test_pages import CYCLE, NEW, OLD, decide, key_of

from reverie.interfaces.web.application import Broadcast
from reverie.interfaces.web.charts import SHARES, Point, Spot, line_chart, scatter
from reverie.interfaces.web.desk import MENU, MORE
from reverie.interfaces.web.pages.workflows import _recorded
from reverie.model.change import Change, FileEdit
from reverie.model.cycle import (
    CycleBudget,
    CycleHeader,
    CycleState,
    CycleWishes,
    Proven,
    Sighting,
    Step,
)
from reverie.model.dream import DreamKind, Stage
from reverie.promotion.trial_tree import read_source
from reverie.store import ExecutionRecorder, Journal, journal_url
from reverie.store.browsing.cycles import Pulse
from reverie.store.browsing.series import load_portfolio
from reverie.store.cycles.cycles import CycleWriter
from reverie.testing.fakes import finished, proven_dream

FOUND = Sighting(
    "cart", "total: TypeError", {"input": "total(None)", "kind": "TypeError", "function": "total"}
)


@pytest.fixture
def shop(scripted: Callable):  # type: ignore[no-untyped-def]
    repository = scripted("shop")
    repository.commit("One", {"cart.py": OLD, ".gitignore": ".reverie/\n"})
    return repository


@pytest.fixture
def faster(shop) -> Proven:  # type: ignore[no-untyped-def]
    change = Change((FileEdit("cart.py", OLD, NEW, mode_before="100644", mode_after="100644"),))
    proven = proven_dream(
        change,
        read_source(shop.folder),
        title="Sum without a list",
        kind=DreamKind.OPTIMISATION,
        stage=Stage.C,
        needs=("2 approvals by different people",),
    )
    measures = {"speed.p50": 2.0, "speed.p50.value": 2.1, "speed.p50.high": 2.2}
    proven = replace(
        proven, evidence=replace(proven.evidence, measures={**proven.evidence.measures, **measures})
    )
    journaled(shop.folder, proven)
    with Journal.open(journal_url(shop.folder)) as journal:
        CycleWriter(journal, CYCLE).dreamt(Step(0, "tests", "cart", "cart.py", "0"), [], [FOUND])
    return proven


def test_the_menu_has_seven_entries_and_the_rest_is_under_more(
    shop, faster, open_door: Callable[..., Door]
) -> None:
    page = open_door(shop.folder).browser().get("/").text
    menu = page.partition("<nav")[2].partition("</nav>")[0]
    assert len(MENU) + 1 <= 7
    assert [f'href="/{place}"' in menu for place, _ in (*MENU, *MORE)] == [True] * 13
    assert menu.index("<summary") < menu.index(MORE[0][1])


def test_the_overview_leads_with_what_waits_and_what_was_found(
    shop, faster, open_door: Callable[..., Door]
) -> None:
    page = open_door(shop.folder).browser().get("/").text
    assert "1 waiting for approval, 1 finding to judge" in page
    assert "at least 2 times as fast" in page
    assert f"/cycles/{CYCLE}/findings/{FOUND.signature}" in page
    assert " min" not in page.partition('id="ready"')[2].partition("Last cycles")[0]


def test_a_change_is_told_in_words_with_its_interval_and_its_commands(
    shop, faster, open_door: Callable[..., Door], cli: Callable, tmp_path: Path
) -> None:
    door = open_door(shop.folder)
    place = f"/cycles/{CYCLE}/dreams/{faster.dream.id}"
    page = door.browser().get(place).text
    assert "At least 2 times as fast." in page
    assert "2.1 times as fast (95 % interval: 2 to 2.2)" in page
    for name in ("Ada", "Bob"):
        decide(door, faster, "approve", name, key_of(tmp_path, name))
    line = ("promote", faster.dream.id, "--repo", str(shop.folder), "--json")
    promotion = cli(*line, environ={"HOME": str(tmp_path)}).document
    page = door.browser().get(place).text
    for told in (
        f"git cherry-pick {promotion['commit'][:12]}",
        f"reverie verify {faster.dream.id}",
    ):
        assert f'data-copy="{told}"' in page
    assert "Sum without a list" in ready(door)
    shop.git("merge", "-q", promotion["branch"])
    assert "Your branch has it" in door.browser().get(place).text
    assert "Sum without a list" not in ready(door)


def ready(door: Door) -> str:
    """The part of the overview about what is ready to merge."""
    return door.browser().get("/").text.partition('id="ready"')[2].partition("</section>")[0]


@pytest.mark.parametrize(
    ("verdict", "word", "is_open"),
    [("bug", "bug", True), ("feature", "feature", False), ("out_of_scope", "ignored", False)],
)
def test_a_verdict_is_kept_and_settles_a_finding(
    shop,
    faster,
    open_door: Callable[..., Door],
    cli: Callable,
    verdict: str,
    word: str,
    is_open: bool,
) -> None:
    door = open_door(shop.folder)
    browser, place = door.browser(), f"/cycles/{CYCLE}/findings/{FOUND.signature}"
    form = {"word": door.word(), "verdict": verdict, "why": "nobody calls it so"}
    assert browser.post(f"{place}/verdict", data=form).status_code == 303
    page = browser.get(place).text
    assert f">{word}</span>" in page
    assert "nobody calls it so" in page
    assert (FOUND.title in browser.get("/findings").text) is is_open
    assert FOUND.title in browser.get("/findings?settled=1").text
    found = cli("finding", FOUND.signature, "--repo", str(shop.folder), "--json").document
    assert found["opinion"] == verdict


def test_a_verdict_on_a_whole_function_is_kept_for_its_name(
    shop, faster, open_door: Callable[..., Door], cli: Callable
) -> None:
    door = open_door(shop.folder)
    browser, place = door.browser(), f"/cycles/{CYCLE}/findings/{FOUND.signature}"
    form = {"word": door.word(), "verdict": "out_of_scope", "function": "1"}
    assert browser.post(f"{place}/verdict", data=form).status_code == 303
    assert "of all of <code>cart:total</code>" in browser.get(place).text
    found = cli("finding", FOUND.signature, "--repo", str(shop.folder), "--json").document
    assert (found["opinion"], found["subject"]) == ("out_of_scope", "cart:total")


def test_a_stolen_cookie_decides_nothing(shop, faster, open_door: Callable[..., Door]) -> None:
    door = open_door(shop.folder)
    browser, word = door.browser(), door.word()
    finding = f"/cycles/{CYCLE}/findings/{FOUND.signature}"
    change = f"/cycles/{CYCLE}/dreams/{faster.dream.id}"
    for path in ("/", finding, change, "/approvals", "/static/dashboard.js", "/login"):
        answer = browser.get(path)
        assert answer.status_code == 200
        assert word not in answer.text + str(answer.headers), path
    assert browser.post(f"{finding}/verdict", data={"verdict": "bug"}).status_code == 409
    assert browser.post(f"{change}/reject", data={"name": "Eve"}).status_code == 409


def test_a_finding_is_told_without_inner_words(
    shop, faster, open_door: Callable[..., Door]
) -> None:
    browser = open_door(shop.folder).browser()
    page = browser.get(f"/cycles/{CYCLE}/findings/{FOUND.signature}").text
    assert "<dt>Input</dt>" in page
    assert "<dt>kind</dt>" not in page
    assert browser.get(f"/cycles/{CYCLE}/findings/{'0' * 16}").status_code == 404
    assert browser.get(f"/cycles/x/findings/{FOUND.signature}").status_code == 404


@pytest.mark.parametrize("verdict", ["", "wrong", "<script>"])
def test_what_is_no_verdict_is_refused(
    shop, faster, open_door: Callable[..., Door], verdict: str
) -> None:
    door = open_door(shop.folder)
    place = f"/cycles/{CYCLE}/findings/{FOUND.signature}"
    form = {"word": door.word(), "verdict": verdict}
    answer = door.browser().post(f"{place}/verdict", data=form)
    assert answer.status_code == 404
    assert "<script>" not in answer.text.partition("<main")[2]
    assert "to judge" in door.browser().get(place).text


@pytest.mark.parametrize("options", [{"is_read_only": True}, {"can_sign": False}])
def test_nobody_judges_where_nothing_is_decided(
    shop, faster, open_door: Callable[..., Door], options: dict[str, bool]
) -> None:
    door = open_door(shop.folder, **options)
    place = f"/cycles/{CYCLE}/findings/{FOUND.signature}"
    form = {"word": door.word(), "verdict": "bug"}
    assert door.browser().post(f"{place}/verdict", data=form).status_code == 409
    assert 'method="post"' not in door.browser().get(place).text


def baseline(journal: Journal, folder: Path, number: int, revision: str, **shares: float) -> None:
    """A finished cycle that measured these modules."""
    at = datetime(2026, 11, 16, number, tzinfo=UTC)
    covered = {name: {"lines": share, "branches": share} for name, share in shares.items()}
    mean = sum(shares.values()) / len(shares)
    header = CycleHeader(
        id=f"20261116-0{number}00-aaaa",
        repository=str(folder),
        started_at=at,
        state=CycleState.FINISHED,
        wishes=CycleWishes(CycleBudget()),
        ended_at=at + timedelta(minutes=1),
        revision=revision,
        baseline={"line_coverage": mean, "covered": covered, "tests": 3, "passed": 3, "failed": 0},
    )
    CycleWriter(journal, header.id).begin(header)


def plotted(page: str) -> list[dict[str, Any]]:
    return [json.loads(html.unescape(each)) for each in re.findall(r'data-plot="([^"]+)"', page)]


def test_the_trend_is_that_of_the_branch_and_of_whole_measurements(
    shop, faster, open_door: Callable[..., Door]
) -> None:
    one = shop.git("rev-parse", "HEAD").strip()
    shop.git("checkout", "-q", "-b", "aside")
    shop.commit("Aside", {"aside.py": "x = 1\n"})
    aside = shop.git("rev-parse", "HEAD").strip()
    shop.git("checkout", "-q", "-")
    shop.commit("Two", {"more.py": "def f():\n    return 1\n"})
    two = shop.git("rev-parse", "HEAD").strip()
    with Journal.open(journal_url(shop.folder)) as journal:
        baseline(journal, shop.folder, 1, one, a=0.2, b=0.4)
        baseline(journal, shop.folder, 2, aside, a=0.9, b=0.9)
        baseline(journal, shop.folder, 3, two, a=0.6, b=0.6)
        baseline(journal, shop.folder, 4, two, a=1.0)  # of one module alone: says less
    found = plotted(open_door(shop.folder).browser().get("/").text)
    assert [each["notes"] for each in found] == [[one[:8], two[:8]]]
    assert found[0]["values"] == [30.0, 60.0]


def test_hot_spots_are_what_changes_and_no_test_runs(
    shop, faster, open_door: Callable[..., Door], cli: Callable
) -> None:
    for number in range(3):
        shop.commit(f"More {number}", {"hot.py": f"def f():\n    return {number}\n"})
    shop.commit("Calm", {"calm.py": "def g():\n    return 1\n"})
    assert cli("index", str(shop.folder), "--json").code == 0
    with Journal.open(journal_url(shop.folder)) as journal:
        baseline(journal, shop.folder, 1, shop.git("rev-parse", "HEAD").strip(), hot=0.1, calm=1.0)
    browser = open_door(shop.folder).browser()
    page = browser.get("/modules").text.partition("<tbody")[2]
    assert page.index(">hot<") < page.index(">calm<")
    assert "Hot spot number 1" in browser.get("/modules/hot").text
    assert "Hot spot" not in browser.get("/modules/calm").text


def test_what_each_source_earned_is_added_up(shop, faster, open_door: Callable[..., Door]) -> None:
    door = open_door(shop.folder)
    found = load_portfolio(door.desk.journal, shop.folder)
    assert [(each.dreamer, each.tried, each.proving_seconds) for each in found.earned] == [
        ("tests", 1, 1.0)
    ]
    page = door.browser().get("/experiments").text
    assert "of the last 1 cycle went" in page
    assert "67 %" in page, "one success, on top of one success and one failure"


def test_a_running_cycle_is_told_of_again_though_nothing_else_changed() -> None:
    import asyncio

    async def heard(state: str) -> int:
        pulse = Pulse("c", state, 0.0, 0, 0, 0, 0)
        broadcast = Broadcast(lambda: pulse, every_seconds=0.01)
        listening = broadcast.listen()
        await anext(listening)
        count = 0
        try:
            while count < 3:
                await asyncio.wait_for(anext(listening), 0.5)
                count += 1
        except TimeoutError:
            pass
        await listening.aclose()
        return count

    assert asyncio.run(heard("running")) == 3
    assert asyncio.run(heard("finished")) == 1


def test_a_plot_hands_its_data_over_as_text() -> None:
    drawn = line_chart("x", [Point('"><script>', 0.5, "/cycles/1")], SHARES)
    assert "<script>" not in drawn
    assert plotted(drawn)[0]["labels"] == ['"><script>']


def test_spots_stay_inside_their_plot() -> None:
    spots = [Spot(f"{n}", float(n), n / 4, n, "/m", "") for n in range(5)]
    drawn = scatter("x", spots)
    for x, y, radius in re.findall(r'cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"', drawn):
        assert 0 <= float(x) - float(radius) <= float(x) + float(radius) <= 640
        assert 0 <= float(y) - float(radius) <= float(y) + float(radius) <= 300


def test_spots_of_one_place_stand_side_by_side() -> None:
    spots = [Spot(f"{n}", 1.0, 0.5, 40, "/m", "hot", f"shop.module{n}") for n in range(5)]
    drawn = scatter("x", spots)
    places = sorted(map(float, re.findall(r'<circle[^>]*cx="([\d.]+)"', drawn)))
    assert len(places) == 5
    assert all(right - left >= 23 for left, right in pairwise(places)), "one covers another"
    many = scatter("x", [Spot(f"{n}", 1.0, 0.5, 40, "/m") for n in range(400)])
    assert many.count("<circle") == 400, "where no place is left, spots still stand"


def test_executions_are_named_by_what_they_were_for(
    shop, faster, open_door: Callable[..., Door]
) -> None:
    with Journal.open(journal_url(shop.folder)) as journal, ExecutionRecorder(journal) as recorder:
        recorder(*finished(1))
    page = open_door(shop.folder).browser().get("/executions").text
    assert "<th>execution</th>" not in page
    assert "<th>what</th>" in page


def test_a_recorded_workflow_is_told_without_its_document() -> None:
    row = {
        "name": "nightly",
        "version": 1,
        "source": "shop.py",
        "digest": "cafe0123",
        "document": json.dumps({"steps": [{"call": "shop:load"}, {"call": "shop:total"}]}),
        "created_at": datetime(2026, 11, 18, tzinfo=UTC),
    }
    told = _recorded(row)
    assert told["steps"] == "shop:load, shop:total"
    assert not {"digest", "document"} & set(told)
