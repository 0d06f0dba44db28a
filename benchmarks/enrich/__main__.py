"""`python -m benchmarks.enrich`: ours and Pynguin with the same budget, beside the own suite."""

import argparse
import json
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.enrich.contenders import run_ours, run_own_suite, run_pynguin
from benchmarks.enrich.measure import Worth

RESULTS = Path(__file__).parents[1] / "results"
MODULES = (
    "humanize.number", "toolz.itertoolz", "isodate.duration", "tomli._parser", "semver.version",
    "cachetools",
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.enrich", description=__doc__)
    parser.add_argument("--modules", nargs="*", default=list(MODULES))
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ours-only", action="store_true")
    given = parser.parse_args()
    found: list[Worth] = []
    with tempfile.TemporaryDirectory(prefix="enrich-bench-") as folder:
        for module in given.modules:
            for worth in run(module, given, Path(folder)):
                found.append(worth)
                show(worth)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "enrich.json").write_text(json.dumps([asdict(each) for each in found], indent=1))
    judge(found)


def run(module: str, given: argparse.Namespace, folder: Path) -> Iterator[Worth]:
    yield run_ours(module, given.seconds, given.seed, folder)
    if not given.ours_only:
        yield run_pynguin(module, given.seconds, given.seed, folder)
        yield run_own_suite(module)


def show(each: Worth) -> None:
    print(
        f"{each.module:20} {each.contender:9} "
        f"line {_share(each.line)} branch {_share(each.branch)} "
        f"mutants {_share(None if each.score is None else 100 * each.score)} "
        f"({each.killed}/{each.mutants}) tests {each.tests:4} lines {each.code_lines:5} "
        f"failing {each.failing} flaky {each.flaky} "
        f"{'' if each.seconds is None else f'{each.seconds:.0f} s'} {each.note}",
        flush=True,
    )


def judge(found: Sequence[Worth]) -> None:
    """The targets, each a yes or a no."""
    ours = [each for each in found if each.contender == "ours"]
    theirs = [each for each in found if each.contender == "pynguin"]
    suites = [each for each in found if each.contender == "own suite" and each.branch is not None]
    branch = _mean([each.branch or 0.0 for each in ours])
    score = 100 * _mean([each.score or 0.0 for each in ours])
    say("mean branch coverage", branch, branch >= 90, ">= 90")
    lowest = min((each.branch or 0.0 for each in ours), default=0.0)
    say("lowest branch coverage", lowest, lowest >= 75, ">= 75")
    say("mean mutation score", score, score >= 75, ">= 75")
    unsteady = sum(each.failing + each.flaky for each in ours)
    say("failing and flaky", unsteady, unsteady == 0, "0")
    if theirs:
        gap = branch - _mean([each.branch or 0.0 for each in theirs])
        say("points of branch above Pynguin", gap, gap >= 20, ">= 20")
        peer = 100 * _mean([each.score or 0.0 for each in theirs])
        ratio = score / peer if peer else float("inf")
        say("mutation score / Pynguin's", ratio, ratio >= 1.6, ">= 1.6")
        own, other = (_lines_per_kill(each) for each in (ours, theirs))
        say("test lines per kill / Pynguin's", own / other, own <= other / 2, "<= 0.5")
    if suites:
        measured = {each.module for each in suites}
        mine = _mean([each.branch or 0.0 for each in ours if each.module in measured])
        behind = _mean([each.branch or 0.0 for each in suites]) - mine
        say("points of branch behind the own suite", behind, behind <= 5, "<= 5")


def say(what: str, value: float, is_met: bool, wanted: str) -> None:
    print(f"{'yes' if is_met else 'no ':4} {what}: {value:.2f} (wanted {wanted})")


def _lines_per_kill(several: Sequence[Worth]) -> float:
    killed = sum(each.killed or 0 for each in several)
    return sum(each.code_lines for each in several) / killed if killed else float("inf")


def _mean(values: Sequence[float]) -> float:
    return statistics.mean(values) if values else 0.0


def _share(value: float | None) -> str:
    return "  n/a" if value is None else f"{value:5.1f}"


if __name__ == "__main__":
    main()
