"""`python -m benchmarks.fuzz [--budget 20] [--only base64] [--cases FOLDER] [--packages FOLDER]`.

Every plant is fuzzed twice: with the bug, and as it was. `--packages` adds the second set, in a
folder of packages (`benchmarks/fuzz/packages.py` says which); `--cases` adds folders of twins
(`clean.py`, `buggy.py` and `meta.json` with the `entry`). What is also found in the sound version
does not count; each finding's script has failed in a process of its own before it is reported.
"""

import argparse
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.fuzz.packages import PACKAGED
from benchmarks.fuzz.plants import PLANTS
from benchmarks.fuzz.twins import Twin, given, planted
from reverie.dreamers.enrich.target import find_target
from reverie.dreamers.fuzz.fuzz import Effort, fuzz_callable
from reverie.errors import ReverieError
from reverie.model.repository.environment import Discovery
from reverie.sandbox.engine import Sandbox


@dataclass(slots=True)
class Tally:
    """What came of one set."""

    many: int = 0
    found: int = 0
    alarms: int = 0

    def __str__(self) -> str:
        return (
            f"{self.found} of {self.many} found; "
            f"alarms on {self.alarms} of {self.many} unplanted versions"
        )


def found(sandbox: Sandbox, path: Path, entry: str, effort: Effort) -> tuple[Discovery, ...]:
    return fuzz_callable(sandbox, find_target(str(path), None, None), entry, effort).findings


def told(several: tuple[Discovery, ...]) -> str:
    return "; ".join(
        f"{each.kind}: {each.input[:90]} -> {each.actual[:50]}" for each in several[:3]
    )


def measure(sandbox: Sandbox, twin: Twin, options: argparse.Namespace, tally: Tally) -> None:
    """Both versions of one twin, and a line about them."""
    effort = Effort(options.budget, seed=options.seed)
    began = time.monotonic()
    tally.many += 1
    try:
        seen = found(sandbox, twin.buggy, twin.entry, effort)
        clean = () if options.buggy_only else found(sandbox, twin.clean, twin.entry, effort)
    except ReverieError as error:
        print(f"{twin.name:34} FAILED {error}", flush=True)
        return
    usual = {each.signature for each in clean}
    new = tuple(each for each in seen if each.signature not in usual)
    tally.found += bool(new)
    tally.alarms += bool(clean)
    word = "found" if new else "MISSED"
    print(f"{twin.name:34} {word:7} {time.monotonic() - began:5.1f} s  {told(new)}", flush=True)
    if clean:
        print(f"{'':34} ALARM on the unplanted: {told(clean)}", flush=True)


def sets(options: argparse.Namespace, scratch: Path) -> Iterator[tuple[str, list[Twin]]]:
    """The sets that are asked for, by name."""
    if options.cases is not None:
        named = [each for each in given(options.cases) if options.only in each.name]
        yield f"cases in {options.cases.name}", named
    if not options.no_plants:
        first = [each for each in PLANTS if options.only in each.name]
        yield "standard library and installed packages", [planted(one, scratch) for one in first]
    if options.packages is not None:
        second = [each for each in PACKAGED if options.only in each.name]
        yield "packages", [planted(one, scratch, options.packages) for one in second]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--budget", type=float, default=20.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--cases", type=Path)
    parser.add_argument("--packages", type=Path)
    parser.add_argument("--no-plants", action="store_true")
    parser.add_argument("--buggy-only", action="store_true")
    options = parser.parse_args()
    tallies: dict[str, Tally] = {}
    with tempfile.TemporaryDirectory() as scratch, Sandbox() as sandbox:
        for name, twins in sets(options, Path(scratch)):
            tally = tallies[name] = Tally()
            for twin in twins:
                measure(sandbox, twin, options, tally)
    for name, tally in tallies.items():
        print(f"{name}: {tally}")


if __name__ == "__main__":
    main()
