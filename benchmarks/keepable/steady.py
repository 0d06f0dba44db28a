"""Written tests run many times in plain pytest: other orders, hash seeds and times of day.

All files of a sheet run together. Beside them stands a planted one: a test that looks at the hour,
one that looks at a hash, one that needs another before it. Runs that do not see each of them both
pass and fail prove nothing.
"""

import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.keepable.writing import SAMPLE, SAMPLE_FOLDER

_ROOT = Path(__file__).parents[2]
_SECONDS = 600
_CLOCKS = (1_736_937_000, 2_051_222_390)
"""10:30 of a day in January 2025, and ten seconds before midnight of the last of 2034; UTC."""
_ZONES = ("UTC", "Asia/Tokyo", "America/New_York")
_PLANT = """
import datetime

seen = []


def test_planted_hour():
    assert datetime.datetime.now(datetime.timezone.utc).hour < 12


def test_planted_hash():
    assert hash("planted") % 2


def test_planted_before():
    seen.append(1)


def test_planted_after():
    assert seen
"""
_WAVERING = ("test_planted_hour", "test_planted_hash", "test_planted_after")


@dataclass(frozen=True, slots=True)
class Steadiness:
    """The written tests of a sheet: how many there are, and which of them failed in which runs."""

    tests: int
    failures: tuple[str, ...]


def run_often(folder: Path, runs: int) -> Steadiness:
    """Every test that was written for a sheet, so many times."""
    files = sorted((folder / "files").glob("*/test_*.py"))
    packages = sorted({each.parent.name for each in files})
    roots = [SAMPLE_FOLDER if each == SAMPLE else folder / "checkouts" / each for each in packages]
    outcomes = [_run_once(files, [each.resolve() for each in roots], at) for at in range(runs)]
    for name in _WAVERING:
        came_to = {each.get(f"test_planted::{name}") for each in outcomes}
        if came_to != {"passed", "failed"}:
            raise SystemExit(f"the planted {name} came to {came_to}: nothing is proven")
    names = {name for each in outcomes for name in each if not name.startswith("test_planted::")}
    failures = [
        f"run {number}: {name} {outcome.get(name, 'missing')}"
        for number, outcome in enumerate(outcomes)
        for name in sorted(names)
        if outcome.get(name) != "passed"
    ]
    return Steadiness(len(names), tuple(failures))


def _run_once(files: Sequence[Path], roots: Sequence[Path], number: int) -> dict[str, str]:
    """Outcomes by name, in one process."""
    with tempfile.TemporaryDirectory(prefix="steady-") as scratch:
        place = Path(scratch)
        for file in files:
            (place / file.name).write_bytes(file.read_bytes())
        (place / "test_planted.py").write_text(_PLANT, "utf-8")
        paths = [*(each / "src" for each in roots), *roots, _ROOT]
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, paths)),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONHASHSEED": str(number + 1),
            "TZ": _ZONES[number % len(_ZONES)],
            "KEEPABLE_ORDER": str(number),
            "KEEPABLE_INSTANT": str(_CLOCKS[number % len(_CLOCKS)] + 3600 * (number // 2 % 3)),
        }
        command = [
            sys.executable, "-m", "pytest", "-q", "-p", "benchmarks.keepable.conditions",
            "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:reverie_pytest",
            "-c", os.devnull, f"--rootdir={place}", f"--junitxml={place / 'report.xml'}", place,
        ]  # fmt: skip
        subprocess.run(
            list(map(str, command)), cwd=place, env=environment, capture_output=True,
            timeout=_SECONDS, check=False,
        )  # fmt: skip
        return _read(place / "report.xml")


def _read(report: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        is_bad = any(child.tag in ("failure", "error", "skipped") for child in case)
        name = f"{case.get('classname')}::{case.get('name')}"
        found[name] = "failed" if is_bad else "passed"
    return found
