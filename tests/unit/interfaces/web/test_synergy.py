"""The matrix of what changes do together, on rows that are made here."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from benchmarks.dashboard.data import Size, cycle_name, dream_name, fill
from tests.unit.interfaces.web.conftest import Door

from reverie.interfaces.web.pages.synergy import matrices
from reverie.model.measurements.benchmark import Estimate
from reverie.model.workflow_evolution import Interaction, SynergyKind
from reverie.store import Journal, journal_url
from reverie.store.browsing.modules import Named
from reverie.store.cycles.worth import record_interactions
from reverie.store.tables.promotion_tables import interactions

HOSTILE = "<script>alert(1)</script>"
ONE, TWO, THREE = (dream_name(0, n) for n in range(3))
AGAINST = Interaction(ONE, TWO, "roi", None, SynergyKind.CONFLICTING, 1)
ALONG = Interaction(THREE, ONE, "roi", Estimate(3.5, 1.25, 6.0), SynergyKind.REINFORCING, 3)
GONE = Interaction(HOSTILE, "gone", "latency", None, SynergyKind.UNKNOWN, 2)


@pytest.fixture
def measured(repository: Path) -> Path:
    (repository / ".reverie").mkdir()
    with Journal.open(journal_url(repository)) as journal:
        fill(journal, repository, Size(cycles=3, dreams=4, executions=10, patterns=2))
        with journal.writing() as connection:
            connection.execute(interactions.delete())
        early = Interaction(TWO, ONE, "roi", Estimate(9.0, 8.0, 10.0), SynergyKind.ADDITIVE, 3)
        record_interactions(journal, cycle_name(0), [early, AGAINST, ALONG, GONE])
    return repository


def rows_of(page: str) -> list[list[str]]:
    """Every row of every matrix, as words."""
    body = page.partition("<main")[2]
    rows = re.findall(r"<tr>(.*?)</tr>", body, re.DOTALL)
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]
    return [[" ".join(re.sub(r"<[^>]+>", " ", each).split()) for each in row] for row in cells]


def test_a_pair_stands_on_both_sides_of_the_matrix(
    measured: Path, open_door: Callable[..., Door]
) -> None:
    answer = open_door(measured).browser().get("/synergy")
    assert answer.status_code == 200
    assert HOSTILE not in answer.text
    rows = [row for row in rows_of(answer.text) if any("reinforcing" in each for each in row)]
    assert len(rows) == 2
    for row in rows:
        told = next(each for each in row if "reinforcing" in each)
        assert told == "reinforcing +3.5 (+1.25 to +6) n 3"


def test_a_pair_that_was_measured_again_is_as_it_was_last(
    measured: Path, open_door: Callable[..., Door]
) -> None:
    page = open_door(measured).browser().get("/synergy").text
    assert "additive" not in page
    assert "cannot be had together" in page
    assert "3 pairs of changes" in page
    assert f'href="/cycles/{cycle_name(0)}/dreams/{ONE}"' in page


def test_a_cycle_without_pairs_is_not_shown_as_one(
    measured: Path, repository: Path, open_door: Callable[..., Door]
) -> None:
    browser = open_door(measured).browser()
    assert browser.get(f"/synergy?cycle={cycle_name(0)}").status_code == 200
    for other in (cycle_name(1), "nothing", HOSTILE):
        answer = browser.get("/synergy", params={"cycle": other})
        assert answer.status_code == 404
        assert HOSTILE not in answer.text


def test_nothing_measured_is_said(repository: Path, open_door: Callable[..., Door]) -> None:
    (repository / ".reverie").mkdir()
    Journal.open(journal_url(repository)).close()
    page = open_door(repository).browser().get("/synergy").text
    assert "No pair was measured" in page
    assert "<table" not in page


def test_a_matrix_has_a_module_and_a_metric_of_its_own_and_says_what_it_leaves_out() -> None:
    ids = [f"{n:02d}" for n in range(20)]
    named = {each: Named(each, f"title {each}", "shop", "tested") for each in ids}
    named |= {"x": Named("x", "x", "cart", "tested"), "y": Named("y", "y", "cart", "tested")}
    found = [Interaction(ids[0], each, "roi", None, SynergyKind.UNKNOWN, 1) for each in ids[1:]]
    found.append(Interaction("y", "x", "roi", None, SynergyKind.UNKNOWN, 1))
    cart, shop = matrices(found, named)
    assert (cart.module, [each.id for each in cart.dreams], cart.left_out) == (
        "cart",
        ["x", "y"],
        0,
    )
    assert cart.cells[0][1] is cart.cells[1][0] is found[-1]
    assert cart.cells[0][0] is None
    assert (len(shop.dreams), shop.left_out) == (16, 4)
