"""One night on the planted repository, held against what was planted."""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.night.planted import Planted, git

Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Promise:
    """Something that a night has to keep."""

    name: str
    is_kept: bool
    told: str


def run_night(folder: Path, budget: Sequence[str]) -> Document:
    """What `reverie run` prints."""
    line = [sys.executable, "-m", "reverie", "run", str(folder), *budget, "--yes", "--json"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    document: Document = json.loads(done.stdout)
    return document


def look_at(
    planted: Planted, folder: Path, budget: Sequence[str]
) -> tuple[Document, list[Promise]]:
    """The first night, and which promises it keeps."""
    night = run_night(folder, budget)
    promises = [*_kinds(planted, night), _worths(night), *_branch(planted, folder, night)]
    if planted.flaky is not None:
        told = [each["title"] for each in night["findings"] if planted.flaky in each["title"]]
        promises.append(Promise("the flaky test is proposed for quarantine", bool(told), str(told)))
    if planted.workflow is not None:
        promises.append(_workflow(planted.workflow, night))
    return night, promises


def second_night(folder: Path, budget: Sequence[str]) -> list[Promise]:
    """Nothing is offered, proposed or told twice."""
    night = run_night(folder, budget)
    parts = ("promotions", "waiting", "findings")
    more = [each["title"] for part in parts for each in night[part]]
    return [Promise("a second night adds nothing", not more, ", ".join(more) or "nothing")]


def _kinds(planted: Planted, night: Document) -> list[Promise]:
    """Each planted module with a change or a finding of its kind."""
    offered = {(each["module"], each["kind"]) for each in (*night["promotions"], *night["waiting"])}
    offered |= {(each["module"], "finding") for each in night["findings"] if each["rank"] == 1}
    return [
        Promise(f"{kind} of {module}", (module, kind) in offered, "offered or told")
        for module, kind in planted.kinds.items()
    ]


def _worths(night: Document) -> Promise:
    losses = [each["title"] for each in night["promotions"] if not (each["raroi"] or 0) > 0]
    return Promise("nothing with RAROI at or below 0", not losses, ", ".join(losses) or "none")


def _workflow(name: str, night: Document) -> Promise:
    """Whether changes were held to a declared workflow: their proofs say so."""
    held = [
        each["title"]
        for each in night["promotions"]
        if each["kind"] != "test" and f'"{name}"' in _evidence(Path(each["bundle"]))
    ]
    return Promise(f"changes are held to the workflow {name}", bool(held), ", ".join(held))


def _evidence(bundle: Path) -> str:
    return "".join(each.read_text("utf-8") for each in bundle.glob("evidence*.json"))


def _branch(planted: Planted, folder: Path, night: Document) -> list[Promise]:
    """The commits of the branch, one after another: each passes, none touches junk."""
    branch = night["branch"]
    if branch is None:
        return [Promise("there is a branch", False, "none")]
    touched = git(folder, "diff", "--name-only", "main", branch).split()
    named = [str(each["title"]) for each in night["findings"]]
    junk = [path for path in planted.junk if path in touched]
    junk += [each for each in named if any(path in each for path in planted.junk)]
    broken = [each[:8] for each in _commits(folder, branch) if not _passes(planted, folder, each)]
    return [
        Promise("junk is left alone", not junk, ", ".join(junk) or "untouched"),
        Promise("the suite passes at every commit", not broken, ", ".join(broken) or "all"),
    ]


def _commits(folder: Path, branch: str) -> list[str]:
    return git(folder, "rev-list", "--reverse", f"main..{branch}").split()


def _passes(planted: Planted, folder: Path, commit: str) -> bool:
    git(folder, "checkout", "-q", commit)
    line = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    line += ["--deselect", planted.flaky] if planted.flaky else []
    done = subprocess.run(line, cwd=folder, capture_output=True, check=False)
    git(folder, "checkout", "-q", "main")
    return done.returncode == 0
