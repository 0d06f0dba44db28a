"""One night on the planted repository, held against what was planted."""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.night.planted import JUNK, PLANTED, git

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


def look_at(folder: Path, budget: Sequence[str]) -> tuple[Document, list[Promise]]:
    """The first night, and which promises it keeps."""
    night = run_night(folder, budget)
    return night, [*_kinds(night), _worths(night), *_branch(folder, night)]


def second_night(folder: Path, budget: Sequence[str]) -> list[Promise]:
    """Nothing is offered twice."""
    night = run_night(folder, budget)
    more = [each["title"] for each in night["promotions"]]
    return [Promise("a second night adds nothing", not more, ", ".join(more) or "nothing")]


def _kinds(night: Document) -> list[Promise]:
    """Each planted module with a change or a finding of its kind."""
    offered = {(each["module"], each["kind"]) for each in (*night["promotions"], *night["waiting"])}
    offered |= {(each["module"], "finding") for each in night["findings"] if each["rank"] == 1}
    return [
        Promise(f"{kind} of {module}", (module, kind) in offered, "offered or told")
        for module, kind in PLANTED.items()
    ]


def _worths(night: Document) -> Promise:
    losses = [each["title"] for each in night["promotions"] if not (each["raroi"] or 0) > 0]
    return Promise("nothing with RAROI at or below 0", not losses, ", ".join(losses) or "none")


def _branch(folder: Path, night: Document) -> list[Promise]:
    """The commits of the branch, one after another: each passes, none touches junk."""
    branch = night["branch"]
    if branch is None:
        return [Promise("there is a branch", False, "none")]
    touched = git(folder, "diff", "--name-only", "main", branch).split()
    junk = sorted(set(touched) & set(JUNK))
    broken = [each[:8] for each in _commits(folder, branch) if not _passes(folder, each)]
    return [
        Promise("junk is left alone", not junk, ", ".join(junk) or "untouched"),
        Promise("the suite passes at every commit", not broken, ", ".join(broken) or "all"),
    ]


def _commits(folder: Path, branch: str) -> list[str]:
    return git(folder, "rev-list", "--reverse", f"main..{branch}").split()


def _passes(folder: Path, commit: str) -> bool:
    git(folder, "checkout", "-q", commit)
    line = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(line, cwd=folder, capture_output=True, check=False)
    git(folder, "checkout", "-q", "main")
    return done.returncode == 0
