"""`python -m benchmarks.promotion`: how long `reverie rollback` takes, from the shell and back.

The sample repository gets a journal with as many proven changes as asked for, each of its own file.
All are promoted in this process: to branches of their own, then to one branch. Then each is taken
back by a process of its own, the oldest first: there a branch goes, here a commit reverts one from
among the others. Every byte has to be as it was before.
"""

import argparse
import io
import os
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import redirect_stdout
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.figures import Summary, summarize
from benchmarks.machine import describe_machine
from reverie.interfaces.cli.boundary import run
from reverie.model.change import Change, FileEdit
from reverie.model.cycle import (
    CycleBudget,
    CycleDream,
    CycleHeader,
    CycleState,
    CycleWishes,
    Proven,
    Step,
    Trial,
)
from reverie.model.dream import DreamKind, DreamStatus, Stage
from reverie.promotion.trial_tree import read_source
from reverie.store import Journal, journal_url
from reverie.store.cycles.cycles import CycleWriter
from reverie.testing.fakes import proven_dream

MOST_SECONDS = 5.0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.promotion", description=__doc__)
    parser.add_argument("--count", type=int, default=20, help="promotions of each kind")
    parser.add_argument("--check", action="store_true", help=f"exit 1 above {MOST_SECONDS:g} s")
    given = parser.parse_args()
    print(f"{describe_machine()}, load {os.getloadavg()[0]:.1f}")
    found = {kind: _measure(kind, given.count) for kind in ("branch of its own", "one branch")}
    print("seconds of `reverie rollback`     count  median     p95     min     max")
    for kind, spent in found.items():
        for label, seconds in zip(("", ", CPU"), zip(*spent, strict=True), strict=True):
            told = summarize(seconds)
            print(f"{kind + label:32} {told.count:6} {_row(told)} {max(seconds):7.2f}")
    print(f"load {os.getloadavg()[0]:.1f}")
    slowest = max(wall for spent in found.values() for wall, _ in spent)
    return int(given.check and slowest >= MOST_SECONDS)


def _row(told: Summary) -> str:
    return f"{told.median:7.2f} {told.p95:7.2f} {told.min:7.2f}"


def _measure(kind: str, count: int) -> list[tuple[float, float]]:
    """Wall and CPU seconds of each rollback."""
    with tempfile.TemporaryDirectory() as place:
        folder, home = Path(place, "sample"), {**os.environ, "HOME": place}
        _make_sample(folder)
        before = _git(folder, "rev-parse", "HEAD^{tree}")
        dreams = [_dream(folder, number) for number in range(count)]
        _journal(folder, dreams)
        where = "reverie/one" if kind == "one branch" else None
        for each in dreams:
            asked = ("--branch", where) if where else ()
            line = ("promote", each.dream.id, *asked, "--repo", str(folder))
            with redirect_stdout(io.StringIO()):
                if run(line, home) != 0:
                    raise SystemExit(f"the promotion of {each.dream.id} was refused")
        seconds = []
        for each in dreams:
            began, spent = time.monotonic(), _cpu_of_children()
            _reverie(folder, home, "rollback", each.dream.id, "--why", "measured")
            seconds.append((time.monotonic() - began, _cpu_of_children() - spent))
        left = _git(folder, "for-each-ref", "--format=%(refname)", "refs/heads/reverie").split()
        for branch in left:
            if _git(folder, "rev-parse", f"{branch}^{{tree}}") != before:
                raise SystemExit(f"{branch} is not what it was")
        return seconds


def _make_sample(folder: Path) -> None:
    script = Path(__file__).parents[2] / "examples" / "sample_history.py"
    subprocess.run([sys.executable, str(script), str(folder)], check=True, capture_output=True)
    exclude = folder / ".git" / "info" / "exclude"
    exclude.write_text(".reverie/\n", "utf-8")


def _dream(folder: Path, number: int) -> Proven:
    """A change of a module that is there, or of a new file where there are no more."""
    modules = sorted((folder / "src").rglob("*.py"))
    path = modules[number % len(modules)]
    old, name = path.read_text("utf-8"), path.relative_to(folder).as_posix()
    edit = FileEdit(name, old, f"{old}\n# {number}\n", None, "100644", "100644")
    if number >= len(modules):
        name = f"src/lendery/more_{number}.py"
        edit = FileEdit(name, None, f"MORE = {number}\n", mode_after="100644")
    return proven_dream(
        Change((edit,)), read_source(folder), title=f"Change {name}", kind=DreamKind.REFACTOR,
        stage=Stage.B,
    )  # fmt: skip


def _journal(folder: Path, dreams: list[Proven]) -> None:
    step = Step(0, "tests", "lendery", "src/lendery/__init__.py", "0" * 16)
    header = CycleHeader(
        id="20261115-0300-abcd",
        repository=str(folder),
        started_at=datetime(2026, 11, 15, 3, 0, tzinfo=UTC),
        state=CycleState.RUNNING,
        wishes=CycleWishes(CycleBudget()),
        revision=dreams[0].source.revision,
    )
    tried = [CycleDream(each.dream, 0, "0" * 16, DreamStatus.PENDING_TEST) for each in dreams]
    (folder / ".reverie").mkdir()
    with Journal.open(journal_url(folder)) as journal:
        writer = CycleWriter(journal, header.id)
        writer.begin(header)
        writer.plan(header, [step])
        writer.dreamt(step, tried, [])
        for each, dream in zip(dreams, tried, strict=True):
            score = {"roi": each.roi, "raroi": each.raroi}
            writer.tried(dream, Trial(each.evidence, each.judgement, score, 1.0, 1))


def _reverie(folder: Path, environ: dict[str, str], *words: str) -> None:
    command = [sys.executable, "-m", "reverie", *words, "--repo", str(folder)]
    ran = subprocess.run(command, env=environ, capture_output=True, text=True)
    if ran.returncode != 0:
        raise SystemExit(f"reverie {words[0]}: exit {ran.returncode}: {ran.stderr.strip()}")


def _cpu_of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _git(folder: Path, *words: str) -> str:
    command = ["git", "-C", str(folder), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
