"""`python -m benchmarks.static [CASES.jsonl …]`: who finds what, and who cries wolf.

A line of a file is one case: `id`, `code`, `label` (`dangerous` or `benign`), `family`. Without
a file the bundled cases are used, the tuned and the held-out ones apart.
"""

import argparse
import json
import sysconfig
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.static.peers import run_bandit, run_ruff
from reverie.model.outcome import TrustTier
from reverie.sandbox.safety import RuleSet, check_source

BUNDLED = Path(__file__).parents[2] / "tests" / "quality" / "static_cases.jsonl"
Verdicts = list[list[str]]


@dataclass(frozen=True, slots=True)
class Score:
    """How one tool did on one set of cases."""

    caught: int
    dangerous: int
    alarms: int
    benign: int
    seconds: float

    @property
    def precision(self) -> float | None:
        """Share of the flagged cases that are dangerous."""
        flagged = self.caught + self.alarms
        return self.caught / flagged if flagged else None

    @property
    def recall(self) -> float | None:
        """Share of the dangerous cases that are flagged."""
        return self.caught / self.dangerous if self.dangerous else None


def run_reverie(codes: Sequence[str]) -> Verdicts:
    """The ids of the rules that fail each piece of code at tier `sandbox`."""
    rules = RuleSet.default()
    failing = {rule.id for rule in rules if rule.fails_at(TrustTier.SANDBOX)}
    answers = []
    for code in codes:
        checked = check_source(code, "<case>", TrustTier.SANDBOX, rules)
        answers.append(sorted({f.rule for f in checked.findings} & failing))
    return answers


def score(
    cases: list[dict[str, Any]], run: Callable[[Sequence[str]], Verdicts | None]
) -> Score | None:
    """Run one tool on all cases; None when the tool is not installed."""
    started = time.perf_counter()
    verdicts = run([case["code"] for case in cases])
    if verdicts is None:
        return None
    seconds = time.perf_counter() - started
    pairs = [
        (case["label"] == "dangerous", bool(v)) for case, v in zip(cases, verdicts, strict=True)
    ]
    return Score(
        caught=sum(danger and flagged for danger, flagged in pairs),
        dangerous=sum(danger for danger, _ in pairs),
        alarms=sum(flagged and not danger for danger, flagged in pairs),
        benign=sum(not danger for danger, _ in pairs),
        seconds=seconds,
    )


def _load(path: Path) -> dict[str, list[dict[str, Any]]]:
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    splits: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        splits.setdefault(f"{path.name} {row.get('split', '')}".strip(), []).append(row)
    return splits


def _show(name: str, result: Score | None) -> None:
    if result is None:
        print(f"  {name:8} not installed")
        return
    precision = "-" if result.precision is None else f"{result.precision:.3f}"
    recall = "-" if result.recall is None else f"{result.recall:.3f}"
    print(
        f"  {name:8} precision {precision}  recall {recall}  "
        f"caught {result.caught}/{result.dangerous}  alarms {result.alarms}/{result.benign}  "
        f"{result.seconds:.2f} s"
    )


def show_speed() -> None:
    """Processor time on the standard library's own modules."""
    folder = Path(sysconfig.get_path("stdlib"))
    lines, slowest, started = 0, 0.0, time.process_time()
    for path in sorted(folder.glob("*.py")):
        source = path.read_bytes()
        before = time.process_time()
        check_source(source, path.name)
        count = source.count(b"\n")
        lines += count
        if count >= 500:
            slowest = max(slowest, (time.process_time() - before) / count * 1000)
    seconds = time.process_time() - started
    print(f"speed: {lines} lines of the standard library in {seconds:.1f} s of processor time,")
    print(f"  {seconds / lines * 1000:.3f} s per 1,000 lines, at worst {slowest:.3f} s")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", type=Path, default=[BUNDLED])
    parser.add_argument("--speed", action="store_true", help="also measure the time it takes")
    options = parser.parse_args()
    if options.speed:
        show_speed()
    for path in options.cases:
        for title, cases in sorted(_load(path).items()):
            print(f"{title}: {len(cases)} cases")
            _show("reverie", score(cases, run_reverie))
            _show("bandit", score(cases, run_bandit))
            _show("ruff S", score(cases, run_ruff))


if __name__ == "__main__":
    main()
