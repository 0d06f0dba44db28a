"""`python -m benchmarks.plugin.compat`: the torture project under several pytests and Pythons.

Each pytest is installed with xdist and asyncio into a folder of its own below `benchmarks/.peers`.
Every run has to give the outcomes and the signatures of the first one, alone and with workers.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.machine import real_interpreter

ROOT = Path(__file__).parents[2]
PEERS = ROOT / "benchmarks" / ".peers" / "plugin-compat"
PROJECT = ROOT / "tests" / "torture" / "project"
VERSIONS = ("7.4", "8.0", "8.4", "9.0", "9")
_OUTCOME = re.compile(r"^(PASSED|FAILED|ERROR|XFAIL|XPASS|SKIPPED) (\S+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Seen:
    """What one run did."""

    pytest: str
    outcomes: frozenset[tuple[str, str]]
    signatures: frozenset[tuple[str, str, str]]


def install(python: str, version: str) -> Path:
    """A folder with one version of pytest and the plugins that go with it."""
    name = subprocess.check_output(
        [python, "-c", "import sys; print('py%d.%d' % sys.version_info[:2])"], text=True
    ).strip()
    folder = PEERS / f"{name}-pytest{version}"
    if not folder.is_dir():
        wanted = [f"pytest=={version}.*", "pytest-xdist", "pytest-asyncio", "numpy"]
        line = [python, "-m", "pip", "install", "--quiet", "--target", str(folder), *wanted]
        subprocess.run(line, check=True)
    return folder


def run(python: str, folder: Path, *arguments: str) -> Seen:
    """One run of a fresh copy of the project."""
    ours = ("PYTEST", "_REVERIE", "REVERIE", "PYTHON")
    environ = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    environ["PYTHONPATH"] = os.pathsep.join([str(folder), str(ROOT / "src")])
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name) / "project"
        shutil.copytree(PROJECT, copy)
        line = [python, "-m", "pytest", "-p", "reverie_pytest", "-p", "no:cacheprovider"]
        line += ["-rA", "--tb=no", *arguments]
        ran = subprocess.run(
            line, cwd=copy, env=environ, capture_output=True, text=True, timeout=300
        )
        lines = (copy / "reports" / "events.ndjson").read_text("utf-8").splitlines()
    events = [json.loads(each) for each in lines]
    version = re.search(r"pytest-([\d.]+)", ran.stdout)
    return Seen(
        "unknown" if version is None else version[1],
        frozenset(_OUTCOME.findall(ran.stdout)),
        frozenset((each["test_id"], each["phase"], each["signature"]) for each in events),
    )


def main() -> int:
    """Print what differs; exit 1 when something does."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", action="append", help="an interpreter; may be repeated")
    parser.add_argument("--pytest", action="append", help="a version; may be repeated")
    given = parser.parse_args()
    first: Seen | None = None
    is_same = True
    for python in given.python or [real_interpreter()]:
        for version in given.pytest or VERSIONS:
            folder = install(python, version)
            for flags in ((), ("-n", "2")):
                seen = run(python, folder, *flags)
                first = first or seen
                different = (first.outcomes ^ seen.outcomes) | (first.signatures ^ seen.signatures)
                is_same = is_same and not different
                told = " ".join(flags) or "alone"
                print(
                    f"{folder.name} ({seen.pytest}), {told}: {len(seen.outcomes)} outcomes, ",
                    end="",
                )
                print(f"{len(seen.signatures)} failures, {len(different)} differences", flush=True)
                for each in sorted(map(str, different))[:20]:
                    print(f"  {each}")
    return 0 if is_same else 1


if __name__ == "__main__":
    sys.exit(main())
