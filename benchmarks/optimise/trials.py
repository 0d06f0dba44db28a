"""How often a whole trial accepts what is no gain, and misses a gain of a quarter.

    python -m benchmarks.optimise.trials                  # 1,000 and 200 trials; half an hour
    timeout 300 python -m benchmarks.optimise.trials --resume

A trial is what `reverie optimise` puts a variant through: guardrails, equivalence, paired times at
p50, p95 and p99, memory, and the gates of stage C. Old against old differs by a comment alone. What
is done is kept in benchmarks/results/trials.json after every trial; `--resume` goes on from there.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.machine import describe_machine, load
from reverie.instruments.benchmark.target import Inputs, parse_target
from reverie.instruments.self_check import Proofs
from reverie.sandbox.engine import Sandbox
from reverie.trials.speed_trial import Question, try_variant

RESULTS = Path(__file__).parent.parent / "results" / "trials.json"
COUNTS = {"same": 1000, "gain": 200}
MOST_SAME, LEAST_GAIN = 0.005, 0.90
SIZE = 400
_SECONDS = 30.0
_LOOPS = (
    "total += number * number % 7",
    "total = (total + number * 3) % 1000003",
    "total ^= hash((number, 3)) & 255",
    "total += len(str(number))",
)
_OLD = """def work(numbers: list[int]) -> int:
    total = 0
    for number in numbers:
        {step}
    for number in numbers[: len(numbers) // 4]:
        {waste}
    return total


def make_input(n, seed):
    return ([seed % 997 + each for each in range(n)],), {{}}
"""


def sources(part: str, number: int) -> tuple[str, str]:
    """Old and new: a quarter of the work is done for nothing, and in `gain` left out."""
    step = _LOOPS[number % len(_LOOPS)]
    old = _OLD.format(step=step, waste=step.replace("total", "waste"))
    old = old.replace("    total = 0\n", "    total = waste = 0\n", 1)
    if part == "same":
        return old, f"{old}# the same\n"
    wasted = old[old.index("    for number in numbers[:") : old.index("    return total")]
    return old, old.replace(wasted, "").replace("total = waste = 0", "total = 0")


def main() -> int:
    """Run the parts asked for; exit 1 when a target is missed."""
    asked = _arguments()
    kept: Path = asked.results
    rows = json.loads(kept.read_text("utf-8")) if asked.resume and kept.exists() else []
    print(f"{describe_machine()}; load {load():.1f}", file=sys.stderr)
    with Sandbox() as sandbox:
        for name in ("equivalence", "benchmark"):
            Proofs(sandbox).require(name)
        for part in ("same", "gain") if asked.part == "all" else (asked.part,):
            done = sum(row["part"] == part for row in rows)
            for row in _try(sandbox, part, range(done, asked.count or COUNTS[part])):
                rows.append(row)
                kept.parent.mkdir(exist_ok=True)
                kept.write_text(json.dumps(rows, indent=1), "utf-8")
    return 0 if _show(rows) else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--part", choices=("all", "same", "gain"), default="all")
    parser.add_argument("--count", type=int, help="trials; 1,000 of the same, 200 with a gain")
    parser.add_argument("--resume", action="store_true", help="go on where the last run ended")
    parser.add_argument("--results", type=Path, default=RESULTS, help="where they are kept")
    return parser.parse_args()


def _try(sandbox: Sandbox, part: str, numbers: range) -> Iterator[dict[str, Any]]:
    with TemporaryDirectory(prefix="trials") as folder:
        for number in numbers:
            old, new = sources(part, number)
            file = Path(folder, "work.py")
            file.write_text(old, "utf-8")
            inputs = Inputs(parse_target(f"{file}:make_input"))
            question = Question(
                {"work.py": old.encode()}, "work.py", old, "work", inputs, SIZE, number
            )
            began = time.monotonic()
            found = try_variant(sandbox, question, new, part, _SECONDS)
            worst = found.judgement.rulings[-1] if found.judgement.rulings else None
            yield {
                "part": part,
                "number": number,
                "verdict": found.judgement.verdict.value,
                "why": found.benchmark and found.benchmark.judgement.reason,
                "last": worst and f"{worst.gate}: {worst.reason_code}",
                "rounds": found.benchmark and found.benchmark.times.rounds,
                "seconds": time.monotonic() - began,
            }


def _show(rows: list[dict[str, Any]]) -> bool:
    """The figures; whether both targets are met."""
    met = True
    for part, told in (("same", "old against old"), ("gain", "a true 1.25x")):
        own = [row for row in rows if row["part"] == part]
        if not own:
            continue
        accepted = sum(row["verdict"] == "promote" for row in own)
        share = accepted / len(own)
        met &= share < MOST_SAME if part == "same" else share >= LEAST_GAIN
        seconds = sorted(row["seconds"] for row in own)[len(own) // 2]
        print(f"{told}: {accepted} of {len(own)} accepted ({share:.1%}), median {seconds:.1f} s")
    return met


if __name__ == "__main__":
    sys.exit(main())
