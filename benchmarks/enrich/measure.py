"""What a set of tests is worth for one module: coverage, mutants, size, and whether it holds."""

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PEERS = ROOT / "benchmarks" / ".peers" / "enrich"
PYTHON = PEERS / "targets" / "bin" / "python"
REVERIE = ROOT / ".venv" / "bin" / "reverie"
RUNS = 10
_SECONDS = 1200
_ADDRESS = re.compile(r"0x[0-9a-f]{6,}")
"""In the names of parametrised tests: another one in every run."""


@dataclass(frozen=True, slots=True)
class Worth:
    """One contender on one module. None for what could not be measured."""

    module: str
    contender: str
    seconds: float | None = None
    tests: int = 0
    code_lines: int = 0
    line: float | None = None
    branch: float | None = None
    score: float | None = None
    killed: int | None = None
    mutants: int | None = None
    failing: int = 0
    flaky: int = 0
    note: str = ""

    @property
    def lines_per_kill(self) -> float | None:
        return self.code_lines / self.killed if self.killed else None


def site_packages() -> Path:
    return next((PEERS / "targets" / "lib").glob("python3*/site-packages"))


def file_of(module: str) -> Path:
    """The module's file, relative to the folder that it is imported from."""
    place = Path(*module.split("."))
    package = site_packages() / place / "__init__.py"
    return place / "__init__.py" if package.exists() else place.with_suffix(".py")


def measure(
    module: str, contender: str, tests: Path, seconds: float | None, support: Sequence[Path] = ()
) -> Worth:
    """Run tests under coverage.py, ten times over, and against our mutants, on a copy."""
    with tempfile.TemporaryDirectory(prefix="enrich-bench-") as folder:
        place = Path(os.path.realpath(folder))
        top = module.partition(".")[0]
        shutil.copytree(site_packages() / top, place / top)
        for each in (tests, *support):
            target = place / each.name
            shutil.copytree(each, target) if each.is_dir() else shutil.copy(each, target)
        chosen = place / tests.name
        line, branch = _coverage(place, chosen, place / file_of(module))
        outcomes = [_outcomes(place, chosen, seed) for seed in range(RUNS)]
        names = {name for each in outcomes for name in each}
        steady = {name: {each.get(name) for each in outcomes} for name in names}
        score, killed, mutants, note = _mutation(place, chosen, place / file_of(module))
        return Worth(
            module, contender, seconds,
            tests=len(names), code_lines=_code_lines(chosen), line=line, branch=branch,
            score=score, killed=killed, mutants=mutants,
            failing=sum(each == {"failed"} for each in steady.values()),
            flaky=sum(len(each) > 1 for each in steady.values()), note=note,
        )  # fmt: skip


def _run(
    command: Sequence[str | Path], place: Path, **more: str
) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(place), **more}
    return subprocess.run(
        list(map(str, command)), cwd=place, env=environment, capture_output=True, text=True,
        timeout=_SECONDS, check=False,
    )  # fmt: skip


def _coverage(place: Path, tests: Path, file: Path) -> tuple[float | None, float | None]:
    data = place / ".enrich-coverage"
    _run(
        [PYTHON, "-m", "coverage", "run", "--branch", f"--data-file={data}", f"--include={file}",
         "-m", "pytest", "-q", "-p", "no:cacheprovider", tests],
        place,
    )  # fmt: skip
    report = place / "coverage.json"
    _run([PYTHON, "-m", "coverage", "json", f"--data-file={data}", "-o", report], place)
    if not report.exists():
        return None, None
    total = json.loads(report.read_text())["totals"]
    branches = total["num_branches"]
    return (
        100 * total["covered_lines"] / total["num_statements"],
        100 * total["covered_branches"] / branches if branches else 100.0,
    )


def _outcomes(place: Path, tests: Path, seed: int) -> dict[str, str]:
    """Passed or failed, by test, in one run with its own hash seed."""
    done = _run(
        [PYTHON, "-m", "pytest", "-q", "-rA", "--tb=no", "-p", "no:cacheprovider", tests],
        place, PYTHONHASHSEED=str(seed),
    )  # fmt: skip
    found = {}
    for line in done.stdout.splitlines():
        word, _, rest = line.partition(" ")
        if word in ("PASSED", "FAILED", "ERROR", "XFAIL", "XPASS"):
            name = _ADDRESS.sub("0x…", rest.partition(" - ")[0].strip())
            found[name] = "failed" if word in ("FAILED", "ERROR") else "passed"
    return found


def _mutation(
    place: Path, tests: Path, file: Path
) -> tuple[float | None, int | None, int | None, str]:
    done = _run(
        [REVERIE, "mutate", file, "--tests", tests, "--python", PYTHON, "--repo", place, "--json",
         "--no-cache"],
        place, PYTHONPATH="",
    )  # fmt: skip
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        return None, None, None, done.stderr.strip()[-200:]
    killed = answer["killed"] + answer["timeout"]
    return answer["score"], killed, answer["mutants"], ""


def _code_lines(tests: Path) -> int:
    files = sorted(tests.rglob("test*.py")) if tests.is_dir() else [tests]
    lines = [line.strip() for each in files for line in each.read_text("utf-8").splitlines()]
    return sum(bool(line) and not line.startswith("#") for line in lines)
