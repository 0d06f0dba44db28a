"""`python -m benchmarks.plugin.suites [NAME=REQUIREMENT,…]`: real test suites, with and without.

Each package's source distribution is unpacked and installed, with what its tests need, below
`benchmarks/.peers`. Its tests run without the plugin, with it, and with it once more; what changed
is listed with the event that tells why.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from pathlib import Path

from benchmarks.machine import real_interpreter

ROOT = Path(__file__).parents[2]
PEERS = ROOT / "benchmarks" / ".peers" / "plugin-suites"
DEFAULT = ("humanize=freezegun", "tenacity=tornado,typeguard", "cachetools=")
_OUTCOME = re.compile(r"^(PASSED|FAILED|ERROR|XFAIL|XPASS|SKIPPED) (\S+)", re.MULTILINE)
_VOLATILE = "SKIPPED"  # pytest folds skips into lines that name a place, not a test


def fetch(name: str, needs: list[str]) -> tuple[Path, Path]:
    """The unpacked source, and an interpreter that has everything."""
    base = PEERS / name
    python = base / "venv" / "bin" / "python"
    if not python.exists():
        subprocess.run([real_interpreter(), "-m", "venv", str(base / "venv")], check=True)
        pip = [str(python), "-m", "pip", "--quiet"]
        line = ["download", "--no-deps", "--no-binary", ":all:", "--dest", str(base), name]
        subprocess.run([*pip, *line], check=True)
        (archive,) = base.glob("*.tar.gz")
        with tarfile.open(archive) as file:
            file.extractall(base / "source", filter="data")
        subprocess.run([*pip, "install", str(archive), "pytest", *needs], check=True)
    (source,) = (base / "source").iterdir()
    return source, python


def run(source: Path, python: Path, *flags: str) -> tuple[dict[str, str], float]:
    """Outcome by test, and CPU seconds."""
    ours = ("PYTEST", "_REVERIE", "REVERIE", "PYTHON")
    environ = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    environ["PYTHONPATH"] = str(ROOT / "src")
    line = [str(python), "-m", "pytest", "-p", "reverie_pytest", "-p", "no:cacheprovider"]
    line += ["-rA", "--tb=no", "-q", "--color=no", *flags]
    before = os.times()
    ran = subprocess.run(line, cwd=source, env=environ, capture_output=True, text=True, timeout=600)
    after = os.times()
    spent = after.children_user + after.children_system
    spent -= before.children_user + before.children_system
    found = {
        test: outcome for outcome, test in _OUTCOME.findall(ran.stdout) if outcome != _VOLATILE
    }
    if not found:
        raise SystemExit(f"{source.name}: no tests ran: {ran.stdout[-500:]}{ran.stderr[-500:]}")
    return found, spent


def changed(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """The tests with another outcome."""
    return sorted(test for test in {*before, *after} if before.get(test) != after.get(test))


def report(name: str, needs: list[str]) -> None:
    """Run one package's tests and print what changed."""
    source, python = fetch(name, needs)
    events = source / "reports" / "events.ndjson"
    events.unlink(missing_ok=True)
    without, spent_without = run(source, python)
    with_it, spent = run(source, python, "--reverie")
    lines = events.read_text("utf-8").splitlines() if events.exists() else []
    told = {each["test_id"]: each for each in map(json.loads, lines)}
    again, _ = run(source, python, "--reverie")
    cpu = f"CPU {spent_without:.1f} s without, {spent:.1f} s with"
    flips = f"{len(changed(without, with_it))} changed"
    flips += f", {len(changed(with_it, again))} between two runs with it"
    print(f"{source.name}: {len(without)} tests; {cpu}; {flips}")
    for test in changed(without, with_it):
        event = told.get(test, {})
        why = f"{event.get('error_class', '')}: {event.get('message', '')}".splitlines()[0][:140]
        print(f"  {test}: {without.get(test)} -> {with_it.get(test)} ({why})")


def main() -> int:
    """Report on every package."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", nargs="*", default=DEFAULT, metavar="NAME=REQUIREMENT,…")
    for each in parser.parse_args().packages:
        name, _, needs = each.partition("=")
        report(name, [need for need in needs.split(",") if need])
    return 0


if __name__ == "__main__":
    sys.exit(main())
