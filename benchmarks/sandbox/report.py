"""The tables, the ratios and whether the targets are met."""

import json
import statistics
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.figures import Summary
from benchmarks.machine import Machine
from benchmarks.sandbox import throughput
from benchmarks.sandbox.contenders import Bubblewrap, OursBackToBack, OursWarm, SandboxRuntime
from benchmarks.sandbox.throughput import Rate


@dataclass(frozen=True, slots=True)
class Target:
    """One figure that has to be reached."""

    name: str
    measured: float | None
    required: float
    at_most: bool = False
    by_cpu: float | None = None
    """The same figure from CPU time: what the cores would give if nobody else used them."""

    @property
    def is_met(self) -> bool | None:
        """None when a part of it was not measured."""
        if self.measured is None:
            return None
        best = self.measured
        return best <= self.required if self.at_most else best >= self.required


@dataclass(slots=True)
class Report:
    """Everything one run measured."""

    machine: Machine
    slots: int
    load_before: float
    load_after: float = 0.0
    latency_ms: dict[str, Summary] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    rates: dict[str, Rate] = field(default_factory=dict)

    def targets(self) -> list[Target]:
        """The figures that the sandbox promises."""
        journaled, crowded = throughput.BATCH_JOURNALED, throughput.BATCH_CROWDED
        both = throughput.BATCH_CROWDED_JOURNALED
        floor = throughput.FLOOR_PARALLEL
        return [
            Target("warm median, times faster than bubblewrap", self._times(Bubblewrap.name), 25),
            Target("warm median, times faster than srt", self._times(SandboxRuntime.name), 200),
            Target(
                "back to back median, times faster than bubblewrap",
                self._times(Bubblewrap.name, OursBackToBack.name),
                20,
            ),
            Target(
                "back to back median, in forks of the floor",
                self._in_forks(OursBackToBack.name),
                2,
                at_most=True,
            ),
            Target(
                "executions/s with journaling on one stream", self._rate(throughput.STREAM), 400
            ),
            Target(
                "executions/s with journaling on all cores",
                max(filter(None, map(self._rate, (journaled, both))), default=None),
                800,
                by_cpu=max(filter(None, map(self.idle_rate, (journaled, both))), default=None),
            ),
            Target(
                "an execution in a batch, in forks of the floor, no journal",
                _ratio(self._rate(floor), self._rate(crowded)),
                4,
                at_most=True,
                by_cpu=_ratio(self._cpu(crowded), self._cpu(floor)),
            ),
            Target(
                "execute_many/s, inputs in groups",
                self._rate(throughput.MANY_GROUPED),
                12_000,
                by_cpu=self.idle_rate(throughput.MANY_GROUPED),
            ),
        ]

    def targets_met(self) -> bool:
        """Whether every one is met; what was not measured is not met."""
        return all(target.is_met for target in self.targets())

    def as_dict(self) -> dict[str, Any]:
        """The JSON document."""
        return {
            "machine": self.machine.as_dict(),
            "slots": self.slots,
            "load": {"before": self.load_before, "after": self.load_after},
            "latency_ms": {name: found.as_dict() for name, found in self.latency_ms.items()},
            "missing": self.missing,
            "throughput": {
                name: {
                    "per_second": rate.per_second,
                    "cpu_ms_per_execution": rate.cpu_ms,
                    "idle_per_second": self.idle_rate(name),
                }
                for name, rate in self.rates.items()
            },
            "targets": [
                {
                    "name": target.name,
                    "measured": target.measured,
                    "required": target.required,
                    "by_cpu": target.by_cpu,
                    "met": target.is_met,
                }
                for target in self.targets()
            ],
        }

    def _times(self, peer: str, own: str = OursWarm.name) -> float | None:
        ours, theirs = self.latency_ms.get(own), self.latency_ms.get(peer)
        return theirs.median / ours.median if ours and theirs else None

    def _in_forks(self, own: str) -> float | None:
        """A median beside the time of one bare fork, from the same run."""
        ours, forks = self.latency_ms.get(own), self._rate(throughput.FLOOR_SINGLE)
        return ours.median * forks / 1000 if ours and forks else None

    def _rate(self, name: str) -> float | None:
        rate = self.rates.get(name)
        return statistics.median(rate.per_second) if rate else None

    def _cpu(self, name: str) -> float | None:
        rate = self.rates.get(name)
        return statistics.median(rate.cpu_ms) if rate else None

    def idle_rate(self, name: str) -> float | None:
        """Executions per second if the cores did nothing else, from CPU time."""
        cpu = self._cpu(name)
        cores = min(self.slots, self.machine.cores)
        return cores * 1000 / cpu if cpu else None


