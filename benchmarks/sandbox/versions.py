"""`python -m benchmarks.sandbox.versions OTHER`: this version beside another checkout, interleaved.

OTHER is a checkout with its own `.venv` (`git worktree add OTHER REV && make -C OTHER setup`). Both
versions keep one warm slot and take turns, so that whatever else runs on the machine meets both.
"""

import argparse
import json
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from rich.console import Console
from rich.table import Table

from benchmarks.figures import summarize
from benchmarks.machine import load

HERE = Path(__file__).parents[2]
_TIERS = ("namespaces", "landlock")
_WARMING_TURNS = 5


@dataclass(slots=True)
class Version:
    """One checkout, and what its executions took, by tier and way of calling."""

    name: str
    tree: Path
    seconds: dict[str, list[float]] = field(default_factory=dict)


class Worker:
    """A process of one version that executes when it is asked to."""

    def __init__(self, stdin: IO[str], stdout: IO[str]) -> None:
        self._stdin, self._stdout = stdin, stdout

    def measure(self, pause_seconds: float, count: int) -> list[float]:
        """Seconds of `count` executions one after the other, after a pause."""
        self._stdin.write(json.dumps([pause_seconds, count]) + "\n")
        self._stdin.flush()
        seconds: list[float] = json.loads(self._stdout.readline())
        return seconds


@contextmanager
def open_worker(version: Version, tier: str) -> Iterator[Worker]:
    """Start the version's own interpreter in its own tree."""
    program = str(Path(__file__).with_name("one_version.py"))
    line = [str(version.tree / ".venv/bin/python"), program, tier]
    with subprocess.Popen(
        line, cwd=version.tree, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield Worker(process.stdin, process.stdout)
        process.stdin.close()


def main() -> int:
    options = _parse_options()
    versions = [Version("this", HERE), Version("other", options.other.resolve())]
    before = load()
    for tier in _TIERS:
        _measure(tier, versions, options)
    _show(versions, before)
    return 0


def _measure(tier: str, versions: list[Version], options: argparse.Namespace) -> None:
    with ExitStack() as stack:
        workers = [stack.enter_context(open_worker(each, tier)) for each in versions]
        # One way after the other: what is put off by calls in a row is not paid by a paused one.
        for way, count in (("paused", 1), ("back to back", 8)):
            for turn in range(options.turns + _WARMING_TURNS):
                # Whoever begins changes: neither always meets what the other left behind.
                order = list(zip(versions, workers, strict=True))[:: 1 if turn % 2 else -1]
                for version, worker in order:
                    seconds = worker.measure(options.pause_ms / 1000, count)
                    if turn >= _WARMING_TURNS:
                        version.seconds.setdefault(f"{tier}, {way}", []).extend(seconds)


def _show(versions: list[Version], before: float) -> None:
    this, other = versions
    table = Table(box=None, title=f"milliseconds, median (load before: {before:.1f})")
    for column in ("what", "executions", "other", "this", "this / other", "of the turns"):
        table.add_column(column)
    for what, seconds in this.seconds.items():
        new, old = summarize(seconds), summarize(other.seconds[what])
        pairs = [a / b for a, b in zip(seconds, other.seconds[what], strict=True)]
        table.add_row(
            *(what, str(new.count), f"{old.median * 1e3:.2f}", f"{new.median * 1e3:.2f}"),
            *(f"{new.median / old.median:.2f}", f"{statistics.median(pairs):.2f}"),
        )
    Console(width=110).print(table)


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", type=Path, metavar="OTHER")
    parser.add_argument("--turns", type=int, default=100)
    parser.add_argument("--pause-ms", type=float, default=20.0)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
