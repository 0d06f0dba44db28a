"""`python -m benchmarks.soak.kill`: kill -9 a busy supervisor, again and again; nothing stays.

Within two seconds no process, cgroup, mount, file or shared memory of it may be left, and its
journal must be whole and hold every execution that was reported flushed.
"""

import argparse
import json
import os
import random
import select
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from benchmarks.figures import summarize
from benchmarks.machine import describe_machine, load
from benchmarks.soak.residue import Residue, Surroundings, become_subreaper, wait_until_clean
from benchmarks.soak.victim import SCENES

CLEAN_WITHIN_SECONDS = {"auto": 2.0, "namespaces": 2.0, "landlock": 60.0}
"""Without namespaces scratch space is on a disk, where thousands of folders take their time."""
_PATIENCE_SECONDS = 60.0
_CUES = {"boot": "starting", "close": "closing"}
"""What the victim says when its scene begins; the others begin when it is warm."""
_DELAYS = {"boot": 0.25, "close": 0.03, "busy": 1.0, "recycling": 1.5, "fork bomb": 1.5}


@dataclass(slots=True)
class Tally:
    """What all kills together showed."""

    kills: Counter[str] = field(default_factory=Counter)
    too_late: int = 0
    clean_seconds: list[float] = field(default_factory=list)
    had: Counter[str] = field(default_factory=Counter)
    flushed: int = 0
    machinery: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


