"""`python -m benchmarks.night`: is every planted kind promoted or proposed, and junk left alone?

    python -m benchmarks.night [parcels|lantern|canto|kiosk|skep|FOLDER] [--budget 10m] [--keep TO]

A folder is a repository with `LABELS.json`: {"kinds": {module: kind}, "junk": [path],
"flaky": test or null, "workflow": name or null}. The exit code is 1 when a promise is broken.
Nothing here is timed: the budget is what it may take.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path

from benchmarks.night.canto import CANTO
from benchmarks.night.kiosk import KIOSK
from benchmarks.night.lantern import LANTERN
from benchmarks.night.looking import Promise, look_at, second_night
from benchmarks.night.parcels import PARCELS
from benchmarks.night.planted import Planted, plant, read_planted
from benchmarks.night.skep import SKEP

PLANTED = {each.name: each for each in (PARCELS, LANTERN, CANTO, KIOSK, SKEP)}


def main() -> int:
    """Plant, run twice, and hold what came of it against what was planted."""
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        "python -m benchmarks.night", None, __doc__, formatter_class=plain
    )
    parser.add_argument("which", nargs="?", default="parcels", help="one of ours, or a folder")
    parser.add_argument("--budget", default="10m", help="of one night [default: 10m]")
    parser.add_argument("--keep", type=Path, help="plant it there, and leave it")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        planted = _chosen(options.which)
        folder = plant(planted, options.keep or Path(scratch) / planted.name)
        first, promises = look_at(planted, folder, ("--budget", options.budget))
        promises += second_night(folder, ("--budget", options.budget))
    for each in promises:
        print(f"{'kept  ' if each.is_kept else 'BROKEN'} {each.name}: {each.told}")
    kept = sum(map(_is_kept, promises))
    told = {"seconds": first["seconds"], "verdicts": first["verdicts"]}
    print(json.dumps({**told, "kept": kept, "promises": len(promises)}))
    return 0 if kept == len(promises) else 1


def _chosen(which: str) -> Planted:
    return PLANTED[which] if which in PLANTED else read_planted(Path(which))


def _is_kept(promise: Promise) -> bool:
    return promise.is_kept


if __name__ == "__main__":
    sys.exit(main())
