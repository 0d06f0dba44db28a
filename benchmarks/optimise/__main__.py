"""`python -m benchmarks.optimise FOLDER [--only s01] [--budget 30] [--evolve]`: slow functions.

A case is `ID.py` with one slow function and `make_input(n, seed)`, and `ID.json` with its `entry`,
`min_speedup_at` and, where the obvious rewrite is wrong, `trap`. What is offered is run beside the
original on inputs that the search never saw; results and arguments are compared by `repr`.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from reverie.instruments.benchmark.target import parse_target
from reverie.instruments.self_check import Proofs
from reverie.model.measurements.attempts import Optimisation
from reverie.model.ruling import Answer
from reverie.model.settings.judgement import GuardSection
from reverie.sandbox.engine import Sandbox
from reverie.stages.evolving import Wish, evolve_callable
from reverie.stages.hotspots import optimise_callable

_SIZES = (0, 1, 2, 3, 7, 20, 60)
_SEEDS = range(100, 130)


def loaded(source: str, entry: str) -> tuple[Callable[..., Any], Callable[[int, int], Any]]:
    space: dict[str, Any] = {"__name__": "case"}
    exec(compile(source, "case.py", "exec"), space)  # noqa: S102  the cases are our own
    return space[entry], space["make_input"]


def seen(call: Callable[..., Any], made: Any) -> str:
    args, kwargs = made
    return repr((_told(_answer(call, made)), [_told(each) for each in args], kwargs))


def _answer(call: Callable[..., Any], made: Any) -> Any:
    args, kwargs = made
    try:
        return call(*args, **kwargs)
    except Exception as error:  # noqa: BLE001  whatever the case raises is its answer
        return type(error)


def _told(value: Any) -> Any:
    """What is left in an iterator is what counts of it: its address is another each time."""
    return ("iterator", list(value)) if isinstance(value, Iterator) else value


def is_right(old: str, new: str, entry: str) -> bool:
    before, make = loaded(old, entry)
    after, _ = loaded(new, entry)
    for size in _SIZES:
        for seed in _SEEDS:
            try:
                made = make(size, seed), make(size, seed)
            except Exception:  # noqa: BLE001  this size is none for the maker
                continue
            if seen(before, made[0]) != seen(after, made[1]):
                return False
    return True


def measured(old: str, new: str, entry: str, size: int) -> float:
    """CPU time of old over that of new, for three inputs together."""
    spent = []
    for source in (old, new):
        call, make = loaded(source, entry)
        times = []
        for seed in range(3):
            made = make(size, seed)
            started = time.process_time()
            _answer(call, made)
            times.append(time.process_time() - started)
        spent.append(sum(times))
    return spent[0] / max(spent[1], 1e-9)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="parts of names, with commas between")
    parser.add_argument("--budget", type=float, default=30.0)
    parser.add_argument("--evolve", action="store_true", help="by a population, not single shots")
    given = parser.parse_args()
    gains, wrong, honest = [], 0, 0
    with Sandbox() as sandbox:
        for name in ("equivalence", "benchmark"):
            Proofs(sandbox).require(name)
        for file in chosen(given.folder, given.only):
            case = json.loads(file.with_suffix(".json").read_text())
            maker = parse_target(f"{file}:make_input")
            target = parse_target(f"{file}:{case['entry']}")
            if given.evolve:
                wish = Wish(given.budget)
                bred = evolve_callable(sandbox, target, maker, wish, GuardSection())
                found = bred.optimisation
            else:
                found = optimise_callable(sandbox, target, maker, given.budget, GuardSection())
            honest += not case.get("trap")
            gain, right = judged(file, case, found)
            wrong += not right
            if gain is not None and right and not case.get("trap"):
                gains.append(gain)
    share = len(gains) / honest if honest else 0.0
    middle = statistics.median(gains) if gains else 0.0
    print(f"\nsped up {len(gains)} of {honest} ({share:.0%}), median {middle:.1f}x, wrong {wrong}")
    return int(bool(wrong))


def chosen(folder: Path, only: str) -> list[Path]:
    every = sorted(folder.glob("*.py"))
    return [each for each in every if any(part in each.name for part in only.split(","))]


def judged(file: Path, case: dict[str, Any], found: Optimisation) -> tuple[float | None, bool]:
    best = found.best
    label = "trap" if case.get("trap") else case["pattern"]
    if best is None:
        why = found.note or "; ".join(
            f"{each.pattern}: {ruling.reason}"
            for each in found.trials
            for ruling in each.judgement.rulings
            if ruling.verdict is not Answer.PASS
        )
        print(f"{file.stem:24} {label:45} - {why[:150]} ({found.seconds:.0f} s)", flush=True)
        return None, True
    old = file.read_text()
    right = is_right(old, best.source, case["entry"])
    size = (case.get("min_speedup_at") or {"n": 200})["n"]
    gain = measured(old, best.source, case["entry"], size)
    growth = best.benchmark.growth if best.benchmark else None
    grown = "" if growth is None else f"n^{growth.old.value:.1f} -> n^{growth.new.value:.1f}"
    mark = "" if right else "  WRONG"
    print(
        f"{file.stem:24} {label:45} {gain:8.1f}x at {size} {grown} {best.pattern}"
        f" ({found.seconds:.0f} s){mark}",
        flush=True,
    )
    return gain, right


if __name__ == "__main__":
    sys.exit(main())
