"""`python -m benchmarks.mutation.anywhere`: whole sdists with no configuration, pytest 8 and 9."""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.mutation.projects import ANY, NEEDED, PEERS, environment, fetch

PYTESTS = {"8": "pytest==8.4.2", "9": "pytest==9.2.0"}
SECONDS = 180
MUTANTS = 40
"""How many of each project are judged by ours: a sample, spread over all of it."""
_BETWEEN_LOOKS = 2.0


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.mutation.anywhere", description=__doc__)
    parser.add_argument("projects", nargs="*")
    parser.add_argument("--pytest", choices=list(PYTESTS), action="append")
    parser.add_argument("--no-mutmut", action="store_true")
    parser.add_argument("--seconds", type=int, default=SECONDS)
    parser.add_argument("--sample", type=int, default=MUTANTS)
    given = parser.parse_args()
    tally: dict[str, list[int]] = {}
    for version in given.pytest or list(PYTESTS):
        for name in given.projects or ANY:
            folder = fetch(name)
            packages = (PYTESTS[version], "mutmut==3.8.0", *NEEDED)
            python = environment(f"whole{version}", *packages)
            results = {"reverie": _ours(folder, python, given.seconds, given.sample)}
            if not given.no_mutmut:
                results["mutmut"] = _mutmut(folder, python, given.seconds)
            for tool, (is_good, words) in results.items():
                count = tally.setdefault(f"{tool} pytest {version}", [0, 0])
                count[0] += is_good
                count[1] += 1
                print(f"{name:16} pytest {version} {tool:8} {words}", flush=True)
    for label, (good, total) in tally.items():
        print(f"{label}: {good} of {total} run")


def _ours(folder: Path, python: Path, seconds: int, sample: int) -> tuple[bool, str]:
    command = [sys.executable, "-m", "reverie", "mutate", "--repo", str(folder), "--python",
               str(python), "--json", "--verify", "0.1", "--no-cache",
               "--sample", str(sample)]  # fmt: skip
    code, out, err = _run(command, folder, seconds)
    if code != 0:
        return False, f"exit {code}: {err.strip()[-160:]}"
    found = json.loads(out)
    keys = ("mutants", "killed", "survived", "timeout", "not_covered")
    counts = ", ".join(f"{found[key]} {key}" for key in keys)
    agreement = found["agreement"]
    afresh = f"{agreement['checked'] - len(agreement['disagreements'])}/{agreement['checked']}"
    left_out = f", {len(found['deselected'])} left out" if found["deselected"] else ""
    return found["killed"] > 0, f"{counts}, {afresh} the same afresh{left_out}"


def _mutmut(folder: Path, python: Path, seconds: int) -> tuple[bool, str]:
    copy = PEERS / "work" / f"any-{python.parents[1].name}-{folder.name}"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(folder, copy)
    command = [str(python), "-m", "mutmut", "run", "--max-children", "2"]
    code, out, err = _run(command, copy, seconds, lambda: _tested(copy) > 0)
    tested = _tested(copy)
    last = ((out + err).strip().splitlines() or [""])[-1][:120]
    return tested > 0, f"{tested} tested, then ended" if tested else f"exit {code}: {last}"


def _tested(copy: Path) -> int:
    """How many mutants mutmut has a verdict on by now; a file it is writing has none yet."""
    tested = 0
    for meta in (copy / "mutants").rglob("*.meta"):
        try:
            codes = json.loads(meta.read_text()).get("exit_code_by_key", {})
        except ValueError:
            continue
        tested += sum(each in (0, 1) for each in codes.values())
    return tested


def _run(
    command: list[str], folder: Path, seconds: int, is_enough: Callable[[], bool] = lambda: False
) -> tuple[int, str, str]:
    """Until it ends, has done enough, or its time is up."""
    environ = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": ""}
    process = subprocess.Popen(
        command, cwd=folder, env=environ, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    began = time.monotonic()
    while True:
        try:
            out, err = process.communicate(timeout=_BETWEEN_LOOKS)
        except subprocess.TimeoutExpired:
            if is_enough() or time.monotonic() - began > seconds:
                os.killpg(process.pid, signal.SIGKILL)
            continue
        return process.returncode, out, err


if __name__ == "__main__":
    main()
