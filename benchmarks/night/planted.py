"""Small repositories in which something of every kind can be better, and junk that is to be left.

Each file is planted for one reason: what is to be offered for a module is in `kinds`, what must
stay as it is in `junk`. One that somebody else has written is read from a folder: its files as
they are, and `LABELS.json`, which is not planted.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from reverie.errors import UsageError

LABELS = "LABELS.json"
_NOT_PLANTED = frozenset({".git", ".reverie", "__pycache__", ".pytest_cache", ".benchmarks"})


@dataclass(frozen=True, slots=True)
class Planted:
    """One repository, written down."""

    name: str
    files: Mapping[str, str]
    kinds: Mapping[str, str]
    """The kind of change, or of finding, that each module is there for."""
    junk: tuple[str, ...]
    """Paths that nothing may touch, and that nothing may be said about."""
    first: tuple[str, ...]
    """The files of the first commit."""
    flaky: str | None = None
    """A test that comes and goes; it has been seen to do so before the night."""
    workflow: str | None = None
    """A declared workflow that changes are held to."""
    runs_before: int = 12
    """Of the suite, each with a seed of its own and its failures noted, as nightly builds do."""


def read_planted(folder: Path) -> Planted:
    """A repository that lies in a folder, with its labels."""
    labels = json.loads((folder / LABELS).read_text("utf-8"))
    missing = {"kinds", "junk"} - labels.keys()
    if missing:
        raise UsageError(f"{folder / LABELS} does not say {' and '.join(sorted(missing))}")
    files = {
        str(path.relative_to(folder)): path.read_text("utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not _NOT_PLANTED & set(path.relative_to(folder).parts)
    }
    del files[LABELS]
    return Planted(
        name=folder.name,
        files=files,
        kinds=labels["kinds"],
        junk=tuple(labels["junk"]),
        first=tuple(labels.get("first") or files),
        flaky=labels.get("flaky"),
        workflow=labels.get("workflow"),
    )


def plant(planted: Planted, folder: Path) -> Path:
    """Write a repository, with a past of a few commits and of runs of its suite."""
    for path, text in planted.files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
    git(folder, "init", "-q", "-b", "main")
    for name, some in {"The first modules": planted.first, "The rest": planted.files}.items():
        git(folder, "add", "-f", *some)
        git(folder, "commit", "-q", "--allow-empty", "-m", name)
    for seed in range(planted.runs_before if planted.flaky else 0):
        line = [sys.executable, "-m", "pytest", "-q", "--reverie", "-p", "no:cacheprovider"]
        around = {**os.environ, "PYTEST_SEED": str(seed)}
        subprocess.run(line, cwd=folder, env=around, capture_output=True, check=False)
    return folder


def git(folder: Path, *arguments: str) -> str:
    """What git says, under a name of its own."""
    named = ("-c", "user.name=Planter", "-c", "user.email=planter@example.invalid")
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(
        ["git", *named, *arguments], cwd=folder, env=environment, check=True, capture_output=True
    )
    return done.stdout.decode()
