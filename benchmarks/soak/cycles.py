"""Short cycles in a row in one process: what grows from one to the next?

python -m benchmarks.soak.cycles --cycles 500
Journal, lock, git, branches and bundles are the product's own; what is dreamt comes from a script.
With --real dreams and trials are real too, and a cycle takes about a minute. Every cycle has a seed
of its own; branches are promotions, and counted.
"""

import argparse
import gc
import os
import subprocess
import sys
import tempfile
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path

from benchmarks.scale.__main__ import make_repository
from benchmarks.soak.night import WISHES, open_run
from reverie.bootstrap.cycles import Cycle
from reverie.promotion.scratch import held_alone
from reverie.store import Journal, journal_url
from reverie.store.vacuum import size_of

PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Standing:
    """What there is after a cycle."""

    cycle: int
    rss_mb: float
    descriptors: int
    threads: int
    temporary: int
    worktrees: int
    branches: int
    promotions: int
    journal_kb: float


def run_real(repository: Path, seed: int) -> int:
    """A cycle with everything real; how many promotions it made."""
    cycle = Cycle(repository, executions=30, seed=seed, is_fresh=True)
    return len(cycle.run().promotions)


def run_scripted(repository: Path, seed: int) -> int:
    """The same with dreams and verdicts from a script."""
    with (
        tempfile.TemporaryDirectory() as log,
        held_alone(f"cycle {repository}", "a cycle", 0.0),
        Journal.open(journal_url(repository)) as journal,
    ):
        run = open_run(repository, Path(log), 0.0, journal)
        return len(run.begin(replace(WISHES, seed=seed, is_fresh=True)).promotions)


def look(number: int, repository: Path, temporary: Path, promotions: int) -> Standing:
    gc.collect()
    with Journal.open(journal_url(repository)) as journal:
        size = size_of(journal) or 0
    return Standing(
        cycle=number,
        rss_mb=int(Path("/proc/self/statm").read_text().split()[1]) * PAGE / 1e6,
        descriptors=len(os.listdir("/proc/self/fd")),
        threads=len(os.listdir("/proc/self/task")),
        temporary=sum(1 for _ in temporary.rglob("*")),
        worktrees=len(git(repository, "worktree", "list")),
        branches=len(git(repository, "branch", "--list")),
        promotions=promotions,
        journal_kb=size / 1000,
    )


def git(repository: Path, *line: str) -> list[str]:
    ran = subprocess.run(
        ["git", "-C", str(repository), *line], capture_output=True, text=True, check=True
    )
    return ran.stdout.splitlines()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cycles", type=int, default=500)
    parser.add_argument("--real", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="reverie-soak-") as place:
        temporary = Path(place) / "tmp"
        temporary.mkdir()
        os.environ.update(XDG_CONFIG_HOME=f"{place}/config", TMPDIR=str(temporary))
        tempfile.tempdir = str(temporary)
        repository = make_repository(Path(place) / "repository")
        print(" ".join(each.name for each in fields(Standing)), flush=True)
        found = []
        promotions = 0
        for number in range(1, given.cycles + 1):
            run = run_real if given.real else run_scripted
            promotions += run(repository, number)
            found.append(look(number, repository, temporary, promotions))
            if number <= 3 or number % max(given.cycles // 20, 1) == 0:
                print(" ".join(f"{value:g}" for value in astuple(found[-1])), flush=True)
    return judge(found)


def judge(found: list[Standing]) -> int:
    """Compare the first tenth, when everything is warm, with the last."""
    tenth = max(len(found) // 10, 1)
    early, late = found[min(tenth, len(found) - 1)], found[-1]
    grown = {
        name: (getattr(early, name), getattr(late, name))
        for name in ("descriptors", "threads", "temporary", "worktrees")
        if getattr(late, name) > getattr(early, name) + 2
    }
    if late.rss_mb > early.rss_mb * 1.25 + 20:
        grown["rss_mb"] = (early.rss_mb, late.rss_mb)
    if late.branches > 1 + late.promotions:
        grown["branches"] = (late.promotions, late.branches)
    per_cycle = (late.journal_kb - early.journal_kb) / max(late.cycle - early.cycle, 1)
    print(f"journal: {per_cycle:.1f} kB per cycle; grown: {grown or 'nothing'}")
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main())
