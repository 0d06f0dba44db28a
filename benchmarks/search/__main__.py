"""`python -m benchmarks.search REPOSITORY`: how long a person waits for `reverie search`.

The installed command, the whole process each time, from its start to its end, over several
questions, with `--json` too; the repository is indexed first if it is not, and every search looks
for changed files. The bare interpreter and Click alone stand beside it, in turn with the rest.
CPU time is what wall time is on an idle machine; `min` is nearest to one. Bytecode is written, as
in any installation.
"""

import argparse
import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.figures import summarize
from benchmarks.machine import describe_machine, load

QUESTIONS = (
    "parse date",
    "queryset",
    "get_queryset",
    "cache key for a template fragment",
    "model",
    "(str) -> bool",
    "nothing is called qqzzx",
)
_SECONDS = 120


class Took(NamedTuple):
    """One process."""

    wall_seconds: float
    cpu_seconds: float


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.search", description=__doc__)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--runs", type=int, default=20)
    options = parser.parse_args()
    print(f"{describe_machine()}\nload before {load():.1f}\n")
    python = [sys.executable, "-c"]
    reverie = [str(Path(sys.executable).with_name("reverie"))]
    repository = ["--repo", str(options.repository)]
    lines = {
        "python -c pass": [*python, "pass"],
        "python -c 'import click'": [*python, "import click"],
        "reverie --version": [*reverie, "--version"],
        **{f"search {each!r}": [*reverie, "search", each, *repository] for each in QUESTIONS},
        "search 'parse date' --json": [*reverie, "search", "parse date", "--json", *repository],
    }
    for prepare in (["init"], ["index"], ["search", "parse date"]):
        took([*reverie, *prepare, *repository])
    times = {name: list[Took]() for name in lines}
    for _ in range(options.runs):
        for name, line in lines.items():
            times[name].append(took(line))
    print(f"{'ms':45} {'wall min':>9} {'median':>9} {'CPU min':>9} {'median':>9}")
    for name, taken in times.items():
        print(f"{name:45} {_figures(taken, 0)} {_figures(taken, 1)}")
    print(f"\nload after {load():.1f}")
    return 0


def took(line: Sequence[str]) -> Took:
    """Run one process to its end."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    before, started = _cpu_seconds(), time.perf_counter()
    ran = subprocess.run(line, env=environ, capture_output=True, timeout=_SECONDS)
    taken = Took(time.perf_counter() - started, _cpu_seconds() - before)
    if ran.returncode not in (0, 1):
        raise SystemExit(ran.stderr.decode())
    return taken


def _cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _figures(times: Sequence[Took], which: int) -> str:
    found = summarize([each[which] * 1000 for each in times])
    return f"{found.min:9.0f} {found.median:9.0f}"


if __name__ == "__main__":
    sys.exit(main())
