"""`python -m benchmarks.sandbox.profile`: where the time of one execution goes."""

import argparse
import json
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.machine import descendants, describe_machine, load, real_interpreter
from benchmarks.sandbox.floor import FloorProcess, slot_config
from benchmarks.sandbox.payload import CODE, ENTRY, check, make_params
from benchmarks.sandbox.timeline import watching
from reverie.model.execution import Call, Request
from reverie.model.sections import SandboxSection
from reverie.sandbox.engine import Sandbox

_TICKS = os.sysconf("SC_CLK_TCK")
_PHASES = Path(__file__).with_name("phases.py")
_PAUSE_SECONDS = 0.01


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sandbox.profile")
    parser.add_argument("--n", type=int, default=300)
    parser.add_argument("--json", type=Path, help="write the figures there as well")
    options = parser.parse_args()
    console = Console(width=100)
    before = load()
    found = {
        "timeline_us": _timeline(options.n),
        "far_side": _far_side(options.n),
        "per_execution": _counters(4 * options.n),
        "system_calls": _system_calls(options.n),
    }
    console.print(str(describe_machine()))
    console.print(f"load {before:.2f} before, {load():.2f} after")
    _print(found, console)
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    return 0


def _request(chance: random.Random) -> Request:
    return Request(Call(CODE, ENTRY, make_params(chance)))


def _timeline(count: int) -> dict[str, float]:
    """Median exclusive microseconds of each step of `Sandbox.run` when a spare is ready."""
    chance = random.Random(1)
    runs: list[dict[str, float]] = []
    with Sandbox(SandboxSection(slots=2)) as sandbox:
        sandbox.warm()
        with watching() as timeline:
            for _ in range(count):
                time.sleep(_PAUSE_SECONDS)
                timeline.begin()
                sandbox.run(_request(chance))
                runs.append(dict(timeline.spent))
    steps = dict.fromkeys(step for run in runs for step in run)
    return {step: statistics.median(run.get(step, 0.0) * 1e6 for run in runs) for step in steps}


def _far_side(count: int) -> dict[str, tuple[float, float]]:
    """Median microseconds and page faults of each step there, outside the isolation."""
    request = {
        "kind": "call",
        "code": CODE,
        "entry": ENTRY,
        "params": make_params(random.Random(1)),
    }
    command = [real_interpreter(), "-s", "-S", "-P", "-X", "utf8", str(_PHASES)]
    command += [json.dumps(slot_config()), str(count), json.dumps(request)]
    steps = json.loads(subprocess.check_output(command, env={"PYTHONHASHSEED": "0"}))
    return {
        step: (statistics.median(us for us, _ in pairs), statistics.median(n for _, n in pairs))
        for step, pairs in steps.items()
    }


@dataclass(frozen=True, slots=True)
class Usage:
    """What one process has used: ticks and faults, its own and its reaped children's."""

    user: int
    system: int
    children_user: int
    children_system: int
    faults: int
    children_faults: int

    @classmethod
    def of(cls, pids: list[int]) -> "Usage":
        """Summed over processes."""
        rows = [_stat_fields(pid) for pid in pids]
        return cls(*(sum(row[place] for row in rows) for place in (11, 12, 13, 14, 7, 8)))

    def minus(self, other: "Usage", count: int) -> dict[str, float]:
        """Per execution: milliseconds and faults."""
        names = ("user_ms", "system_ms", "children_user_ms", "children_system_ms")
        milliseconds = {
            name: (getattr(self, name[:-3]) - getattr(other, name[:-3])) * 1000 / _TICKS / count
            for name in names
        }
        return milliseconds | {
            "faults": (self.faults - other.faults) / count,
            "children_faults": (self.children_faults - other.children_faults) / count,
        }


