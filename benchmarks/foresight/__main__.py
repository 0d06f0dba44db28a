"""`python -m benchmarks.foresight`: how well forecasts hold, and whether collapses are seen.

300 series of six kinds, each forecast five cycles ahead; 400 histories of ten cycles, half of which
are planted to collapse. The seed is one that nothing was tuned on. With `--git FOLDER` the commits
per week of a repository are forecast as well, from every week on; with `--changelog FILE` the
releases per quarter that the dates in it tell of.
"""

import argparse
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.foresight.series import HORIZON, Known, make_planted, make_series
from reverie.model.foresight import CycleMetrics, RiskLabel
from reverie.scoring.forecasting import drift, forecast, naive, smoothed
from reverie.scoring.trajectory import collapse_risk

_WEEK = 7 * 24 * 3600
_DATE = re.compile(r"\b(20\d\d)-([01]\d)-([0-3]\d)\b")
_PEERS = {"naive": naive, "drift": drift, "ets": smoothed}


@dataclass(slots=True)
class Sum:
    """What is summed up over the forecasts of one kind."""

    held80: int = 0
    held95: int = 0
    n: int = 0
    errors: Counter[str] = field(default_factory=Counter)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.foresight", description=__doc__)
    parser.add_argument("--seed", type=int, default=2024)
    parser.add_argument("--series", type=int, default=300)
    parser.add_argument("--git", type=Path, action="append", default=[])
    parser.add_argument("--changelog", type=Path, action="append", default=[])
    options = parser.parse_args()
    show(make_series(options.series, options.seed))
    real = [each for folder in options.git for each in _weeks(folder)]
    real += [each for file in options.changelog for each in _quarters(file)]
    if real:
        show(real)
    collapses(options.seed)
    return 0


def show(series: Sequence[Known]) -> None:
    """One line per kind, and one for all."""
    sums: dict[str, Sum] = defaultdict(Sum)
    for each in series:
        _add(each, (sums[each.kind], sums["all"]))
    names = "".join(f"{name:>8}" for name in ("ours", *_PEERS))
    print(f"{'mean absolute error':>37}\n{'':12} {'80 %':>6} {'95 %':>6} {names}")
    for kind, found in sorted(sums.items(), key=lambda each: each[0] == "all"):
        errors = "".join(f"{found.errors[name] / found.n:8.3f}" for name in ("ours", *_PEERS))
        shares = f"{found.held80 / found.n:6.1%} {found.held95 / found.n:6.1%}"
        print(f"{kind:12} {shares} {errors}  n={found.n}")
    print()


def _add(each: Known, sums: Sequence[Sum]) -> None:
    found = forecast(each.history, HORIZON)
    if found is None:
        return
    peers = {name: model(each.history, HORIZON) for name, model in _PEERS.items()}
    for at, (one, truth) in enumerate(zip(found.projections, each.future, strict=True)):
        for total in sums:
            total.n += 1
            total.held80 += one.low80 <= truth <= one.high80
            total.held95 += one.low95 <= truth <= one.high95
            total.errors["ours"] += abs(truth - one.value)  # type: ignore[assignment]
            for name, values in peers.items():
                total.errors[name] += abs(truth - values[at])  # type: ignore[assignment]


def _weeks(folder: Path) -> list[Known]:
    """The commits per week of a repository, cut at every week that has five after it."""
    line = ["git", "-C", str(folder), "log", "--format=%ct"]
    moments = [int(each) for each in subprocess.check_output(line, text=True).split()]
    first, last = min(moments) // _WEEK, max(moments) // _WEEK
    counts = Counter(each // _WEEK for each in moments)
    return _cut(folder.name, [float(counts[week]) for week in range(first, last + 1)])


def _quarters(file: Path) -> list[Known]:
    """The releases per quarter that a changelog tells of, by its dates."""
    dates = set(_DATE.findall(file.read_text("utf-8", "replace")))
    counts = Counter(int(year) * 4 + (int(month) - 1) // 3 for year, month, _ in dates)
    first, last = min(counts), max(counts)
    return _cut(file.stem, [float(counts[each]) for each in range(first, last + 1)])


def _cut(name: str, values: list[float]) -> list[Known]:
    """A series cut at every place that has five values after it, twelve at least before it."""
    return [
        Known(name[:12], tuple(values[max(0, cut - 60) : cut]), tuple(values[cut : cut + HORIZON]))
        for cut in range(12, len(values) - HORIZON + 1)
    ]


def collapses(seed: int) -> None:
    """Which planted collapses are seen, and what else is taken for one."""
    told: Counter[tuple[str, str]] = Counter()
    hits = alarms = planted = 0
    for each in make_planted(400, seed):
        found = collapse_risk([CycleMetrics(roi_delta=value) for value in each.history])
        is_alarm = found.risk is RiskLabel.IMMEDIATE
        hits += is_alarm and each.collapses
        alarms += is_alarm
        planted += each.collapses
        told[each.kind, str(found.risk)] += 1
    print(f"collapses: precision {hits / alarms:.3f}, recall {hits / planted:.3f}, of {planted}")
    for (kind, label), count in sorted(told.items()):
        print(f"  {kind:9} {label:24} {count}")


if __name__ == "__main__":
    sys.exit(main())
