"""The dashboard in a real browser, over a journal that a real cycle writes while it is looked at.

Screenshots are kept in the folder that `DASHBOARD_SCREENSHOTS` names.
"""

import itertools
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
from scripts.screenshots import accessibility
from tests.conftest import ScriptedRepository
from tests.e2e.test_cycle import SHOP, SUITE
from tests.unit.interfaces.cli.test_promotion_commands import journaled
from tests.unit.interfaces.web.test_deciding import baseline

from reverie.interfaces.web.desk import MENU, MORE
from reverie.model.change import Change, FileEdit
from reverie.model.cycle import Sighting, Step
from reverie.model.dream import DreamKind, Stage
from reverie.model.outcome import TestOutcome
from reverie.model.ruling import Answer
from reverie.promotion.bundle.keys import own_key
from reverie.promotion.trial_tree import read_source
from reverie.store import ExecutionRecorder, Journal, journal_url
from reverie.store.cycles.cycles import CycleWriter
from reverie.testing.fakes import finished, new_file, proven_dream

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ADVICE = "no Chromium: apt-get install chromium (make setup does, where it may)"
HOSTILE = (
    "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
    "\x1b]0;owned\x07\u202eevil {{7*7}}"
)
PLANTED = "20261115-0300-abcd"
PLAIN = "price: ZeroDivisionError"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> ScriptedRepository:
    made = ScriptedRepository(tmp_path_factory.mktemp("dashboard") / "shop")
    files = {"shop.py": SHOP, "tests/test_shop.py": SUITE, ".gitignore": ".reverie/\n"}
    made.commit("One", files)
    return made


