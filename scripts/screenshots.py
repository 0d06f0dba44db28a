"""Pictures of every page of the dashboard and of the report, to be looked at one by one.

`make screenshots` runs it on the bundled sample repository and writes build/screenshots. Every page
is opened in both themes and three widths, checked by axe-core, and measured: nothing may be wider
than the window.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import Browser, Page, sync_playwright

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
WIDTHS = (1440, 1024, 400)
THEMES = ("light", "dark")
OPENED = bool(os.environ.get("OPENED"))
"""Whether every page is taken once more with all that is folded opened."""
SERIOUS = ("serious", "critical")
LINKS = {
    "cycle": ("/cycles", r"^/cycles/[^/]+$"),
    "change": ("/dreams?status=promoted", r"^/cycles/[^/]+/dreams/[^/?]+$"),
    "change-waiting": ("/dreams?status=tested", r"^/cycles/[^/]+/dreams/[^/?]+$"),
    "change-refused": ("/dreams?status=rejected", r"^/cycles/[^/]+/dreams/[^/?]+$"),
    "finding": ("/findings", r"^/cycles/[^/]+/findings/[^/?]+$"),
    "module": ("/modules", r"^/modules/.+$"),
    "execution": ("/executions", r"^/executions/[^/?]+$"),
    "failure": ("/patterns", r"^/patterns/[^/?]+$"),
}
"""Pages behind lists: the first link of the list that looks so."""
STILL = """addEventListener("DOMContentLoaded", () => {
  for (const each of document.querySelectorAll("time")) {
    if (!/ ago$|^just now$/.test(each.textContent)) continue;
    const minutes = Math.floor((%d - Date.parse(each.dateTime)) / 60000);
    each.textContent = minutes === 1 ? "1 minute ago" : minutes + " minutes ago";
  }
})"""
"""Says how long ago something was as if no time went by, so that pictures tell what was changed."""
CONNECTED = "!/^not connected/.test(document.getElementById('live')?.textContent)"
"""Whether what the foot of a page says is what it goes on saying."""


SLOW = '''"""Who borrows most."""


def unique_titles(titles: list[str]) -> list[str]:
    """The titles, each once, in the order they came."""
    seen = []
    for title in titles:
        if title not in seen:
            seen.append(title)
    return seen


def has_points(points: int) -> bool:
    """Whether a member has any points."""
    if points > 0:
        return True
    else:
        return False
'''
SLOW_TESTS = """from lendery.loyalty import has_points, unique_titles


def test_unique_titles():
    assert unique_titles(["a", "b", "a"]) == ["a", "b"]
    assert unique_titles([]) == []


def test_has_points():
    assert has_points(1) is True
    assert has_points(0) is False
"""
"""A module with something to make clearer and something to make faster, and its tests."""
MORE = '''

def is_new(loans: int) -> bool:
    """Whether a member has never borrowed."""
    if loans == 0:
        return True
    else:
        return False
'''
MORE_TESTS = """

def test_is_new():
    from lendery.loyalty import is_new

    assert is_new(0) is True
    assert is_new(2) is False
"""
BROKEN = "def first(titles=()):\n    return titles[0]\n"
"""What fails in the sandbox, twice in the same way."""


def main(arguments: list[str]) -> int:
    """Take every picture; 1 when something was found on a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repository", type=Path, nargs="?", help="one with a journal")
    parser.add_argument("--out", type=Path, default=Path("build/screenshots"))
    parser.add_argument("--only", default="", help="pages whose name has this in it")
    given = parser.parse_args(arguments)
    given.out.mkdir(parents=True, exist_ok=True)
    given.repository = given.repository or four_nights(given.out / "lendery")
    report = given.out / "report.html"
    reverie("report", richest(given.repository), "--repo", given.repository, "--html", report)
    with browser() as chromium:
        with served(given.repository) as told:
            found = take_all(
                chromium, told, report.resolve(), given.out, given.only, still(given.repository)
            )
        with served(never_run(given.out / "never_run")) as told:
            found += take_first(chromium, told, given.out, given.only)
    for line in found:
        print(line)
    print(f"{len(list(given.out.glob('*.png')))} pictures in {given.out}, {len(found)} faults")
    return 1 if found else 0


