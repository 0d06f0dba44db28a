"""Tests for the drawn modules, written by `reverie enrich`: a folder that can be gone on with.

    FOLDER/checkouts/boltons/…        the repositories, as they are
    FOLDER/written/boltons.json       what came of one package
    FOLDER/files/boltons/…            the test files that were written for it, whole

A package that has its file is not tried again.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.keepable import packages
from benchmarks.keepable.cutting import Piece, pieces_of
from benchmarks.keepable.packages import Drawn

SAMPLE = "lendery"
SAMPLE_FOLDER = Path(__file__).parents[2] / "examples" / "sample_repo"
_PATIENCE = 8
"""In budgets: a busy machine takes longer for what comes after the search."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What may be spent, and on what."""

    folder: Path
    mirror: Path
    seed: int
    packages: int
    modules: int
    """Of each package, at most."""
    budget_seconds: float
    """Of each package, shared by its modules."""
    enough: int = 8
    """Tests; a package with fewer gets a further module."""
    without: frozenset[str] = frozenset()
    """Packages that are not drawn, and modules, by their dotted names."""
    taken: tuple[Drawn, ...] = ()
    """Modules that are taken instead of drawn: tests of people need not be called after them."""


@dataclass(frozen=True, slots=True)
class Written:
    """What came of one package: pieces by Reverie and by people."""

    package: str
    modules: tuple[Drawn, ...]
    ours: tuple[Piece, ...]
    theirs: tuple[Piece, ...]
    seconds: float
    notes: tuple[str, ...]


def write_packages(plan: Plan) -> Iterator[Written]:
    """The sample repository, then packages in their order until there are enough with tests."""
    yield _once(plan, SAMPLE, SAMPLE_FOLDER, 2 * plan.modules + 2)
    found = 0
    homes = {packages.name_of(each): each for each in packages.repositories(plan.mirror)}
    taken = dict.fromkeys(each.package for each in plan.taken)
    for name in taken or packages.in_order(sorted(homes), plan.seed):
        if found >= plan.packages:
            return
        if name in plan.without:
            continue
        root = plan.folder / "checkouts" / name
        packages.check_out(homes[name], root)
        written = _once(plan, name, root, plan.modules)
        found += bool(written.ours and written.theirs)
        yield written


def _once(plan: Plan, name: str, root: Path, most: int) -> Written:
    kept = plan.folder / "written" / f"{name}.json"
    if not kept.is_file():
        made = _write(plan, name, root, most)
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(asdict(made), indent=1) + "\n", "utf-8")
    return read_written(kept)


def read_written(file: Path) -> Written:
    """A package that was written before."""
    raw = json.loads(file.read_text("utf-8"))
    return Written(
        raw["package"],
        tuple(Drawn(**each) for each in raw["modules"]),
        tuple(Piece(**each) for each in raw["ours"]),
        tuple(Piece(**each) for each in raw["theirs"]),
        raw["seconds"],
        tuple(raw["notes"]),
    )


def _write(plan: Plan, name: str, root: Path, most: int) -> Written:
    began = time.monotonic()
    every = [each for each in plan.taken if each.package == name]
    every = every or packages.drawable(name, root, plan.seed, is_tested=name != SAMPLE)
    drawn = [each for each in every if each.module not in plan.without][:most]
    ours: list[Piece] = []
    theirs: list[Piece] = []
    taken: list[Drawn] = []
    notes: list[str] = []
    for each in drawn:
        if len(ours) >= plan.enough and name != SAMPLE:
            break
        seconds = plan.budget_seconds / plan.modules
        source, note = _enrich(each, root, seconds, plan.seed)
        notes.extend([note] if note else [])
        text = "" if each.tests is None else (root / each.tests).read_text("utf-8")
        people = pieces_of(text, each, root)
        if source and (people or name == SAMPLE):
            taken.append(each)
            _keep_file(plan, each, source)
            ours.extend(pieces_of(source, each, root))
            theirs.extend(people)
    spent = time.monotonic() - began
    return Written(name, tuple(taken), tuple(ours), tuple(theirs), spent, tuple(notes))


def _keep_file(plan: Plan, drawn: Drawn, source: str) -> None:
    """The file as it was written, for `steady`."""
    file = plan.folder / "files" / drawn.package / f"test_{drawn.module.replace('.', '_')}.py"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(source, "utf-8")


def _enrich(drawn: Drawn, root: Path, seconds: float, seed: int) -> tuple[str, str]:
    """The text of the test file, or why there is none."""
    with tempfile.TemporaryDirectory(prefix="keepable-") as scratch:
        copy = Path(scratch, root.name)
        shutil.copytree(root, copy)
        words = [
            sys.executable, "-m", "reverie", "enrich", drawn.module, "--repo", copy,
            "--python", sys.executable, "--budget", f"{seconds:g}s", "--seed", str(seed),
            "--style", "pytest", "--no-measure", "--json", "--out", Path(scratch, "out"),
            "--anyway",  # a module that can be drawn needs nothing that is not in its repository
        ]  # fmt: skip
        try:
            done = subprocess.run(
                list(map(str, words)), cwd=scratch, capture_output=True, text=True, check=False,
                timeout=_PATIENCE * seconds + 60,
            )  # fmt: skip
            file = json.loads(done.stdout)[0]["file"]
        except subprocess.TimeoutExpired:
            return "", f"{drawn.module}: no end in time"
        except (ValueError, LookupError):
            return "", f"{drawn.module}: {_last(done.stderr.splitlines())}"
        if file is None:
            return "", f"{drawn.module}: nothing worth keeping"
        return Path(scratch, file).read_text("utf-8"), ""


def _last(lines: Sequence[str]) -> str:
    return lines[-1].strip()[:200] if lines else "no answer"
