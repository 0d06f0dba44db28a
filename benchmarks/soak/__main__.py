"""`python -m benchmarks.soak`: thousands of executions, some hostile, and nothing left over."""

import argparse
import faulthandler
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from benchmarks.machine import describe_machine, load
from benchmarks.soak.drive import run_segment
from benchmarks.soak.losses import counting_losses
from benchmarks.soak.residue import (
    Residue,
    Surroundings,
    become_subreaper,
    descriptors,
    own_memory_bytes,
    wait_until_clean,
)
from benchmarks.soak.tally import Tally
from reverie.errors import MachineryError
from reverie.model.sections import SandboxSection, TierChoice
from reverie.sandbox.engine import Sandbox

CHECKPOINTS = 20
GROWTH_BYTES = 16 << 20
"""What the supervisor may gain between warm-up and end: holes between large answers."""
BLOCK_GROWTH = 0.05
"""Share by which its living blocks of memory may grow: a leak shows here first."""
_SETTLING_SECONDS = {"namespaces": 2.0, "landlock": 20.0}
"""Without namespaces scratch space is on a disk, where thousands of folders take their time."""
_STUCK_SECONDS = 300
_PROCESSES_PER_SLOT = 3  # launcher, zygote, spare
_GROUPS_PER_SLOT = 3  # memory, tasks, CPU time
SPARE_SLOT = 1
"""Kept besides for callers that never pause."""
_DESCRIPTORS_PER_SLOT = 10
"""Control, lifeline, counters of kills and CPU time; three for the spare, three spent and not yet
closed."""