def four_nights(folder: Path) -> Path:
    """The bundled sample after four nights: tests, merged; clearer; faster; something refused."""
    sys.path.insert(0, str(EXAMPLES))
    from sample_history import git, make_sample

    whole = folder / ".reverie/four_nights"
    if whole.exists():
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    make_sample(folder)
    reverie("run", folder, "--budget", "150s")
    ours = git(folder, "for-each-ref", "--format=%(refname:short)", "refs/heads/reverie").split()
    me = ("-c", "user.name=Ines", "-c", "user.email=ines@example.org")
    git(folder, *me, "merge", "--quiet", ours[0])
    (folder / "src/lendery/loyalty.py").write_text(SLOW)
    (folder / "tests/test_loyalty.py").write_text(SLOW_TESTS)
    git(folder, "add", "--all", "src", "tests")
    git(folder, *me, "commit", "--quiet", "--message", "Who borrows most")
    reverie("run", folder, "--stage", "B", "--budget", "60s")
    # One night of tests need not reach what stage C asks for: here a change has to be seen waiting.
    os.environ["REVERIE_GUARD_COVERAGE_OPTIMISE"] = "0.1"
    reverie("run", folder, "--stage", "C", "--budget", "200s")
    for name, text in (("src/lendery/loyalty.py", MORE), ("tests/test_loyalty.py", MORE_TESTS)):
        place = folder / name
        place.write_text(place.read_text() + text)
    git(folder, *me, "commit", "--quiet", "--all", "--message", "New members")
    os.environ["REVERIE_GUARD_LINES"] = "2"  # so that something is refused
    reverie("run", folder, "--stage", "B", "--budget", "60s")
    (folder / ".reverie/broken.py").write_text(BROKEN)
    for _ in range(2):
        line = ("exec", folder / ".reverie/broken.py", "--entry", "first", "--repo", folder)
        reverie(*line, expected=1)
    whole.touch()  # what was stopped halfway is made anew
    return folder


def reverie(*words: object, expected: int = 0) -> str:
    """What a command prints."""
    line = [sys.executable, "-m", "reverie", *map(str, words)]
    done = subprocess.run(line, check=False, stdout=subprocess.PIPE, text=True)
    if done.returncode != expected:
        raise SystemExit(f"{' '.join(line)}: exit code {done.returncode}")
    return done.stdout


def cycles_of(repository: Path) -> list[dict[str, Any]]:
    """Its cycles, newest first."""
    found: list[dict[str, Any]] = json.loads(reverie("cycles", "--repo", repository, "--json"))[
        "cycles"
    ]
    return found


def still(repository: Path) -> str:
    """The script that stops time a quarter of an hour after the newest cycle began."""
    newest = datetime.fromisoformat(cycles_of(repository)[0]["started_at"])
    return STILL % ((newest.timestamp() + 900) * 1000)


def richest(repository: Path) -> str:
    """The cycle with most to show."""
    found = cycles_of(repository)
    told = ("promoted", "waiting", "findings")
    return str(max(found, key=lambda each: sum(each[name] for name in told))["cycle_id"])


@contextmanager
def served(repository: Path) -> Iterator[dict[str, str]]:
    """The dashboard of a repository: its address, token and link."""
    line = [sys.executable, "-m", "reverie", "serve", "--port", "0", "--json", "--repo", repository]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as process:
        told = ""
        while not told.rstrip().endswith("}"):
            said = process.stdout.readline() if process.stdout else ""
            if not said:
                raise SystemExit("the dashboard did not start")
            told += said
        yield json.loads(told)
        process.terminate()


@contextmanager
def browser() -> Iterator[Browser]:
    """The system's Chromium."""
    place = shutil.which("chromium") or shutil.which("chromium-browser")
    if place is None:
        raise SystemExit("no Chromium: apt-get install chromium")
    with sync_playwright() as playwright:
        flags = ["--no-sandbox"] if os.geteuid() == 0 else []
        found = playwright.chromium.launch(executable_path=place, args=flags)
        yield found
        found.close()


