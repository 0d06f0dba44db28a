"""`python -m benchmarks.sandbox`: ours beside its peers, one run, interleaved."""

import argparse
import random
import sys
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from benchmarks.figures import summarize
from benchmarks.machine import describe_machine, load
from benchmarks.sandbox import throughput
from benchmarks.sandbox.contenders import Contender, open_contenders
from benchmarks.sandbox.payload import check, make_params
from benchmarks.sandbox.report import Report, write_report
from reverie.model.sections import SandboxSection

RESULTS_FOLDER = Path(__file__).parent.parent / "results"
_WARMING_ROUNDS = 2


def main() -> int:
    """Measure, print, write; 1 when `--check` is on and a target is missed."""
    options = _parse_options()
    console = Console(stderr=True)
    section = SandboxSection(slots=options.slots)
    report = Report(machine=describe_machine(), slots=options.slots, load_before=load())
    with Progress(console=console, transient=True) as progress:
        if not options.only_throughput:
            _measure_latency(report, section, options, progress)
        if not options.only_latency:
            _measure_throughput(report, section, options, progress)
    report.load_after = load()
    write_report(report, options.out, Console(width=110))
    return 1 if options.check and not report.targets_met() else 0


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sandbox", description=__doc__)
    parser.add_argument("--n", type=int, default=200, help="executions of each contender")
    parser.add_argument("--turn", type=int, default=4, help="executions before the next one's turn")
    parser.add_argument("--srt", type=int, default=30, help="executions of srt")
    parser.add_argument("--slots", type=int, default=2)
    parser.add_argument("--pause-ms", type=float, default=10.0, help="before a warm execution")
    parser.add_argument("--rounds", type=int, default=7, help="rounds of the throughput table")
    parser.add_argument("--batch", type=int, default=400, help="executions per round of a batch")
    parser.add_argument("--many", type=int, default=1600, help="inputs per round of execute_many")
    parser.add_argument("--only-latency", action="store_true")
    parser.add_argument("--only-throughput", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=RESULTS_FOLDER, help="folder for the results")
    parser.add_argument("--check", action="store_true", help="exit 1 when a target is missed")
    return parser.parse_args()


def _measure_latency(
    report: Report, section: SandboxSection, options: argparse.Namespace, progress: Progress
) -> None:
    chance = random.Random(options.seed)
    pause = options.pause_ms / 1000
    rounds = -(-options.n // options.turn)
    slow_every = max(1, rounds // max(1, options.srt))
    with open_contenders(section, pause, slow_every) as (contenders, missing):
        report.missing = missing
        for contender in contenders * _WARMING_ROUNDS:
            _measure(contender, chance)
        times: dict[str, list[float]] = {contender.name: [] for contender in contenders}
        for number in progress.track(range(rounds), description="latency"):
            start = number % len(contenders)
            for contender in contenders[start:] + contenders[:start]:
                if number % contender.every == 0:
                    for _ in range(1 if contender.is_slow else options.turn):
                        times[contender.name] += _measure(contender, chance)
    report.latency_ms = {
        name: summarize([second * 1000 for second in seconds]) for name, seconds in times.items()
    }


def _measure(contender: Contender, chance: random.Random) -> list[float]:
    params = make_params(chance)
    found = contender.measure(params)
    for _, result in found:
        check(contender.name, params, result)
    return [seconds for seconds, _ in found]


def _measure_throughput(
    report: Report, section: SandboxSection, options: argparse.Namespace, progress: Progress
) -> None:
    with throughput.open_rows(section, options.batch, options.many) as rows:
        names = list(rows)
        rates = {name: throughput.Rate() for name in names}
        for name in names:
            rows[name]()
        for turn in progress.track(range(options.rounds), description="throughput"):
            start = turn % len(names)
            for name in names[start:] + names[:start]:
                rates[name].add(*rows[name]())
    report.rates = rates


if __name__ == "__main__":
    sys.exit(main())
