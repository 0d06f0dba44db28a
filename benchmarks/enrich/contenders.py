"""Who writes the tests: ours, Pynguin, and the people of the package."""

import json
import os
import shutil
import subprocess
import time
from pathlib import Path

from benchmarks.enrich.measure import PEERS, PYTHON, REVERIE, Worth, measure, site_packages

_SUITES = {
    "humanize.number": ("humanize", "tests/test_number.py"),
    "toolz.itertoolz": ("toolz", "toolz/tests/test_itertoolz.py"),
    "isodate.duration": ("isodate", "tests"),
    "tomli._parser": ("tomli", "tests"),
    "semver.version": ("semver", "tests"),
    "cachetools": ("cachetools", "tests"),
}

_PATIENCE = 20
"""In budgets: the search keeps to its own, and what comes after it does not."""


def run_ours(module: str, seconds: float, seed: int, folder: Path) -> Worth:
    out = folder / f"ours-{module}"
    shutil.rmtree(out, ignore_errors=True)
    began = time.monotonic()
    done = subprocess.run(
        [REVERIE, "enrich", module, "--python", PYTHON, "--budget", f"{seconds}s", "--out", out,
         "--seed", str(seed), "--no-measure", "--json"],
        cwd=folder, capture_output=True, text=True, timeout=_PATIENCE * seconds, check=False,
    )  # fmt: skip
    spent = time.monotonic() - began
    try:
        file = json.loads(done.stdout)[0]["file"]
    except (ValueError, LookupError):
        return Worth(module, "ours", spent, note=done.stderr.strip()[-200:])
    if file is None:
        return Worth(module, "ours", spent, note="nothing worth keeping")
    return measure(module, "ours", folder / file, spent)


def run_pynguin(module: str, seconds: float, seed: int, folder: Path) -> Worth:
    out = folder / f"pynguin-{module}"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    began = time.monotonic()
    try:
        done = subprocess.run(
            [PEERS / "pynguin" / "bin" / "pynguin", "--project-path", site_packages(),
             "--module-name", module, "--output-path", out,
             "--maximum-search-time", str(int(seconds)), "--seed", str(seed),
             "--maximum-module-execution-timeout", "60"],
            cwd=folder, env={**os.environ, "PYNGUIN_DANGER_AWARE": "1"}, capture_output=True,
            text=True, timeout=_PATIENCE * seconds, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return Worth(module, "pynguin", _PATIENCE * seconds, note="still writing assertions")
    spent = time.monotonic() - began
    files = sorted(out.glob("test_*.py"))
    if not files:
        return Worth(module, "pynguin", spent, note=done.stderr.strip()[-200:])
    return measure(module, "pynguin", files[0], spent)


def run_own_suite(module: str) -> Worth:
    """The tests that the package's people wrote, as its sdist carries them."""
    package, path = _SUITES.get(module, (module.partition(".")[0], "tests"))
    homes = sorted((PEERS / "sdists").glob(f"{package}-*/"))
    tests = homes[0] / path if homes else None
    if tests is None or not tests.exists():
        return Worth(module, "own suite", note="no suite in the sdist")
    return measure(module, "own suite", tests, None)
