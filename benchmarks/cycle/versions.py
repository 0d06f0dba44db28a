"""Two versions of Reverie on the same repositories, side by side: what they prove per CPU minute.

    python -m benchmarks.cycle.versions BEFORE AFTER REPOSITORY… --sheet FOLDER [--seconds 100]
    $EDITOR FOLDER/labels.tsv                     # blind, by FOLDER/rubric.md
    python -m benchmarks.cycle.versions --labelled FOLDER

BEFORE and AFTER are checkouts, each with its `.venv`. A REPOSITORY is `sample`, or whatever git can
clone, with every second of its tests taken out. Both versions run at the same time, so that they
meet the same load; with --executions, which counts runs of code, load decides nothing about what is
written. CPU seconds are those of the whole tree of processes of a run. The sheet mixes the tests of
both.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.cycle.halving import halve_tests
from benchmarks.keepable.cutting import Piece, pieces_of
from benchmarks.keepable.judging import read_labels
from benchmarks.keepable.packages import Drawn
from benchmarks.keepable.sheet import Item, read_key, write_sheet
from benchmarks.machine import load, tree_cpu_seconds
from benchmarks.soak.residue import become_subreaper

_LOOK_SECONDS = 0.2
_RUNS = "runs.json"
_SAMPLE = Path("sample")
_AUTHOR = ("-c", "user.name=Nobody", "-c", "user.email=nobody@example.org")


@dataclass(frozen=True, slots=True)
class Night:
    """One cycle of one version on one repository."""

    repository: str
    version: str
    commits: tuple[str, ...]
    noticed: int
    """Planted faults that were not noticed before."""
    cpu_seconds: float
    seconds: float
    first_cpu_seconds: float | None
    first_seconds: float | None
    load: float
    pieces: tuple[Piece, ...] = ()

    def row(self, kept: int | None) -> str:
        """A line of a table."""
        minutes = self.cpu_seconds / 60
        first = "-" if self.first_seconds is None else (
            f"{self.first_cpu_seconds:.1f} / {self.first_seconds:.0f} s"
        )  # fmt: skip
        shown = "" if kept is None else f" {kept} | {kept / minutes:.1f} |"
        return (
            f"| {self.repository}, {self.version} | {len(self.commits)} | {len(self.pieces)} "
            f"| {self.noticed} | {self.cpu_seconds:.0f} | {len(self.commits) / minutes:.1f} "
            f"| {self.noticed / minutes:.0f} | {first} |{shown}"
        )


def main() -> int:
    options = _options()
    if options.one:
        version, place, *spending = options.one
        print(json.dumps(_one_night(Path(version), Path(place), spending)))
        return 0
    if options.labelled is None:
        _compare(options)
    folder = options.labelled or options.sheet
    nights = [_read(each) for each in json.loads((folder / _RUNS).read_text("utf-8"))]
    _show(nights, _kept(folder) if options.labelled else None)
    return 0


def _compare(options: argparse.Namespace) -> None:
    nights = []
    options.sheet.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="versions-") as scratch:
        for repository in options.repositories:
            places = {}
            for version in ("before", "after"):
                place = Path(scratch, version, _name_of(repository))
                _lay_out(repository, place, options.after)
                places[version] = place
            nights += _both(places, options)
            raw = [asdict(each) for each in nights]
            (options.sheet / _RUNS).write_text(json.dumps(raw, indent=1), "utf-8")
            _write_sheet(nights, options.sheet)


def _write_sheet(nights: Sequence[Night], folder: Path) -> None:
    """The same nights give the same sheet: who wrote which is seen from the key alone."""
    mixed = [(each, piece) for each in nights for piece in each.pieces]
    random.Random(len(mixed)).shuffle(mixed)
    items = [Item(number, each.version, piece) for number, (each, piece) in enumerate(mixed, 1)]
    write_sheet(folder, items)


def _spending(options: argparse.Namespace) -> list[str]:
    """What a run may spend: seconds, or counted so that load makes no difference."""
    if options.executions is None:
        return ["--budget", f"{options.seconds:g}s"]
    counted = [str(options.dreams), "--executions", str(options.executions)]
    return ["--stage", "A", "--dreams", *counted]


def _name_of(repository: Path) -> str:
    if repository == _SAMPLE:
        return "lendery"
    name = repository.name if repository.name not in ("repo", ".git") else repository.parent.name
    return name.rpartition("+")[2]


def _lay_out(repository: Path, place: Path, version: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    if repository == _SAMPLE:
        make = "import sys; from pathlib import Path; from sample_history import make_sample; "
        line = [sys.executable, "-c", f"{make}make_sample(Path(sys.argv[1]))", str(place)]
        subprocess.run(line, cwd=version / "examples", check=True)
        return
    subprocess.run(["git", "clone", "-q", str(repository), str(place)], check=True)
    halve_tests(place)
    line = ["git", *_AUTHOR, "commit", "-qam", "Half of the tests"]
    subprocess.run(line, cwd=place, check=True)


def _both(places: dict[str, Path], options: argparse.Namespace) -> list[Night]:
    """At the same time; each has a process of its own above it, which counts."""
    began = load()
    line = [sys.executable, "-m", "benchmarks.cycle.versions", "--one"]
    running = {
        version: subprocess.Popen(
            [*line, str(getattr(options, version)), str(place), *_spending(options)],
            stdout=subprocess.PIPE, text=True,
        )
        for version, place in places.items()
    }  # fmt: skip
    found = []
    for version, process in running.items():
        told = json.loads(process.communicate()[0])
        document = told.pop("document")
        found.append(_night(version, places[version], document, told, (began + load()) / 2))
        print(found[-1].row(None), file=sys.stderr, flush=True)
    return found


def _one_night(version: Path, place: Path, spending: Sequence[str]) -> dict[str, Any]:
    """Run it, and look when its branch gets its first commit."""
    become_subreaper()
    home = Path(tempfile.mkdtemp(prefix="home-", dir=place.parent))
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "PYTHON"))}
    line = [str(version / ".venv/bin/python"), "-m", "reverie", "run", str(place), "--seed", "1"]
    began = time.monotonic()
    first: tuple[float, float] | None = None
    with (home / "told").open("w") as told, (home / "said").open("w") as said:
        process = subprocess.Popen(
            [*line, *spending, *_anyway(version), "--json"],
            env={**kept, "HOME": str(home)}, stdout=told, stderr=said,
        )  # fmt: skip
        while process.poll() is None:
            if first is None and any(place.glob(".git/refs/heads/reverie/*")):
                first = tree_cpu_seconds(process.pid), time.monotonic() - began
            with suppress(subprocess.TimeoutExpired):
                process.wait(_LOOK_SECONDS)
    passed = time.monotonic() - began
    document = _document(home)
    with suppress(ChildProcessError):  # whatever outlived it is counted when it ends
        while True:
            os.waitpid(-1, 0)
    times = os.times()
    return {
        "document": document,
        "cpu_seconds": times.children_user + times.children_system,
        "seconds": passed,
        "first_cpu_seconds": first and first[0],
        "first_seconds": first and first[1],
    }


def _anyway(version: Path) -> list[str]:
    """What a version has to be told to go on without all that a package declares."""
    asked = [str(version / ".venv/bin/python"), "-m", "reverie", "run", "--help"]
    known = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    return ["--anyway"] if "--anyway" in known else []


def _document(home: Path) -> dict[str, Any]:
    """What a run printed; one that came to nothing has promoted nothing."""
    try:
        found: dict[str, Any] = json.loads((home / "told").read_text("utf-8"))
    except ValueError:
        print((home / "said").read_text("utf-8")[-500:], file=sys.stderr, flush=True)
        return {"promotions": []}
    return found


def _night(
    version: str, place: Path, document: dict[str, Any], told: dict[str, Any], at: float
) -> Night:
    promotions = document["promotions"]
    noticed = 0
    pieces: list[Piece] = []
    for each in promotions:
        evidence = json.loads(Path(each["bundle"], "evidence.json").read_text("utf-8"))
        noticed += int(evidence["measures"].get("mutants.newly_killed", {"value": 0})["value"])
        pieces += _pieces(place, each["commit"], each["title"])
    titles = tuple(each["title"] for each in promotions)
    return Night(place.name, version, titles, noticed, **told, load=at, pieces=tuple(pieces))


def _pieces(place: Path, commit: str, title: str) -> list[Piece]:
    """The tests that a commit adds, with what they are about: its title ends with the module."""
    module = re.split(r"\s", title)[-1]
    path = module.replace(".", "/")
    ends = (f"{path}.py", f"{path}/__init__.py")
    found = [
        each for end in ends for top in ("src/", "") if (place / (each := top + end)).is_file()
    ]
    if not found:
        return []
    pieces = []
    for name in _git(place, "diff", "--name-only", f"{commit}~", commit).split():
        if name.endswith(".py") and "test" in name:
            old = _git(place, "show", f"{commit}~:{name}")
            known = set(re.findall(r"def (test\w*)", old))
            new = pieces_of(
                _git(place, "show", f"{commit}:{name}"),
                Drawn(place.name, module, found[0], name),
                place,
            )
            pieces += [each for each in new if each.name not in known]
    return pieces


def _git(place: Path, *line: str) -> str:
    """What git says; nothing where a file is not there."""
    return subprocess.run(["git", *line], cwd=place, capture_output=True, text=True).stdout


def _read(raw: dict[str, Any]) -> Night:
    raw["pieces"] = tuple(Piece(**each) for each in raw["pieces"])
    raw["commits"] = tuple(raw["commits"])
    return Night(**raw)


def _kept(folder: Path) -> Counter[tuple[str, str]]:
    labelled = read_labels(folder / "labels.tsv", read_key(folder / "key.json"), is_whole=True)
    return Counter(
        (each.item.piece.package, each.item.author) for each in labelled if each.label == "keep"
    )


def _show(nights: Sequence[Night], kept: Counter[tuple[str, str]] | None) -> None:
    more = "" if kept is None else " kept tests | a CPU min. |"
    print(
        "| | commits | tests | faults newly noticed | CPU s | commits a CPU min. "
        f"| faults a CPU min. | first: CPU / wall |{more}"
    )
    print("|---" * (8 + 2 * (kept is not None)) + "|")
    for each in nights:
        print(each.row(None if kept is None else kept[each.repository, each.version]))
    for version in ("before", "after"):
        mine = [each for each in nights if each.version == version]
        minutes = sum(each.cpu_seconds for each in mine) / 60
        rates = [sum(len(each.commits) for each in mine), sum(each.noticed for each in mine)]
        if kept is not None:
            rates.append(sum(kept[each.repository, version] for each in mine))
        shown = ", ".join(f"{each / minutes:.2f}" for each in rates)
        print(f"\nall, {version}: commits, faults (and kept tests) a CPU minute: {shown}")


def _options() -> argparse.Namespace:
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        "python -m benchmarks.cycle.versions", None, __doc__, formatter_class=plain
    )
    parser.add_argument("before", nargs="?", type=Path)
    parser.add_argument("after", nargs="?", type=Path)
    parser.add_argument("repositories", nargs="*", type=Path, metavar="REPOSITORY")
    parser.add_argument("--seconds", type=float, default=100.0)
    parser.add_argument("--sheet", type=Path, metavar="FOLDER")
    parser.add_argument("--labelled", type=Path, metavar="FOLDER")
    parser.add_argument("--executions", type=int, help="instead of --seconds, for tests alone")
    parser.add_argument("--dreams", type=int, default=2, help="with --executions [default: 2]")
    parser.add_argument("--one", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not options.one and options.labelled is None and None in (options.after, options.sheet):
        parser.error("two checkouts and --sheet are needed, or --labelled")
    return options


if __name__ == "__main__":
    raise SystemExit(main())
