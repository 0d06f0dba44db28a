"""Claims of a gain where there is none, and gains recognised, with the other core loaded.

    python -m benchmarks.noise                  # all of it; takes ten minutes and more
    timeout 300 python -m benchmarks.noise --resume

What is done is kept in benchmarks/results/noise.json after every comparison, so a run can be made
in pieces: `--resume` goes on where the last one ended. The table is that of everything in the file.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.machine import describe_machine, load
from benchmarks.noise import payload
from benchmarks.noise.naive import naive_ratios
from reverie.instruments.benchmark.instrument import compare_speed
from reverie.instruments.benchmark.rounds import Comparison
from reverie.instruments.benchmark.target import Inputs, parse_target
from reverie.sandbox.engine import Sandbox

RESULTS = Path(__file__).parent.parent / "results" / "noise.json"
CLAIM = 1 / 0.9
_NEIGHBOUR = """
import os
parent = os.getppid()
while os.getppid() == parent:
    sum(range(10_000))
"""
COUNTS = {"same": 200, "gain": 100}


def main() -> int:
    """Run the parts asked for; exit 1 when a target is missed."""
    asked = _arguments()
    kept: Path = asked.results
    rows = json.loads(kept.read_text("utf-8")) if asked.resume and kept.exists() else []
    print(f"{describe_machine()}; load {load():.1f}", file=sys.stderr)
    with _loaded_core(asked.idle), tempfile.TemporaryDirectory(prefix="noise") as folder:
        for part in ("same", "gain") if asked.part == "all" else (asked.part,):
            done = sum(row["part"] == part for row in rows)
            for row in _compare(Path(folder), part, range(done, asked.count or COUNTS[part])):
                rows.append(row)
                kept.parent.mkdir(exist_ok=True)
                kept.write_text(json.dumps(rows, indent=1), "utf-8")
    _show(rows)
    return 0 if _holds(rows) else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--part", choices=("all", "same", "gain"), default="all")
    parser.add_argument("--count", type=int, help="comparisons; 200 of the same, 100 with a gain")
    parser.add_argument("--resume", action="store_true", help="go on where the last run ended")
    parser.add_argument("--results", type=Path, default=RESULTS, help="where they are kept")
    parser.add_argument("--idle", action="store_true", help="do not load a core")
    return parser.parse_args()


@contextmanager
def _loaded_core(idle: bool) -> Iterator[None]:
    """One process that does nothing but work, as a neighbour would."""
    if idle:
        yield
        return
    with subprocess.Popen([sys.executable, "-c", _NEIGHBOUR]) as neighbour:
        try:
            yield
        finally:
            neighbour.kill()


def _compare(folder: Path, part: str, seeds: range) -> Iterator[dict[str, Any]]:
    old = payload.SLOW if part == "gain" else payload.FAST
    for name, text in (("old", old), ("new", payload.FAST), ("inputs", payload.INPUTS)):
        (folder / f"{name}.py").write_text(text, "utf-8")
    inputs = Inputs(parse_target(f"{folder}/inputs.py:make_input"))
    targets = [parse_target(f"{folder}/{name}.py:work") for name in ("old", "new")]
    with Sandbox() as sandbox:
        for seed in seeds:
            before = _cpu_seconds()
            found = compare_speed(
                sandbox, Comparison(targets[0], targets[1], inputs, payload.SIZE, seed)
            )
            judged, speedup = found.judgement, found.judgement.speedup
            row = {
                "part": part,
                "seed": seed,
                "verdict": judged.verdict.value,
                "reason_code": judged.reason_code,
                "reason": judged.reason,
                "p50": speedup and speedup.p50.value,
                "rounds": found.times.rounds,
                "seconds": found.seconds,
                "naive": _naive(old, seed),
                "cpu_seconds_here": _cpu_seconds() - before,
            }
            print(f"{part} {seed}: {row['verdict']} {judged.reason}", file=sys.stderr, flush=True)
            yield row


def _naive(old: str, seed: int) -> dict[str, float]:
    scopes: list[dict[str, Any]] = [{}, {}]
    for scope, text in zip(scopes, (old, payload.FAST), strict=True):
        exec(text, scope)  # noqa: S102  the payload above
    return naive_ratios(
        lambda: scopes[0]["work"](seed, payload.SIZE), lambda: scopes[1]["work"](seed, payload.SIZE)
    )


def _cpu_seconds() -> float:
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def _share(rows: list[dict[str, Any]], part: str, method: str | None) -> tuple[int, int]:
    """Comparisons of a part in which a gain of 10 % or more was claimed, and all of them."""
    own = [row for row in rows if row["part"] == part]
    if method is None:
        return sum(row["verdict"] == "faster" for row in own), len(own)
    return sum(row["naive"][method] >= CLAIM for row in own), len(own)


def _show(rows: list[dict[str, Any]]) -> None:
    print("| method | old against old: gain of 10 % claimed | true 1.25x: recognised |")
    print("|---|---|---|")
    methods = [None, *rows[0]["naive"]]
    for method in methods:
        cells = [_cell(*_share(rows, part, method)) for part in ("same", "gain")]
        print(f"| {method or 'reverie bench'} | {cells[0]} | {cells[1]} |")
    for part in ("same", "gain"):
        own = [row for row in rows if row["part"] == part]
        verdicts = sorted({row["verdict"] for row in own})
        counts = {each: sum(row["verdict"] == each for row in own) for each in verdicts}
        if own:
            seconds = sorted(row["seconds"] for row in own)[len(own) // 2]
            print(f"{part}: {counts}, median {seconds:.1f} s each")


def _cell(count: int, of: int) -> str:
    return f"{count} of {of} ({count / of:.1%})" if of else "not run"


def _holds(rows: list[dict[str, Any]]) -> bool:
    claimed, same = _share(rows, "same", None)
    recognised, gain = _share(rows, "gain", None)
    return claimed <= 0.01 * same and recognised >= 0.95 * gain


if __name__ == "__main__":
    sys.exit(main())
