"""The dashboard in a real browser, over a journal that a real cycle writes while it is looked at.

Screenshots are kept in the folder that `DASHBOARD_SCREENSHOTS` names.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import ScriptedRepository
from tests.e2e.test_cycle import SHOP, SUITE
from tests.unit.interfaces.cli.test_promotion_commands import journaled

from reverie.interfaces.web.desk import PAGES
from reverie.model.change import Change, FileEdit
from reverie.model.cycle import Sighting, Step
from reverie.model.dream import DreamKind, Stage
from reverie.model.outcome import TestOutcome
from reverie.promotion.bundle.keys import own_key
from reverie.promotion.source import read_source
from reverie.store import ExecutionRecorder, Journal, journal_url
from reverie.store.cycles import CycleWriter
from reverie.testing.executions import finished
from reverie.testing.proofs import proven_dream

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ADVICE = "no Chromium: apt-get install chromium (make setup does, where it may)"
HOSTILE = (
    "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
    "\x1b]0;owned\x07\u202eevil {{7*7}}"
)
PLANTED = "20261115-0300-abcd"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> ScriptedRepository:
    made = ScriptedRepository(tmp_path_factory.mktemp("dashboard") / "shop")
    files = {"shop.py": SHOP, "tests/test_shop.py": SUITE, ".gitignore": ".reverie/\n"}
    made.commit("One", files)
    return made


@pytest.fixture(scope="module")
def environ(shop: ScriptedRepository) -> dict[str, str]:
    own = {"XDG_CONFIG_HOME": str(shop.folder.parent / "config"), "REVERIE_GUARD_RUNS": "2"}
    return {**os.environ, **own}


@pytest.fixture(scope="module")
def served(shop: ScriptedRepository, environ: dict[str, str]) -> Iterator[dict[str, str]]:
    line = [sys.executable, "-m", "reverie", "serve", "--port", "0", "--json"]
    process = subprocess.Popen(
        [*line, "--repo", str(shop.folder)], stdout=subprocess.PIPE, text=True, env=environ
    )
    assert process.stdout is not None
    told = ""
    while not told.rstrip().endswith("}"):
        said = process.stdout.readline()
        assert said, "the server has ended"
        told += said
    yield json.loads(told)
    process.terminate()
    process.stdout.close()
    assert process.wait(15) in (0, -15)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    if CHROMIUM is None:
        if os.environ.get("CI") == "true":
            pytest.fail(ADVICE, pytrace=False)
        pytest.skip(f"NOT RUN: {ADVICE}")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        flags = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield browser
        browser.close()


@pytest.fixture
def look(chromium: Any, served: dict[str, str]) -> Iterator[Callable[..., Any]]:
    """Opens a window in which nothing may complain."""
    windows: list[Any] = []
    complaints: list[str] = []

    def open_window(width: int = 1600, theme: str = "light") -> Any:
        view = {"width": width, "height": 900}
        window = chromium.new_context(viewport=view, color_scheme=theme)
        windows.append(window)
        page = window.new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if is_bad(said) else None)
        page.on("request", lambda each: _here(each.url, served, complaints))
        page.goto(served["link"])
        return page

    yield open_window
    for window in windows:
        window.close()
    assert complaints == []


def is_bad(said: Any) -> bool:
    """Whether a browser complains; that a page is not there, or refuses, is asked for here."""
    expected = re.search(r"responded with a status of (404|409)", said.text)
    return said.type == "error" and not expected


def _here(url: str, served: dict[str, str], complaints: list[str]) -> None:
    if not url.startswith((served["address"], "data:")):
        complaints.append(f"asked for {url}")


def test_a_cycle_is_seen_while_it_runs(
    look: Callable[..., Any], shop: ScriptedRepository, environ: dict[str, str], served: Any
) -> None:
    page = look()
    page.get_by_text("Nothing to see yet").wait_for()
    page.get_by_text("live", exact=False).first.wait_for()
    line = [sys.executable, "-m", "reverie", "run", str(shop.folder), "--executions", "20"]
    with subprocess.Popen(
        [*line, "--seed", "3", "--json"], env=environ, stdout=-3, stderr=-3
    ) as it:
        page.get_by_text("A cycle is running").wait_for(timeout=60_000)
        page.locator("progress").wait_for()
        assert it.wait(180) == 0
    page.get_by_text("each proven").first.wait_for(timeout=60_000)
    assert page.url == served["address"], "nobody reloaded it"
    snapshot(page, "after-a-cycle")


@pytest.fixture(scope="module")
def planted(shop: ScriptedRepository) -> Any:
    """Beside the real cycle: a change that needs two people, and texts that mean harm."""
    before = (shop.folder / "shop.py").read_text()
    after = before.replace("total = count * each", "total = each * count  # " + "x" * 5000)
    after += f"\nNOTE = {HOSTILE!r}\n"
    edit = FileEdit("shop.py", before, after, mode_before="100644", mode_after="100644")
    proven = proven_dream(
        Change((edit,)),
        read_source(shop.folder),
        title=f"Multiply faster {HOSTILE}",
        kind=DreamKind.OPTIMISATION,
        stage=Stage.C,
        needs=("2 approvals by different people",),
    )
    journaled(shop.folder, proven)
    with Journal.open(journal_url(shop.folder)) as journal, ExecutionRecorder(journal) as recorder:
        found = Sighting(f"shop{HOSTILE}", HOSTILE, {"input": HOSTILE, "line": "y" * (1 << 20)})
        CycleWriter(journal, PLANTED).dreamt(Step(0, "tests", "shop", "shop.py", "0"), [], [found])
        code = f"# {HOSTILE}\nx = '{'A' * (1 << 20)}'\n"
        for number in range(60):
            failed = finished(number, code=code, outcome=TestOutcome.TIMEOUT, message=HOSTILE)
            recorder(*failed)
    return proven


def every_page(page: Any, served: Any, planted: Any) -> dict[str, str]:
    """Addresses by name: those of the menu, and what they lead to."""
    found = {title.lower(): f"/{place}" for place, title in PAGES}
    dream = f"/cycles/{PLANTED}/dreams/{planted.dream.id}"
    page.goto(f"{served['address']}dreams?status=promoted")
    real = page.locator("a.row").first.get_attribute("href")
    execution = finished(1)[1].id
    return found | {
        "cycle": "/".join(real.split("/")[:3]),
        "dream": real,
        "dream, side by side": f"{real}?view=split",
        "evidence": f"{real}/evidence",
        "hostile dream": dream,
        "hostile dream, side by side": f"{dream}?view=split",
        "execution": f"/executions/{execution}",
        "module": "/modules/shop",
        "search": "/search?q=shop",
        "figure": "/figures?figure=raroi",
        "nowhere": "/nowhere",
    }


@pytest.mark.parametrize(("theme", "width"), [("light", 1600), ("dark", 400)])
def test_every_page_is_whole_in_both_themes_and_widths(
    look: Callable[..., Any], served: Any, planted: Any, theme: str, width: int
) -> None:
    page = look(width, theme)
    for name, path in every_page(page, served, planted).items():
        answer = page.goto(served["address"].rstrip("/") + path)
        if name == "nowhere":
            assert answer.status == 404
            continue
        assert answer.status == 200, path
        assert page.locator("h1").count() == 1, path
        assert page.title() != "owned", path
        assert page.locator("main script, main img").count() == 0, path
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"{path} is wider than {width}"
        unnamed = page.evaluate(UNNAMED)
        assert unnamed == [], path
        pale = page.evaluate(PALE)
        assert pale == [], f"{path}, {theme}: too little contrast"
        snapshot(page, f"{name}-{theme}-{width}")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (dark == "rgb(20, 23, 27)") == (theme == "dark")


UNNAMED = """
[...document.querySelectorAll("a, button, input:not([type=hidden]), select, svg[role=img]")]
  .filter((each) => !(each.textContent.trim() || each.getAttribute("aria-label")
    || (each.labels && each.labels.length)))
  .map((each) => each.outerHTML.slice(0, 120))