class Soak:
    """One run: load in segments, a look at everything after each."""

    def __init__(self, options: argparse.Namespace, temporary: Path) -> None:
        self.options = options
        self.tally = Tally()
        self.before = Surroundings.now(temporary)
        self.descriptors_before: dict[int, str] = {}
        self.rss: list[int] = []
        self.blocks: list[int] = []
        self.tier = ""
        self.seconds = 0.0

    def run(self, progress: Progress) -> None:
        """All executions, all checks."""
        chance = random.Random(self.options.seed)
        task = progress.add_task("executions", total=self.options.executions)
        section = SandboxSection(
            tier=TierChoice(self.options.tier),
            slots=self.options.slots,
            recycle_after=self.options.recycle_after,
        )
        self._warm_up_ourselves(section)
        self.descriptors_before = descriptors(os.getpid())
        started = time.monotonic()
        with Sandbox(section) as sandbox:
            self.tier = sandbox.tier.value
            for count in self._segments():
                faulthandler.dump_traceback_later(_STUCK_SECONDS, exit=True)
                run_segment(
                    sandbox,
                    count,
                    self.options.hostile,
                    chance,
                    self.tally,
                    lambda n: progress.advance(task, n),
                )
                self._check_while_open()
            faulthandler.cancel_dump_traceback_later()
        self.seconds = time.monotonic() - started
        self._check_after()

    def _warm_up_ourselves(self, section: SandboxSection) -> None:
        """One execution, so that lazy imports and their descriptors are there before we count."""
        chance = random.Random(0)
        with Sandbox(section) as sandbox:
            sandbox.warm()
            run_segment(sandbox, 20, 0.0, chance, Tally(), lambda _: None)

    def _segments(self) -> list[int]:
        total = self.options.executions
        parts = min(CHECKPOINTS, max(1, total // 100))
        return [total // parts + (number < total % parts) for number in range(parts)]

    def _check_while_open(self) -> None:
        slots = self.options.slots + SPARE_SLOT
        found, _ = wait_until_clean(self._excess, _SETTLING_SECONDS[self.tier])
        if found:
            self.tally.failed(f"after {self.tally.executions}: {found}")
        allowed = len(self.descriptors_before) + _DESCRIPTORS_PER_SLOT * slots
        open_now = descriptors(os.getpid())
        if len(open_now) > allowed:
            kinds = Counter(target.partition(":")[0] for target in open_now.values())
            self.tally.failed(f"{len(open_now)} descriptors open, {allowed} allowed: {kinds}")
        self.rss.append(own_memory_bytes())
        self.blocks.append(sys.getallocatedblocks())

    def _excess(self) -> Residue:
        """What is there beyond the slots that are alive and idle."""
        slots = self.options.slots + SPARE_SLOT
        found = self._residue()
        # A launcher that has ended is collected when the next slot is taken.
        alive = tuple(process for process in found.processes if not process.endswith(" Z"))
        return Residue(
            processes=alive if len(alive) > slots * _PROCESSES_PER_SLOT else (),
            groups=found.groups if len(found.groups) > slots * _GROUPS_PER_SLOT else (),
            mounts=found.mounts,
            files=found.files if len(found.files) > self._scratch_folders() else (),
        )

    def _scratch_folders(self) -> int:
        return 0 if self.tier == "namespaces" else int(self.options.slots) + SPARE_SLOT

    def _residue(self) -> Residue:
        return self.before.residue_of(os.getpid(), ancestor=os.getpid())

    def _check_after(self) -> None:
        found = self._residue()  # close() says that nothing is left: no time to settle
        if found:
            self.tally.failed(f"after close: {found}")
        left = descriptors(os.getpid())
        if left.keys() != self.descriptors_before.keys():
            extra = {fd: left[fd] for fd in left.keys() - self.descriptors_before.keys()}
            self.tally.failed(f"descriptors before and after differ: {extra}")
        if self.growth_bytes > GROWTH_BYTES:
            self.tally.failed(f"the supervisor grew by {self.growth_bytes >> 10} KiB")
        if self.blocks[-1] > self.blocks[0] * (1 + BLOCK_GROWTH):
            self.tally.failed(f"living blocks grew from {self.blocks[0]} to {self.blocks[-1]}")

    @property
    def growth_bytes(self) -> int:
        """From the first checkpoint, when everything has been used once, to the last."""
        return self.rss[-1] - self.rss[0]


def main() -> int:
    """1 when a condition fails."""
    options = _parse_options()
    become_subreaper()
    load_before = load()
    with (
        tempfile.TemporaryDirectory(prefix="soak-") as folder,
        counting_losses() as losses,
        Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
        ) as progress,
    ):
        os.chmod(folder, 0o711)  # as root, slots run as somebody else
        tempfile.tempdir = folder
        soak = Soak(options, Path(folder))
        try:
            soak.run(progress)
        except MachineryError as error:
            progress.console.print(f"cannot soak: {error}")
            return error.exit_code
        finally:
            tempfile.tempdir = None
    loads = (load_before, load())
    document = _document(soak, losses, loads)
    _print(soak, document, Console(width=110))
    if options.json:
        options.json.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    return 0 if soak.tally.is_clean else 1


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--executions", type=int, default=20_000)
    parser.add_argument("--hostile", type=float, default=0.05, help="share of hostile ones")
    parser.add_argument("--slots", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--recycle-after", type=int, default=1000)
    parser.add_argument("--tier", default="auto", choices=["auto", "namespaces", "landlock"])
    parser.add_argument("--json", type=Path, help="write the figures there as well")
    return parser.parse_args()


def _document(soak: Soak, losses: Counter[str], loads: tuple[float, float]) -> dict[str, Any]:
    tally = soak.tally
    return {
        "machine": describe_machine().as_dict(),
        "load": {"before": loads[0], "after": loads[1]},
        "tier": soak.tier,
        "slots": soak.options.slots,
        "seconds": soak.seconds,
        "executions": tally.executions,
        "good": tally.good,
        "misjudged_good": tally.misjudged_good,
        "hostile": tally.hostile,
        "implausible_hostile": tally.implausible_hostile,
        "slots_lost": dict(losses),
        "rss_bytes": {
            "after_warm_up": soak.rss[0],
            "at_end": soak.rss[-1],
            "at_checkpoints": soak.rss,
        },
        "living_blocks": {"after_warm_up": soak.blocks[0], "at_end": soak.blocks[-1]},
        "failed_conditions": tally.conditions,
        "objections": tally.objections,
        "hostile_outcomes": {
            f"{kind}: {outcome}": count for (kind, outcome), count in sorted(tally.outcomes.items())
        },
        "passed": tally.is_clean,
    }


def _print(soak: Soak, document: dict[str, Any], console: Console) -> None:
    tally = soak.tally
    outcomes = Table("hostile code", "classified as", title="Hostile executions")
    kinds: dict[str, list[str]] = {}
    for (kind, outcome), count in sorted(tally.outcomes.items()):
        kinds.setdefault(kind, []).append(f"{count} {outcome}")
    for kind, found in kinds.items():
        outcomes.add_row(kind, ", ".join(found))
    console.print(outcomes)
    rss = document["rss_bytes"]
    table = Table("", "", title="Soak", show_header=False)
    for name, value in (
        ("machine", str(describe_machine())),
        ("load", f"{document['load']['before']:.2f} before, {document['load']['after']:.2f} after"),
        ("tier, slots", f"{document['tier']}, {document['slots']}"),
        ("executions", f"{tally.executions} in {soak.seconds:.0f} s"),
        ("good, misjudged", f"{tally.good}, {tally.misjudged_good}"),
        ("hostile, implausibly classified", f"{tally.hostile}, {tally.implausible_hostile}"),
        ("slots lost and work repeated", _listed(document["slots_lost"])),
        ("supervisor's memory", f"{rss['after_warm_up'] >> 10} KiB, {rss['at_end'] >> 10} KiB"),
        ("its living blocks", f"{soak.blocks[0]}, {soak.blocks[-1]}"),
        ("left behind and other failures", "\n".join(tally.conditions) or "nothing"),
        ("objections", "\n".join(tally.objections) or "none"),
        ("passed", "yes" if tally.is_clean else "NO"),
    ):
        table.add_row(name, value)
    console.print(table)


def _listed(losses: dict[str, int]) -> str:
    return "\n".join(f"{count}: {reason}" for reason, count in losses.items()) or "none"


if __name__ == "__main__":
    sys.exit(main())
