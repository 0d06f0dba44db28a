"""`python -m benchmarks.index`: reading three packages beside the parser, grimp and vulture.

`benchmarks/index/peers.sh` installs the peers and the packages. Seconds are CPU time of one
process, the shortest of some runs; cold is the whole way into a new journal.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.index.differences import explain
from benchmarks.machine import describe_machine, load

HERE = Path(__file__).parent
PEERS = HERE.parent / ".peers" / "index"
PACKAGES = ("django", "networkx", "sympy")
_SECONDS = 300


def main() -> int:
    """Measure and print; 1 when `--check` is on and a target is missed."""
    options = _options()
    if not (PEERS / "packages").is_dir():
        print("the packages are not there: run benchmarks/index/peers.sh", file=sys.stderr)
        return 2
    print(f"{describe_machine()}\nload before {load():.1f}\n")
    missed = []
    for package in options.packages:
        with tempfile.TemporaryDirectory() as folder:
            missed += measure(package, Path(folder), options.runs)
    if not options.no_fuzz:
        fuzzed = work("fuzz", Path("."), "")
        print(f"fuzz: {fuzzed['result']} in {fuzzed['cpu']:.1f} s, {fuzzed['peak_mb']:.0f} MB\n")
    print(f"load after {load():.1f}")
    print("missed: " + ("; ".join(missed) or "nothing"))
    return 1 if options.check and missed else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.index", description=__doc__)
    parser.add_argument("packages", nargs="*", default=PACKAGES, metavar="PACKAGE")
    parser.add_argument("--runs", type=int, default=3, help="runs of each; the shortest counts")
    parser.add_argument("--no-fuzz", action="store_true", help="leave the mangled files out")
    parser.add_argument("--check", action="store_true", help="exit 1 when a target is missed")
    return parser.parse_args()


def measure(package: str, folder: Path, runs: int) -> list[str]:
    """Print one package's table; the names of the targets it missed."""
    copy, journal = folder / package, str(folder / "journal.db")
    shutil.copytree(PEERS / "packages" / package, copy)
    floor = best("parse", copy, runs)
    cold = min((_cold(copy, journal) for _ in range(runs)), key=lambda each: each["cpu"])
    shared = min(
        (_cold(copy, journal, "refresh_shared") for _ in range(runs)), key=lambda each: each["wall"]
    )
    work("refresh", copy, journal)  # files as fresh as these are looked at twice
    warm = best("refresh", copy, runs, journal)
    changed = _changed(copy, journal)
    loaded = best("load", copy, 1, journal)
    rows = {
        "ast.parse": floor,
        "cold": cold,
        "warm, nothing changed": warm,
        "one file changed": changed,
        "load as values": loaded,
        "cold, all cores": shared,
        "grimp": _peer("grimp", package),
        "vulture": _peer("vulture", package),
    }
    _print_table(package, floor, rows)
    _print_differences(copy, rows["grimp"])
    if package == "django":
        _print_search(copy, journal)
    return _missed(package, rows)


def _missed(package: str, rows: dict[str, Any]) -> list[str]:
    parse, cold, warm, changed = (row["cpu"] for row in list(rows.values())[:4])
    peak = max(row["peak_mb"] for row in list(rows.values())[:6])
    checks = {
        "cold over 4x the parser": cold > 4 * parse,
        "warm over 5 % of cold": warm > 0.05 * cold,
        "one changed file over 0.3 s": package == "django" and changed > 0.3,
        "memory over 600 MB": peak > 600,
    }
    return [f"{package}: {name}" for name, is_missed in checks.items() if is_missed]


def _print_table(package: str, floor: dict[str, Any], rows: dict[str, Any]) -> None:
    size = floor["result"]
    print(f"{package}: {size['files']} files, {size['bytes'] / 1e6:.1f} MB")
    print(f"  {'':24}{'CPU s':>8}{'x parse':>9}{'wall s':>8}{'MB':>7}")
    for name, row in rows.items():
        if "failed" in row:
            print(f"  {name:24} {row['failed']}")
            continue
        ratio = row["cpu"] / floor["cpu"]
        print(f"  {name:24}{row['cpu']:8.3f}{ratio:9.2f}{row['wall']:8.2f}{row['peak_mb']:7.0f}")
    warm, cold = rows["warm, nothing changed"]["cpu"], rows["cold"]["cpu"]
    print(f"  warm is {100 * warm / cold:.1f} % of cold")


def _print_differences(copy: Path, theirs: dict[str, Any]) -> None:
    if "failed" in theirs:
        return
    ours = work("edges", copy, "")["result"]
    print(explain(ours, theirs["result"]))
    print()


def _print_search(copy: Path, journal: str) -> None:
    found = work("search", copy, journal)["result"]
    print("  search, CPU ms in process, with a look for changed files / without:")
    for question, took in found.items():
        print(f"    {question:22}{took['with_refresh_ms']:7.1f} /{took['alone_ms']:6.1f}")
    reverie = str(Path(sys.executable).with_name("reverie"))
    line = [reverie, "search", "slugify", "--repo", str(copy)]
    _process_ms([reverie, "index", "--repo", str(copy)])
    print(f"    whole process, CPU ms: {min(_process_ms(line) for _ in range(5)):.0f}")
    asked = min(_process_ms([reverie, "--help"]) for _ in range(5))
    print(f"    reverie --help, CPU ms: {asked:.0f}\n")


def _process_ms(line: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(line, stdout=subprocess.DEVNULL, check=True, timeout=_SECONDS, env=_environ())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def _cold(copy: Path, journal: str, job: str = "refresh") -> dict[str, Any]:
    for ending in ("", "-wal", "-shm"):
        Path(journal + ending).unlink(missing_ok=True)
    return work(job, copy, journal)


def _changed(copy: Path, journal: str) -> dict[str, Any]:
    """The longest file gets one more function."""
    longest = max(copy.rglob("*.py"), key=lambda path: path.stat().st_size)
    with longest.open("a", encoding="utf-8") as file:
        file.write("\n\ndef added_by_the_benchmark(value: int) -> int:\n    return value\n")
    return work("refresh", copy, journal)


def best(job: str, package: Path, runs: int, journal: str = "") -> dict[str, Any]:
    """The run of a job that took the least CPU time."""
    return min((work(job, package, journal) for _ in range(runs)), key=lambda each: each["cpu"])


def work(job: str, package: Path, journal: str) -> dict[str, Any]:
    """A job in a new process."""
    line = [sys.executable, "-m", "benchmarks.index.work", job, str(package), journal]
    return _answer(line)


def _peer(name: str, package: str) -> dict[str, Any]:
    python = PEERS / "bin" / "python"
    if not python.exists():
        return {"failed": "not installed"}
    line = [str(python), str(HERE / "peer_work.py"), name, str(PEERS / "packages"), package]
    try:
        return _answer(line)
    except RuntimeError as error:
        return {"failed": str(error).strip().splitlines()[-1]}


def _answer(line: list[str]) -> dict[str, Any]:
    ran = subprocess.run(line, capture_output=True, text=True, timeout=_SECONDS, env=_environ())
    if ran.returncode != 0:
        raise RuntimeError(f"{' '.join(line)} ended with {ran.returncode}: {ran.stderr[-500:]}")
    answer: dict[str, Any] = json.loads(ran.stdout)
    return answer


def _environ() -> dict[str, str]:
    """With bytecode kept, as it is where Reverie is installed."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": str(HERE.parents[1])}


if __name__ == "__main__":
    sys.exit(main())