def _stat_fields(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    return [
        int(field) if field.lstrip("-").isdigit() else 0
        for field in text.rpartition(")")[2].split()
    ]


def _counters(count: int) -> dict[str, dict[str, float]]:
    """CPU time and page faults per execution, by who spent them, in batches on two slots."""
    chance = random.Random(2)
    requests = [_request(chance) for _ in range(count)]
    with (
        Sandbox(SandboxSection(slots=2, recycle_after=1_000_000)) as sandbox,
        FloorProcess() as floor,
    ):
        sandbox.warm()
        list(sandbox.run_batch(requests[:50]))
        zygotes = _zygotes()
        before = Usage.of([os.getpid()]), Usage.of(zygotes)
        started = time.perf_counter()
        for request, execution in zip(requests, sandbox.run_batch(requests), strict=True):
            check("ours", dict(request.target.params), execution.output)  # type: ignore[union-attr]
        wall = time.perf_counter() - started
        after = Usage.of([os.getpid()]), Usage.of(zygotes)
        pid = floor.pid
        floor_before = Usage.of([pid])
        floor.begin(count)
        floor.finish()
        floor_after = Usage.of([pid])
    return {
        "supervisor": after[0].minus(before[0], count),
        "zygotes": after[1].minus(before[1], count),
        "floor": floor_after.minus(floor_before, count),
        "wall": {"ms": wall * 1000 / count},
    }


def _zygotes() -> list[int]:
    """Children of our launchers."""
    launchers = {stat.pid for stat in descendants(os.getpid()) if stat.parent == os.getpid()}
    return [stat.pid for stat in descendants(os.getpid()) if stat.parent in launchers]


def _system_calls(count: int) -> dict[str, float] | str:
    """Calls per execution in zygote and executions, counted by strace."""
    strace = shutil.which("strace")
    if strace is None:
        return "strace is not installed"
    chance = random.Random(3)
    with (
        tempfile.TemporaryDirectory() as folder,
        Sandbox(SandboxSection(slots=1, recycle_after=1_000_000)) as sandbox,
    ):
        sandbox.warm()
        list(sandbox.run_batch([_request(chance) for _ in range(20)]))
        table = Path(folder, "counts")
        tracer = subprocess.Popen(
            [strace, "-f", "-c", "-o", str(table), "-p", str(_zygotes()[0])],
            stderr=subprocess.PIPE,
            text=True,
        )
        assert tracer.stderr is not None
        first = tracer.stderr.readline()
        if "attached" not in first:
            tracer.wait()
            return f"strace may not look: {first.strip()}"
        list(sandbox.run_batch([_request(chance) for _ in range(count)]))
        tracer.send_signal(signal.SIGINT)
        tracer.communicate(timeout=30)
        return _read_counts(table.read_text(encoding="utf-8"), count)


def _read_counts(table: str, count: int) -> dict[str, float]:
    found = {}
    for line in table.splitlines():
        fields = line.split()
        if len(fields) >= 5 and fields[3].isdigit() and fields[-1] != "total":
            found[fields[-1]] = int(fields[3]) / count
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def _print(found: dict[str, Any], console: Console) -> None:
    title = "One warm execution, as its caller's process spends it (medians)"
    table = Table("step", "µs", title=title, title_justify="left")
    for step, value in found["timeline_us"].items():
        table.add_row(step, f"{value:.0f}")
    table.add_row("sum", f"{sum(found['timeline_us'].values()):.0f}")
    console.print(table)
    title = "The far side, outside the isolation (medians)"
    table = Table("step", "µs", "page faults", title=title, title_justify="left")
    for step, (microseconds, faults) in found["far_side"].items():
        table.add_row(step, f"{microseconds:.0f}", f"{faults:.0f}")
    console.print(table)
    _print_counters(found["per_execution"], console)
    calls = found["system_calls"]
    if isinstance(calls, str):
        console.print(calls)
        return
    table = Table(
        "system call", "per execution", title="Zygote and execution", title_justify="left"
    )
    for name, value in list(calls.items())[:20]:
        table.add_row(name, f"{value:.1f}")
    table.add_row("all", f"{sum(calls.values()):.0f}")
    console.print(table)


def _print_counters(counters: dict[str, dict[str, float]], console: Console) -> None:
    title = "Per execution in a batch on two slots"
    table = Table("who", "user ms", "system ms", "page faults", title=title, title_justify="left")
    for who, row in counters.items():
        if who == "wall":
            continue
        table.add_row(
            who, f"{row['user_ms']:.2f}", f"{row['system_ms']:.2f}", f"{row['faults']:.0f}"
        )
        if who != "supervisor":
            table.add_row(
                f"{who}: forked children",
                f"{row['children_user_ms']:.2f}",
                f"{row['children_system_ms']:.2f}",
                f"{row['children_faults']:.0f}",
            )
    console.print(table)
    console.print(f"wall {counters['wall']['ms']:.2f} ms per execution")


if __name__ == "__main__":
    sys.exit(main())
