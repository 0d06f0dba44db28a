"""`python -m benchmarks.night`: is every planted kind promoted or proposed, and junk left alone?

    python -m benchmarks.night [parcels|lantern] --budget 10m [--keep FOLDER]

The exit code is 1 when a promise is broken. Nothing here is timed: the budget is what it may take.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path

from benchmarks.night.lantern import LANTERN
from benchmarks.night.looking import Promise, look_at, second_night
from benchmarks.night.parcels import PARCELS
from benchmarks.night.planted import plant

PLANTED = {each.name: each for each in (PARCELS, LANTERN)}


def main() -> int:
    """Plant, run twice, and hold what came of it against what was planted."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.night", description=__doc__)
    parser.add_argument("which", nargs="?", choices=PLANTED, default="parcels")
    parser.add_argument("--budget", default="10m", help="of one night [default: 10m]")
    parser.add_argument("--keep", type=Path, help="plant it there, and leave it")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        planted = PLANTED[options.which]
        folder = plant(planted, options.keep or Path(scratch) / planted.name)
        first, promises = look_at(planted, folder, ("--budget", options.budget))
        promises += second_night(folder, ("--budget", options.budget))
    for each in promises:
        print(f"{'kept  ' if each.is_kept else 'BROKEN'} {each.name}: {each.told}")
    print(json.dumps({"seconds": first["seconds"], "verdicts": first["verdicts"]}))
    return 0 if all(map(_is_kept, promises)) else 1


def _is_kept(promise: Promise) -> bool:
    return promise.is_kept


if __name__ == "__main__":
    sys.exit(main())