class Victim:
    """One supervisor process, its journal and its own temporary folder."""

    def __init__(self, folder: Path, scene: str, seed: int, tier: str) -> None:
        self.scene = scene
        self.journal = folder / "journal.db"
        self.said: list[str] = []
        temporary = folder / "tmp"
        temporary.mkdir(mode=0o711)
        self.before = Surroundings.now(temporary)
        command = [sys.executable, "-m", "benchmarks.soak.victim", "--scene", scene]
        command += ["--seed", str(seed), "--tier", tier, "--journal", f"sqlite:///{self.journal}"]
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            env={**os.environ, "TMPDIR": str(temporary)},
        )
        assert self.process.stdout is not None
        self._stdout = self.process.stdout.fileno()
        self._rest = b""

    def wait_for(self, cue: str) -> bool:
        """Until it says so; False when it ends before."""
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while cue not in self.said:
            if not self._hear(deadline - time.monotonic()):
                return False
        return True

    def listen(self, seconds: float) -> None:
        """Let it go on for a while, and take down what it says."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            if not self._hear(left) and self.process.poll() is not None:
                return

    def kill(self) -> bool:
        """End it without a warning; False when it had ended by itself."""
        self.process.send_signal(signal.SIGKILL)
        is_killed = self.process.wait() == -signal.SIGKILL
        while self._hear(0):
            pass
        return is_killed

    def close(self) -> None:
        """Give up its pipe; whoever of its descendants holds the other end loses it as well."""
        assert self.process.stdout is not None
        self.process.stdout.close()

    def _hear(self, seconds: float) -> bool:
        """Take down what comes next; False when nothing does."""
        if seconds < 0 or not select.select([self._stdout], [], [], seconds)[0]:
            return False
        data = os.read(self._stdout, 1 << 16)
        *lines, self._rest = (self._rest + data).split(b"\n")
        self.said += [line.decode() for line in lines]
        return bool(data)

    def residue(self) -> Residue:
        """What is left of it; its orphans are ours now, and dead ones are collected."""
        _reap()
        return self.before.residue_of(self.process.pid, ancestor=os.getpid())

    def flushed(self) -> set[str]:
        """Ids of the executions that it reported as safe."""
        lines = [line.split() for line in self.said if line.startswith("flushed ")]
        return {word for words in lines for word in words[1:]}


def main() -> int:
    """1 when anything was left, or lost."""
    options = _parse_options()
    become_subreaper()
    chance = random.Random(options.seed)
    tally = Tally()
    load_before = load()
    with Progress(console=Console(stderr=True), transient=True) as progress:
        for number in progress.track(range(options.times), description="kills"):
            scene = SCENES[number % len(SCENES)]
            with tempfile.TemporaryDirectory(prefix="kill-") as folder:
                os.chmod(folder, 0o711)
                _kill_one(Path(folder), scene, chance, options.tier, tally)
    document = _document(tally, (load_before, load()))
    _print(tally, document, Console(width=110))
    if options.json:
        options.json.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    return 1 if tally.failures else 0


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak.kill", description=__doc__)
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tier", default="auto", choices=["auto", "namespaces", "landlock"])
    parser.add_argument("--json", type=Path, help="write the figures there as well")
    return parser.parse_args()


def _kill_one(folder: Path, scene: str, chance: random.Random, tier: str, tally: Tally) -> None:
    victim = Victim(folder, scene, chance.randrange(1 << 30), tier)
    began = victim.wait_for(_CUES.get(scene, "warm"))
    victim.listen(chance.uniform(0, _DELAYS.get(scene, 1.0)))
    had = victim.residue()
    if not victim.kill():
        tally.too_late += 1
        if scene != "close" or not began:
            tally.failures.append(f"{scene}: ended by itself, said {victim.said[-3:]}")
    tally.kills[scene] += 1
    for kind in ("processes", "groups", "files"):
        tally.had[kind] += len(getattr(had, kind))
    left, seconds = wait_until_clean(victim.residue, CLEAN_WITHIN_SECONDS[tier])
    victim.close()
    tally.clean_seconds.append(seconds)
    if left:
        tally.failures.append(f"{scene}: after {seconds:.1f} s still {left}")
    for line in victim.said:
        if line.startswith("machinery "):
            tally.machinery[line] += 1
    _check_journal(victim, tally)


def _check_journal(victim: Victim, tally: Tally) -> None:
    flushed = victim.flushed()
    tally.flushed += len(flushed)
    if not victim.journal.exists():
        if flushed:
            tally.failures.append(f"{victim.scene}: {len(flushed)} flushed and no journal")
        return
    with sqlite3.connect(victim.journal) as connection:
        verdict = connection.execute("PRAGMA integrity_check").fetchall()
        kept = {row[0] for row in connection.execute("SELECT id FROM executions")}
    connection.close()
    if verdict != [("ok",)]:
        tally.failures.append(f"{victim.scene}: journal is damaged: {verdict[:3]}")
    if flushed - kept:
        tally.failures.append(f"{victim.scene}: {len(flushed - kept)} flushed rows are missing")


def _reap() -> None:
    """Collect orphans that ended as our children, as init would."""
    while True:
        try:
            found = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return
        if found is None:
            return
        os.waitpid(found.si_pid, 0)


def _document(tally: Tally, loads: tuple[float, float]) -> dict[str, Any]:
    return {
        "machine": describe_machine().as_dict(),
        "load": {"before": loads[0], "after": loads[1]},
        "kills": dict(tally.kills),
        "closed_before_the_kill": tally.too_late,
        "alive_when_killed": dict(tally.had),
        "clean_seconds": summarize(tally.clean_seconds).as_dict(),
        "clean_seconds_max": max(tally.clean_seconds),
        "flushed_rows_found": tally.flushed,
        "machinery_errors_before_the_kill": dict(tally.machinery),
        "failures": tally.failures,
        "passed": not tally.failures,
    }


def _print(tally: Tally, document: dict[str, Any], console: Console) -> None:
    found = summarize(tally.clean_seconds)
    had = ", ".join(f"{count} {kind}" for kind, count in tally.had.items())
    table = Table("", "", title="Killed supervisors", show_header=False)
    for name, value in (
        ("machine", str(describe_machine())),
        ("load", f"{document['load']['before']:.2f} before, {document['load']['after']:.2f} after"),
        ("kills", ", ".join(f"{count} {scene}" for scene, count in tally.kills.items())),
        ("had closed already", str(tally.too_late)),
        ("alive when they were killed", had),
        (
            "seconds until nothing was left",
            f"median {found.median:.2f}, p95 {found.p95:.2f}, max {max(tally.clean_seconds):.2f}",
        ),
        ("flushed rows, all found", str(tally.flushed)),
        ("machinery errors before the kill", "\n".join(tally.machinery) or "none"),
        ("failures", "\n".join(tally.failures[:20]) or "none"),
    ):
        table.add_row(name, value)
    console.print(table)


if __name__ == "__main__":
    sys.exit(main())