def _ratio(above: float | None, below: float | None) -> float | None:
    return above / below if above and below else None


def write_report(report: Report, folder: Path, console: Console) -> None:
    """Print the tables; keep them as JSON and Markdown."""
    console.print(str(report.machine))
    console.print(
        f"load {report.load_before:.2f} before, {report.load_after:.2f} after; {report.slots} slots"
    )
    for title, header, rows in _tables(report):
        table = Table(title=title, title_justify="left")
        for number, column in enumerate(header):
            table.add_column(column, justify="left" if number == 0 else "right")
        for row in rows:
            table.add_row(*row)
        console.print(table)
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(report.as_dict(), indent=2)
    (folder / "sandbox.json").write_text(text + "\n", encoding="utf-8")
    (folder / "sandbox.md").write_text(_markdown(report), encoding="utf-8")


_TableParts = tuple[str, tuple[str, ...], list[tuple[str, ...]]]


def _tables(report: Report) -> list[_TableParts]:
    tables: list[_TableParts] = []
    if report.latency_ms:
        tables.append(
            ("One execution, ms", ("contender", "n", "median", "p95", "min"), _latency(report))
        )
    if report.rates:
        header = ("executions per second", "median", "best round", "CPU ms each", "idle cores")
        tables.append(("Throughput", header, _throughput(report)))
    tables.append(("Targets", ("figure", "measured", "by CPU", "required", "met"), _ruled(report)))
    return tables


def _latency(report: Report) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [
        (name, str(row.count), f"{row.median:.2f}", f"{row.p95:.2f}", f"{row.min:.2f}")
        for name, row in report.latency_ms.items()
    ]
    return rows + [(name, reason, "", "", "") for name, reason in report.missing.items()]


def _throughput(report: Report) -> list[tuple[str, ...]]:
    return [
        (
            name,
            f"{statistics.median(rate.per_second):.0f}",
            f"{max(rate.per_second):.0f}",
            f"{statistics.median(rate.cpu_ms):.2f}",
            "" if name == throughput.FLOOR_SINGLE else f"{report.idle_rate(name) or 0:.0f}",
        )
        for name, rate in report.rates.items()
    ]


def _ruled(report: Report) -> list[tuple[str, ...]]:
    words = {True: "yes", False: "NO", None: "not measured"}
    return [
        (
            target.name,
            "" if target.measured is None else f"{target.measured:.1f}",
            "" if target.by_cpu is None else f"{target.by_cpu:.1f}",
            f"{'≤' if target.at_most else '≥'} {target.required:g}",
            words[target.is_met],
        )
        for target in report.targets()
    ]


def _markdown(report: Report) -> str:
    lines = [
        f"{report.machine}; load {report.load_before:.2f} before, {report.load_after:.2f} after; "
        f"{report.slots} slots.",
        "",
    ]
    for title, header, rows in _tables(report):
        lines += [f"**{title}**", "", "| " + " | ".join(header) + " |"]
        lines += ["|" + "---|" * len(header)]
        lines += ["| " + " | ".join(row) + " |" for row in rows]
        lines.append("")
    return "\n".join(lines)
