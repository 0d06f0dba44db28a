"""Short cycles in a row in one process: what grows from one to the next?

python -m benchmarks.soak.cycles --count 500

Journal, lock, git, branches and bundles are the product's own; what is dreamt comes from a script.
With --real dreams and trials are real too, and a cycle takes about a minute. Every cycle has a seed
of its own. A scripted maintainer decides about every branch: two are merged, the third is taken
back; with a retention of no days the next cycle has to remove them. Exit code 1: something grew.
"""

import argparse
import gc
import json
import os
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import asdict, astuple, fields, replace
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.scale.__main__ import make_repository
from benchmarks.soak.growth import Judged, Standing, judge
from benchmarks.soak.night import WISHES, open_run
from reverie.bootstrap.cycles import Cycle
from reverie.bootstrap.repository import prune_after_cycle
from reverie.model.cycle import CycleRecord
from reverie.promotion.promoter import Promoter
from reverie.promotion.rollback import roll_back
from reverie.promotion.scratch import held_alone
from reverie.settings import Loaded, load_settings
from reverie.store import Journal, journal_url
from reverie.store.cycles.promotions import record_rollback
from reverie.store.journal import size_of

PAGE = os.sysconf("SC_PAGE_SIZE")
_TAKEN_BACK_EVERY = 3
_SHOWN = 20


def run_real(loaded: Loaded, seed: int) -> CycleRecord:
    """A cycle with everything real."""
    return Cycle(loaded=loaded, executions=30, seed=seed, is_fresh=True, stage="A").run()


def run_scripted(loaded: Loaded, seed: int) -> CycleRecord:
    """The same with dreams and verdicts from a script."""
    repository = loaded.repository
    with (
        tempfile.TemporaryDirectory() as log,
        held_alone(f"cycle {repository}", "a cycle", 0.0),
        Journal.open(journal_url(repository)) as journal,
    ):
        run = open_run(repository, Path(log), 0.0, journal)
        record = run.begin(replace(WISHES, seed=seed, is_fresh=True))
        prune_after_cycle(loaded, journal)
        return record


def decide(loaded: Loaded, number: int, record: CycleRecord) -> None:
    """What a maintainer does in the morning. Merged contents are not kept: every cycle is alike."""
    offered = [each.promotion for each in record.promotions if each.promotion is not None]
    branch = record.header.branch
    if not offered or branch is None:
        return
    if number % _TAKEN_BACK_EVERY:
        git(loaded.repository, "merge", "-q", "-s", "ours", "-m", f"Merge {branch}", branch)
        return
    promoter = Promoter(loaded.repository, loaded.settings.promotion)
    with Journal.open(journal_url(loaded.repository)) as journal:
        for promotion in reversed(offered):
            undone = roll_back(promoter, promotion, datetime.now(UTC), "soak")
            record_rollback(journal, record.header.id, undone, "soak")


def look(number: int, repository: Path, temporary: Path, promotions: int) -> Standing:
    """Count everything."""
    gc.collect()
    with Journal.open(journal_url(repository)) as journal:
        size = size_of(journal) or 0
    bundles = repository / ".reverie" / "bundles"
    return Standing(
        cycle=number,
        rss_mb=int(Path("/proc/self/statm").read_text().split()[1]) * PAGE / 1e6,
        descriptors=len(os.listdir("/proc/self/fd")),
        threads=len(os.listdir("/proc/self/task")),
        temporary=sum(1 for _ in temporary.rglob("*")),
        files=count_files(repository, (repository / ".git" / "objects", bundles)),
        worktrees=len(git(repository, "worktree", "list")),
        branches=len(git(repository, "branch", "--list")),
        bundles=len(os.listdir(bundles)) if bundles.is_dir() else 0,
        promotions=promotions,
        journal_kb=size / 1000,
    )


def count_files(start: Path, passed_over: tuple[Path, ...]) -> int:
    """Files below a folder; nothing is kept of what is there more of after every cycle."""
    count = 0
    for folder, folders, files in os.walk(start):
        folders[:] = [name for name in folders if Path(folder, name) not in passed_over]
        count += len(files)
    return count


def git(repository: Path, *line: str) -> list[str]:
    """What git prints, as its user would see it."""
    person = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    ran = subprocess.run(
        ["git", *person, "-C", str(repository), *line], capture_output=True, text=True, check=True
    )
    return ran.stdout.splitlines()


def soak(options: argparse.Namespace, place: Path) -> list[Standing]:
    """All cycles, each looked at."""
    temporary = place / "tmp"
    temporary.mkdir()
    os.environ.update(XDG_CONFIG_HOME=f"{place}/config", TMPDIR=str(temporary))
    tempfile.tempdir = str(temporary)
    repository = make_repository(place / "repository")
    loaded = load_settings(repository, {}, {"promotion.branch_days": "0"})
    run: Callable[[Loaded, int], CycleRecord] = run_real if options.real else run_scripted
    print(" ".join(each.name for each in fields(Standing)), "seconds_left", flush=True)
    found: list[Standing] = []
    promotions, began = 0, time.monotonic()
    for number in range(1, options.count + 1):
        record = run(loaded, number)
        promotions += len(record.promotions)
        decide(loaded, number, record)
        found.append(look(number, repository, temporary, promotions))
        if number <= _TAKEN_BACK_EVERY or number % max(options.count // _SHOWN, 1) == 0:
            left = (time.monotonic() - began) / number * (options.count - number)
            print(
                " ".join(f"{value:g}" for value in (*astuple(found[-1]), round(left))), flush=True
            )
        if options.trace and number == max(options.count // 5, 1):
            tracemalloc.start(10)
            options.before = tracemalloc.take_snapshot()
    return found


def tell(judged: Judged) -> None:
    """The figures that are documented."""
    print(f"memory: {judged.rss_kb_per_cycle:+.1f} kB per cycle once warm")
    print(f"journal: {judged.journal_kb_per_cycle:.1f} kB per cycle")
    for name, what in judged.grown.items():
        print(f"GREW: {name}: {what}")
    if not judged.grown:
        print("nothing grew beyond retention")


def tell_traces(before: tracemalloc.Snapshot) -> None:
    """Where memory that is still held was asked for since."""
    gc.collect()
    for each in tracemalloc.take_snapshot().compare_to(before, "traceback")[:12]:
        print(f"{each.size_diff / 1000:+.1f} kB in {each.count_diff:+d} blocks")
        for line in each.traceback.format(most_recent_first=True)[:8]:
            print(f"  {line}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", "--cycles", type=int, default=500, help="cycles")
    parser.add_argument("--real", action="store_true", help="with real dreams and trials")
    parser.add_argument("--trace", action="store_true", help="say where memory was asked for")
    parser.add_argument("--json", metavar="FILE", type=Path)
    options = parser.parse_args()
    if options.count < 1:
        parser.error(f"--count: expected a cycle at least, not {options.count}")
    with tempfile.TemporaryDirectory(prefix="reverie-soak-") as place:
        found = soak(options, Path(place))
    judged = judge(found)
    tell(judged)
    if options.trace:
        tell_traces(options.before)
    if options.json is not None:
        document = {"standings": [asdict(each) for each in found], **asdict(judged)}
        options.json.write_text(json.dumps(document, indent=1), encoding="utf-8")
    return 1 if judged.grown else 0


if __name__ == "__main__":
    sys.exit(main())