"""
PALE = """
(() => {
  const light = (c) => { const [r, g, b] = c.map((v) => { v /= 255;
    return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; });
    return .2126 * r + .7152 * g + .0722 * b; };
  const parts = (c) => (c.match(/[\\d.]+/g) || []).map(Number);
  const behind = (e) => { for (; e; e = e.parentElement) {
    const c = parts(getComputedStyle(e).backgroundColor);
    if (c.length === 3 || c[3] === 1) return c.slice(0, 3); } return [255, 255, 255]; };
  const found = [];
  for (const e of document.querySelectorAll("body *:not(svg *)")) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!own || !e.offsetParent) continue;
    const ink = light(parts(getComputedStyle(e).color).slice(0, 3)), paper = light(behind(e));
    const ratio = (Math.max(ink, paper) + .05) / (Math.min(ink, paper) + .05);
    if (ratio < 4.5) found.push(`${ratio.toFixed(2)} ${e.tagName}.${e.className}`);
  }
  return [...new Set(found)];
})()
"""


def test_two_people_approve_with_two_keys(
    look: Callable[..., Any], served: Any, planted: Any, tmp_path: Path
) -> None:
    page = look()
    page.goto(f"{served['address']}approvals")
    page.get_by_role("link", name="Multiply faster").click()
    for count, name in enumerate(("Ada", "Bob"), 1):
        own_key(tmp_path / name)
        form = page.locator("form.deed", has_text="Approve").first
        form.get_by_label("Your name").fill(name)
        form.get_by_label("Why").fill("looked at the difference")
        form.get_by_label("Your private key").set_input_files(tmp_path / name / "key.pem")
        form.get_by_role("button", name="Approve").click()
        page.get_by_text(f"{count} of 2 approvals").wait_for()
        assert page.get_by_text(f"{name}, with the key").count() == 1
    assert page.get_by_text("reverie promote").count() == 1
    form = page.locator("form.deed", has_text="Approve").first
    form.get_by_label("Your name").fill("Eve")
    form.get_by_label("Your private key").set_input_files(tmp_path / "Ada" / "key.pem")
    form.get_by_role("button", name="Approve").click()
    page.get_by_text("has approved").wait_for()
    snapshot(page, "refused")


def test_the_keyboard_is_enough(look: Callable[..., Any], served: Any, planted: Any) -> None:
    page = look()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the page"
    for key in ("g", "x"):
        page.keyboard.press(key)
    page.wait_for_url("**/executions")
    page.keyboard.press("j")
    page.keyboard.press("j")
    second = page.evaluate("document.activeElement.getAttribute('href')")
    assert second == page.locator("a.row").nth(1).get_attribute("href")
    assert page.locator("tr.here").count() == 1
    page.keyboard.press("n")
    page.wait_for_url("**/executions?after=*")
    page.keyboard.press("k")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/executions/[0-9a-f]+$"))
    page.keyboard.press("u")
    page.wait_for_url("**/executions")
    page.keyboard.press("?")
    assert page.locator("dialog[open]").count() == 1
    snapshot(page, "keys")
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0
    page.keyboard.press("/")
    page.keyboard.type("shop")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?q=shop")
    page.keyboard.press("t")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.reload()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 27)"


def test_a_filter_is_an_address(look: Callable[..., Any], served: Any, planted: Any) -> None:
    page = look()
    page.goto(f"{served['address']}dreams")
    page.get_by_label("Status").select_option("tested")
    page.wait_for_url("**/dreams?status=tested**")
    address = page.url
    assert page.locator("a.row").count() == 1
    other = look()
    other.goto(address)
    assert other.get_by_label("Status").input_value() == "tested"
    assert other.locator("a.row").count() == 1


def snapshot(page: Any, name: str) -> None:
    folder = os.environ.get("DASHBOARD_SCREENSHOTS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(folder) / f"{re.sub('[^a-z0-9]+', '-', name)}.png")
