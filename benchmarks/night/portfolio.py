"""`python -m benchmarks.night.portfolio`: one night over every stage beside one stage a night.

    python -m benchmarks.night.portfolio REPOSITORY… --seconds 90 [--keep FOLDER] [--json FILE]

Each repository (a bare git directory, or any other that git can clone) is cloned twice and
prepared, which is not counted. One clone has one night of so many seconds, the other one night for
each of the stages A, B and C, which share the same seconds. Counted are changes that are proven,
those that wait for an approval among them, and CPU seconds of the whole tree of processes. Titles
are printed, for whoever wants to say which of them a maintainer keeps.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.soak.residue import become_subreaper

STAGES = ("A", "B", "C")
"""Those that end in changes."""


@dataclass(frozen=True, slots=True)
class Way:
    """What came of one way to spend the time."""

    changes: tuple[str, ...]
    """Kind and title of each that is proven."""
    cpu_seconds: float
    seconds: float
    refused: int
    findings: int

    @property
    def rate(self) -> float:
        """Changes per CPU minute."""
        return 60 * len(self.changes) / self.cpu_seconds


@dataclass(frozen=True, slots=True)
class Compared:
    """One package, spent on both ways."""

    package: str
    night: Way
    split: Way


def main() -> int:
    """Every repository both ways; the exit code is 1 below 1.5 times as many in a night."""
    options = _options()
    become_subreaper()
    compared = []
    with tempfile.TemporaryDirectory(prefix="portfolio-") as scratch:
        for each in options.repositories:
            folder = options.keep or Path(scratch)
            compared.append(_both(each, folder, options.seconds, options.seed))
            _tell(compared[-1])
    night = _together(each.night for each in compared)
    split = _together(each.split for each in compared)
    ratio = night.rate / split.rate if split.changes else float("inf")
    print(
        f"\na CPU minute: {night.rate:.2f} and {split.rate:.2f} changes, {ratio:.2f} times as many"
    )
    if options.json is not None:
        options.json.write_text(json.dumps([asdict(each) for each in compared], indent=1), "utf-8")
    return 0 if ratio >= 1.5 else 1


def _both(repository: Path, folder: Path, seconds: float, seed: int) -> Compared:
    name = repository.name if repository.name not in ("repo", ".git") else repository.parent.name
    places = [folder / f"{name}-{way}" for way in ("night", "split")]
    for place in places:
        subprocess.run(["git", "clone", "-q", str(repository), str(place)], check=True)
        _reverie("prepare", str(place), "--yes")
    night = _spent([_run(places[0], seconds, seed)])
    nights = [_run(places[1], seconds / len(STAGES), seed, "--stage", stage) for stage in STAGES]
    return Compared(name, night, _spent(nights))


@dataclass(frozen=True, slots=True)
class _Ran:
    document: dict[str, Any]
    cpu_seconds: float
    seconds: float


def _run(place: Path, seconds: float, seed: int, *more: str) -> _Ran:
    before, began = _cpu(), time.monotonic()
    budget = ("--budget", f"{seconds:g}s", "--seed", str(seed))
    done = _reverie("run", str(place), *budget, *more, "--yes", "--json")
    passed = time.monotonic() - began
    with suppress(ChildProcessError):  # whatever outlived it is counted when it ends
        while True:
            os.waitpid(-1, 0)
    try:
        document = json.loads(done.stdout)
    except ValueError:
        document = {}
        print(f"{place.name} {' '.join(more)}: {done.stderr.strip()[-300:]}", file=sys.stderr)
    return _Ran(document, _cpu() - before, passed)


def _reverie(*line: str) -> "subprocess.CompletedProcess[str]":
    whole = [sys.executable, "-m", "reverie", *line]
    return subprocess.run(whole, capture_output=True, text=True, check=False)


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _spent(nights: Sequence[_Ran]) -> Way:
    documents = [each.document for each in nights]
    changes = [
        f"{change['kind']}: {change['title']}"
        for each in documents
        for change in (*each.get("promotions", ()), *each.get("waiting", ()))
    ]
    return Way(
        tuple(changes),
        sum(each.cpu_seconds for each in nights),
        sum(each.seconds for each in nights),
        sum(len(each.get("refusals", ())) for each in documents),
        sum(len(each.get("findings", ())) for each in documents),
    )


def _together(ways: Any) -> Way:
    every = list(ways)
    return Way(
        tuple(change for each in every for change in each.changes),
        sum(each.cpu_seconds for each in every),
        sum(each.seconds for each in every),
        sum(each.refused for each in every),
        sum(each.findings for each in every),
    )


def _tell(each: Compared) -> None:
    for name, way in (("one night", each.night), ("one stage a night", each.split)):
        told = f"{len(way.changes)} changes, {way.refused} refused, {way.findings} findings"
        spent = f"{way.cpu_seconds:.0f} CPU s in {way.seconds:.0f} s"
        print(f"{each.package}, {name}: {told}, {spent}: {way.rate:.2f} a CPU minute", flush=True)
        for change in way.changes:
            print(f"    {change}", flush=True)


def _options() -> argparse.Namespace:
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        "python -m benchmarks.night.portfolio", None, __doc__, formatter_class=plain
    )
    parser.add_argument("repositories", nargs="+", type=Path, metavar="REPOSITORY")
    parser.add_argument("--seconds", type=float, default=90.0, help="of one night [default: 90]")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="clone there, and leave it")
    parser.add_argument("--json", type=Path, metavar="FILE")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