@pytest.fixture(scope="module")
def environ(shop: ScriptedRepository) -> dict[str, str]:
    home = shop.folder.parent
    own = {"HOME": str(home), "XDG_CONFIG_HOME": str(home / "config"), "REVERIE_GUARD_RUNS": "2",
           "REVERIE_ROI_CONFIDENCE": "0.2"}  # fmt: skip
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
    page.get_by_text("Nothing has run yet").wait_for()
    page.get_by_text("updates by itself", exact=False).first.wait_for()
    line = [
        sys.executable,
        "-m",
        "reverie",
        "run",
        str(shop.folder),
        "--stage",
        "A",
        "--executions",
        "20",
    ]
    with subprocess.Popen(
        [*line, "--stage", "A", "--seed", "3", "--json"], env=environ, stdout=-3, stderr=-3
    ) as it:
        page.get_by_text("A cycle is running").wait_for(timeout=60_000)
        page.locator("progress").wait_for()
        page.evaluate(WATCH)
        assert it.wait(180) == 0
        moves = page.evaluate("moves")
    page.get_by_text("A cycle is running").wait_for(state="detached", timeout=60_000)
    assert page.locator("table.rows .chip", has_text="finished").count() == 1
    gaps = sorted(after - before for before, after in itertools.pairwise(moves))
    assert gaps, "nothing has moved while it ran"
    assert gaps[len(gaps) // 2] <= 2_000, "half of all steps are further apart than two seconds"
    assert page.url == served["address"], "nobody reloaded it"
    snapshot(page, "after-a-cycle")
    page.goto(f"{served['address']}modules")
    lines = page.locator("td[data-label=lines]").first.inner_text()
    assert re.search(r"\d", lines), "a cycle has read the modules: no index was asked for"


WATCH = """
window.moves = [performance.now()];
new MutationObserver(() => moves.push(performance.now()))
  .observe(document.getElementById("main"), { childList: true });
"""


@pytest.fixture(scope="module")
def planted(shop: ScriptedRepository, environ: dict[str, str]) -> Any:
    """Beside the real cycle: a change that waits, one that is ready, and texts that mean harm."""
    shop.commit("Two", {"docs.txt": "how to shop\n"})
    reverie = [sys.executable, "-m", "reverie"]
    quiet = {"env": environ, "check": True, "stdout": subprocess.DEVNULL}
    subprocess.run([*reverie, "index", shop.folder], **quiet)  # makes the folder ours
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
    refused = proven_dream(
        new_file("tests/test_more.py", "def test_more():\n    assert True\n"),
        read_source(shop.folder),
        title="Test nothing in particular",
        answer=Answer.FAIL,
    )
    test = "def test_shop():\n    assert __import__('shop')\n"
    ready = proven_dream(new_file("tests/test_ready.py", test), read_source(shop.folder))
    journaled(shop.folder, proven, refused, ready)
    subprocess.run([*reverie, "promote", ready.dream.id, "--repo", shop.folder], **quiet)
    with Journal.open(journal_url(shop.folder)) as journal, ExecutionRecorder(journal) as recorder:
        found = Sighting(f"shop{HOSTILE}", HOSTILE, {"input": HOSTILE, "line": "y" * (1 << 20)})
        for number, (revision, share) in enumerate((("HEAD~1", 0.5), ("HEAD", 0.9)), 1):
            commit = shop.git("rev-parse", revision).strip()
            baseline(journal, shop.folder, number, commit, shop=share)
        plain = Sighting("shop", PLAIN, {"input": "price(0)", "line": 3})
        step = Step(0, "tests", "shop", "shop.py", "0")
        CycleWriter(journal, PLANTED).dreamt(step, [], [found, plain])
        code = f"# {HOSTILE}\nx = '{'A' * (1 << 20)}'\n"
        for number in range(60):
            failed = finished(number, code=code, outcome=TestOutcome.TIMEOUT, message=HOSTILE)
            recorder(*failed)
    return proven


def every_page(page: Any, served: Any, planted: Any) -> dict[str, str]:
    """Addresses by name: those of the menu, and what they lead to."""
    found = {title.lower(): f"/{place}" for place, title in (*MENU, *MORE)}
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
        "finding": f"/cycles/{PLANTED}/findings/{Sighting('shop', PLAIN).signature}",
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
        rules = None if theme == "light" else ["color-contrast"]
        assert accessibility(page, rules) == [], f"{path}, {theme}"
        snapshot(page, f"{name}-{theme}-{width}")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (dark == "rgb(20, 23, 27)") == (theme == "dark")


def test_the_ten_usual_tasks(
    look: Callable[..., Any], served: Any, planted: Any, environ: dict[str, str]
) -> None:
    page, address = look(1440), served["address"]
    # 1 what is ready, and what it brings
    page.goto(address)
    page.locator("#ready a.row").first.click()
    page.get_by_role("heading", name="What it brings").wait_for()
    # 2 take it: the command is copied, or marked where the browser does not let us
    assert page.locator("code", has_text="git cherry-pick").count() == 1
    page.locator("[data-copy^='git cherry-pick']").click()
    page.get_by_text(re.compile("^(Copied|Marked)$")).wait_for()
    # 3 prove it again
    assert page.locator("code", has_text="reverie verify").count() == 1
    # 4 take it back, without a key of one's own
    page.get_by_role("group").filter(has_text="Take it back").locator("summary").click()
    page.get_by_label("Why").fill("too clever")
    page.get_by_role("button", name="Take it back").click()
    page.get_by_text("too clever").wait_for()
    assert page.locator(".chip", has_text="rolled back").count() >= 1
    # 5 why was this refused?
    page.get_by_role("link", name="Changes", exact=True).first.click()
    page.get_by_label("Status").select_option("rejected")
    page.wait_for_url("**status=rejected**")
    page.get_by_role("link", name="Test nothing in particular").click()
    page.get_by_text("Refused:").wait_for()
    # 6 ignore a finding for ever
    page.get_by_role("link", name="Findings", exact=True).click()
    page.get_by_role("link", name=PLAIN).click()
    page.get_by_role("button", name="Ignore", exact=True).click()
    page.locator(".chip", has_text="ignored").first.wait_for()
    page.get_by_role("link", name="Findings", exact=True).first.click()
    page.wait_for_url("**/findings")
    assert page.get_by_role("link", name=PLAIN).count() == 0
    # 7 approve what waits, with the key of this account
    home = Path(environ["HOME"]) / ".ssh"
    shutil.copytree(_key_folder(home.parent), home)
    page.get_by_role("link", name="Waiting", exact=True).click()
    page.get_by_role("link", name="Multiply faster").click()
    page.locator("summary", has_text="Approve").click()
    page.get_by_label("Your name").first.fill("Ada")
    page.get_by_role("button", name="Approve", exact=True).click()
    page.get_by_text("1 of 2 approvals").wait_for()
    # 8 where tests are missing most
    page.get_by_role("link", name="Modules", exact=True).click()
    page.get_by_role("link", name="shop", exact=True).first.click()
    page.get_by_role("heading", name="At each commit that a cycle measured").wait_for()
    # 9 what earns most, under More
    page.locator("nav summary").click()
    page.get_by_role("link", name="Time and yield").click()
    page.get_by_role("heading", name="Time and yield").wait_for()
    # 10 find something by its id
    page.get_by_label("Search ids").fill(planted.dream.id[:8])
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/dreams/{planted.dream.id}")


def _key_folder(folder: Path) -> Path:
    """A folder as ssh keeps it, with a key of Ada's."""
    own_key(folder / "made")
    place = folder / "keys"
    place.mkdir()
    shutil.copy2(folder / "made" / "key.pem", place / "id_ed25519")
    return place


def test_a_plot_answers_the_mouse(look: Callable[..., Any], served: Any, planted: Any) -> None:
    page = look(1440)
    page.goto(f"{served['address']}modules/shop")
    over = page.locator(".u-over").first
    over.hover()
    page.locator(".tip:visible", has_text="%").first.wait_for()
    axis = page.evaluate(CLIPPED)
    assert axis == [], "labels that are cut off"
    box = over.bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.6 * box["width"], y)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.95 * box["width"], y, steps=5)
    page.mouse.up()
    page.locator(".zoomed").first.wait_for()
    over.dblclick()
    page.locator(".zoomed").wait_for(state="detached")


CLIPPED = """
[...document.querySelectorAll(".plot")].flatMap((host) => {
  const plot = host.plot, drawn = plot.ctx.canvas.getBoundingClientRect();
  plot.ctx.save(); plot.ctx.font = plot.axes[1].font[0];
  const wide = Math.max(...plot.axes[1]._values.map((each) => plot.ctx.measureText(each).width));
  plot.ctx.restore();
  const left = plot.bbox.left;
  if (wide > left) return [`${wide} > ${left}`];
  return drawn.right > host.getBoundingClientRect().right + 1 ? ["wide"] : [];
})
"""


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


def test_a_finding_is_judged_by_keys_alone(
    look: Callable[..., Any], served: Any, planted: Any
) -> None:
    page = look()
    for key in ("g", "f"):
        page.keyboard.press(key)
    page.wait_for_url("**/findings")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url("**/findings/*")
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Bug":
            break
    page.keyboard.press("Enter")
    page.locator(".chips .chip", has_text="bug").wait_for()


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
