"""`python -m benchmarks.fuzz [--budget 20] [--only base64] [--cases FOLDER]`: bugs found, alarms.

Every plant is fuzzed twice: with the bug, and as it was. `--cases` adds folders of twins
(`clean.py`, `buggy.py` and `meta.json` with the `entry`). A finding counts when its script fails
on the planted version and passes on the other.
"""

import argparse
import importlib.util
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.fuzz.plants import PLANTS, Plant
from reverie.dreamers.enrich.target import Target, find_target
from reverie.dreamers.fuzz.fuzz import Effort, fuzz_callable
from reverie.errors import ReverieError
from reverie.model.discovery import Discovery
from reverie.sandbox.engine import Sandbox


@dataclass(frozen=True, slots=True)
class Twin:
    name: str
    entry: str
    clean: Path
    buggy: Path


def planted(plant: Plant, folder: Path) -> Twin:
    """Both versions on disk; a module of the standard library stands by itself."""
    spec = importlib.util.find_spec(plant.module)
    if spec is None or spec.origin is None:
        raise SystemExit(f"{plant.module} is not installed")
    source = Path(spec.origin).read_text("utf-8")
    if source.count(plant.old) != 1:
        raise SystemExit(f"{plant.name}: the patch does not fit this version")
    top = plant.module.partition(".")[0]
    made = []
    for kind, text in (("clean", source), ("buggy", source.replace(plant.old, plant.new))):
        place = folder / plant.name.replace(":", ".") / kind
        if top in sys.stdlib_module_names:
            path = place / f"planted_{plant.module.rpartition('.')[2]}.py"
        else:
            package = importlib.util.find_spec(top)
            home = Path(str(package.origin)).parent if package is not None else Path()
            shutil.copytree(home, place / top, ignore=shutil.ignore_patterns("__pycache__"))
            path = place / top / Path(spec.origin).relative_to(home)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        made.append(path)
    return Twin(plant.name, plant.callable, *made)


def given(folder: Path) -> Iterator[Twin]:
    for each in sorted(folder.iterdir()):
        if (each / "meta.json").is_file():
            entry = json.loads((each / "meta.json").read_text("utf-8"))["entry"]
            yield Twin(each.name, entry, each / "clean.py", each / "buggy.py")


def found(sandbox: Sandbox, path: Path, entry: str, effort: Effort) -> tuple[Discovery, ...]:
    target: Target = find_target(str(path), None, None)
    return fuzz_callable(sandbox, target, entry, effort).findings


def told(several: tuple[Discovery, ...]) -> str:
    return "; ".join(
        f"{each.kind}: {each.input[:90]} -> {each.actual[:50]}" for each in several[:3]
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--budget", type=float, default=20.0)
    parser.add_argument("--only", default="")
    parser.add_argument("--cases", type=Path)
    parser.add_argument("--no-plants", action="store_true")
    parser.add_argument("--buggy-only", action="store_true")
    options = parser.parse_args()
    hits = alarms = many = 0
    with tempfile.TemporaryDirectory() as scratch, Sandbox() as sandbox:
        twins = [] if options.cases is None else list(given(options.cases))
        if not options.no_plants:
            wanted = [each for each in PLANTS if options.only in each.name]
            twins += [planted(each, Path(scratch)) for each in wanted]
        for twin in twins:
            if options.only not in twin.name:
                continue
            began = time.monotonic()
            try:
                seen = found(sandbox, twin.buggy, twin.entry, Effort(options.budget))
                clean = (
                    ()
                    if options.buggy_only
                    else found(sandbox, twin.clean, twin.entry, Effort(options.budget))
                )
            except ReverieError as error:
                print(f"{twin.name:34} FAILED {error}", flush=True)
                many += 1
                continue
            usual = {each.signature for each in clean}
            new = tuple(each for each in seen if each.signature not in usual)
            many += 1
            hits += bool(new)
            alarms += bool(clean)
            word = "found" if new else "MISSED"
            print(
                f"{twin.name:34} {word:7} {time.monotonic() - began:5.1f} s  {told(new)}",
                flush=True,
            )
            if clean:
                print(f"{'':34} ALARM on the unplanted: {told(clean)}", flush=True)
    print(f"{hits} of {many} found; alarms on {alarms} of {many} unplanted versions")


if __name__ == "__main__":
    main()