def take_all(
    chromium: Browser, told: dict[str, str], report: Path, out: Path, only: str, script: str = ""
) -> list[str]:
    """Every page in every width and theme, and what is wrong with each."""
    faults: list[str] = []

    def complain(error: object) -> None:
        faults.append(f"script: {error}")

    for width in WIDTHS:
        for theme in THEMES:
            view = {"width": width, "height": 900}
            window = chromium.new_context(viewport=view, color_scheme=theme)  # type: ignore[arg-type]
            window.add_init_script(script)
            page = window.new_page()
            page.on("pageerror", complain)
            page.goto(told["link"])
            pages = every_page(page, told["address"].rstrip("/"))
            pages["report"] = report.as_uri()
            for name, address in pages.items():
                if only in name:
                    where = f"{name}-{width}-{theme}"
                    faults += take(page, address, out / f"{where}.png")
            window.close()
    return faults


def never_run(folder: Path) -> Path:
    """A repository that nothing has run in."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "pyproject.toml").write_text('[project]\nname = "new"\nversion = "0"\n')
    return folder


def take_first(chromium: Browser, told: dict[str, str], out: Path, only: str) -> list[str]:
    """What somebody sees who opens the dashboard before the first run."""
    faults: list[str] = []
    for width in WIDTHS:
        for theme in THEMES:
            view = {"width": width, "height": 900}
            window = chromium.new_context(viewport=view, color_scheme=theme)  # type: ignore[arg-type]
            page = window.new_page()
            page.goto(told["link"])
            if only in "before-the-first-run":
                address = told["address"].rstrip("/")
                faults += take(page, address, out / f"before-the-first-run-{width}-{theme}.png")
            window.close()
    return faults


def every_page(page: Page, address: str) -> dict[str, str]:
    """Addresses by name: those of the menu, and the first of what each list leads to."""
    places = page.eval_on_selector_all("nav a", "all => all.map((a) => a.getAttribute('href'))")
    found = {place.strip("/") or "overview": address + place for place in places}
    for name, (where, pattern) in LINKS.items():
        page.goto(address + where)
        hrefs = page.eval_on_selector_all("main a", "all => all.map((a) => a.getAttribute('href'))")
        first = next((href for href in hrefs if re.match(pattern, href or "")), None)
        if first is not None:
            found[name] = address + first
    if "change" in found:
        found["evidence"] = f"{found['change']}/evidence"
        found["change-side-by-side"] = f"{found['change']}?view=split"
    return found | {"search": f"{address}/search?q=a", "nowhere": f"{address}/nowhere",
                    "login": f"{address}/login"}  # fmt: skip


def take(page: Page, address: str, picture: Path) -> list[str]:
    """One picture; what axe-core calls serious, and how much is wider than the window."""
    page.goto(address)
    page.wait_for_function(CONNECTED)
    page.wait_for_timeout(150)  # plots are drawn after the page
    page.screenshot(path=picture, full_page=True)
    if OPENED:
        page.evaluate("document.querySelectorAll('main details').forEach((e) => { e.open = true })")
        page.screenshot(path=picture.with_stem(f"{picture.stem}-opened"), full_page=True)
    return [f"{picture.stem}: {each}" for each in (*accessibility(page), *too_wide(page))]


def accessibility(page: Page, rules: list[str] | None = None) -> list[str]:
    """Serious findings of axe-core on the page that is open; by some of its rules, or by all."""
    page.evaluate(AXE_FILE_PATH.read_text("utf-8"))
    found: Any = page.evaluate("(rules) => axe.run(rules ? { runOnly: rules } : {})", rules)
    return [
        f"{each['id']}: {node['target']} {node['html'][:100]}"
        for each in found["violations"]
        if each["impact"] in SERIOUS
        for node in each["nodes"][:3]
    ]


def too_wide(page: Page) -> list[str]:
    """By how much a page is wider than its window."""
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return [f"wider than its window by {wide}"] if wide > 0 else []


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
