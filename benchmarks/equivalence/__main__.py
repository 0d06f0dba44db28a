"""`python -m benchmarks.equivalence [--cases PAIRS.jsonl …] [--seeds 1 2]`: labelled pairs, judged.

A line of a file is one pair: `id`, `family`, `entry`, `old`, `new` (whole module sources) and
`label` (`same` or `different`). Without a file the bundled pairs are used, the tuned and the
held-out ones apart. Every counter-example is run again in fresh interpreters outside.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.equivalence.reproduce import shows_a_difference
from benchmarks.equivalence.score import Outcome, Score
from reverie.instruments.equivalence import compare_versions, version_of
from reverie.instruments.self_check import Proofs
from reverie.model.execution import Execution, Request
from reverie.model.sections import EquivalenceSection, SandboxSection
from reverie.sandbox.engine import Sandbox

_QUALITY = Path(__file__).parents[2] / "tests" / "quality"
BUNDLED = [
    str(_QUALITY / name) for name in ("equivalence_pairs.jsonl", "equivalence_blind_pairs.jsonl")
]


class Meter:
    """CPU time of the host and of everything that ran in the sandbox."""

    def __init__(self) -> None:
        self.inside = 0.0

    def record(self, request: Request, execution: Execution) -> None:
        """One execution, finished."""
        self.inside += execution.usage.cpu_seconds or 0.0

    @property
    def seconds(self) -> float:
        """So far."""
        spent = os.times()
        return spent.user + spent.system + self.inside


def judge(
    sandbox: Sandbox, meter: Meter, pair: dict[str, Any], section: EquivalenceSection
) -> Outcome:
    """The verdict on one pair, whether its counter-example holds outside, and what it took."""
    versions = [version_of(pair[side], pair["entry"]) for side in ("old", "new")]
    wall, cpu = time.monotonic(), meter.seconds
    answer = compare_versions(sandbox, *versions, section=section)
    wall, cpu = time.monotonic() - wall, meter.seconds - cpu
    shown = answer.counterexample
    return Outcome(
        id=pair["id"],
        label=pair["label"],
        verdict=answer.verdict.value,
        inputs=answer.inputs,
        reproduces=shown is not None and shows_a_difference(pair["old"], pair["new"], shown),
        wall_seconds=wall,
        cpu_seconds=cpu,
        note=answer.reason or ("" if shown is None else f"{shown.kind}: {shown.expression}"),
    )


def _told(outcome: Outcome) -> Outcome:
    """One line on stderr while the run goes on."""
    spent = f"{outcome.wall_seconds:.2f} s, {outcome.cpu_seconds:.2f} s CPU"
    print(f"{outcome.id} {outcome.label}: {outcome.verdict}, {spent}", file=sys.stderr, flush=True)
    return outcome


def sets(paths: Sequence[str]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The pairs by the name of their set."""
    for path in map(Path, paths or BUNDLED):
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
        for split in dict.fromkeys(row.get("split", "") for row in rows):
            named = f"{path.name} {split}".strip()
            yield named, [row for row in rows if row.get("split", "") == split]


def main() -> None:
    """Judge every pair with every seed and print the figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.equivalence", description=__doc__)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--cases", action="append", default=[], metavar="FILE")
    parser.add_argument("--seeds", nargs="+", type=int, default=[EquivalenceSection().seed])
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    meter = Meter()
    with Sandbox(SandboxSection(slots=1), meter.record) as sandbox:
        Proofs(sandbox).require("equivalence")
        for name, pairs in sets([*options.files, *options.cases]):
            for seed in options.seeds:
                section = EquivalenceSection(seed=seed)
                score = Score([_told(judge(sandbox, meter, pair, section)) for pair in pairs])
                print(f"{name}, seed {seed}\n{score.report(options.verbose)}\n", flush=True)


if __name__ == "__main__":
    main()
