"""`python -m benchmarks.first_contact --out ROWS.jsonl --mirror DIR --sdists DIR [--only NAME]`.

One repository after another (`repositories.py`), each with an empty state folder, so that nothing
is known and nothing is installed. A row is written as soon as it is known; repositories that have
one are left out, so that the same command goes on where it was stopped. `--first 60` takes those at
the head of the list, `--prepare` only makes environments and runs suites, `--fetch` downloads the
source distributions first; `--table` prints the rows that are there.
"""

import argparse
import json
import sys
import tempfile
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from benchmarks.first_contact.contact import Places, Try, contact, remove
from benchmarks.first_contact.fetching import fetch_sdists
from benchmarks.first_contact.repositories import MIXED, NEW, SDISTS, TRIED, UNTRIED, Sdist
from benchmarks.first_contact.table import print_table

_WRITING = threading.Lock()


def main() -> int:
    """Every repository that has no row yet, then the sums."""
    parser = argparse.ArgumentParser(prog="benchmarks.first_contact")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--mirror", type=Path)
    parser.add_argument("--sdists", type=Path)
    parser.add_argument("--only", action="append", metavar="NAME")
    parser.add_argument("--first", type=int, metavar="N", help="only so many of the list")
    parser.add_argument("--prepare", action="store_true")
    parser.add_argument("--budget", type=int, default=120, metavar="SECONDS")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="repositories at once")
    parser.add_argument("--fetch", action="store_true")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    if options.fetch:
        archives = (*SDISTS, *NEW, *(each for each in MIXED if isinstance(each, Sdist)))
        chosen = {_title(each) for each in _chosen(options.only)}
        fetch_sdists([each for each in archives if each.title in chosen], options.sdists)
    places = Places(options.mirror, options.sdists)
    known = {row["repository"] for row in read_rows(options.out)}
    chosen = () if options.table else _chosen(options.only)[: options.first]
    waiting = [each for each in chosen if _title(each) not in known]
    tried = Try(options.budget, only_prepares=options.prepare)
    problems = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        begun = {
            pool.submit(_try_one, places, each, tried, options.out): _title(each)
            for each in waiting
        }
        for done in as_completed(begun):
            if (problem := done.exception()) is not None:
                problems += 1  # of ours, so it is no row: the same command tries it again
                print(f"{begun[done]}: no row", flush=True)
                traceback.print_exception(problem)
    print_table(read_rows(options.out))
    return min(problems, 1)


def _try_one(places: Places, source: Sdist | str, tried: Try, out: Path) -> None:
    """One row, kept before what was made for it is taken away: that may take as long."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        row = contact(places, source, tried, Path(scratch, "contact"))
        with _WRITING, out.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
            print(f"{row['repository']:36} {row['outcome']:12} {row['wall_seconds']:6.0f} s  "
                  f"{row['line'] or row['told'][-1:]}", flush=True)  # fmt: skip
        remove(Path(scratch, "contact"))


def _chosen(only: list[str] | None) -> list[Sdist | str]:
    every: list[Sdist | str] = [*SDISTS, *NEW, *UNTRIED, *TRIED, *MIXED]
    return [each for each in every
            if only is None or _title(each).split()[0].lower() in map(str.lower, only)]  # fmt: skip


def _title(source: Sdist | str) -> str:
    return source if isinstance(source, str) else source.title


def read_rows(place: Path) -> list[dict[str, Any]]:
    """What is known so far; of two rows of one repository the later."""
    lines = place.read_text("utf-8").splitlines() if place.exists() else []
    rows = [json.loads(each) for each in lines]
    return list({row["repository"]: row for row in rows}.values())


if __name__ == "__main__":
    sys.exit(main())
