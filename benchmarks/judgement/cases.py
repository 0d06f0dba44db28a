"""Labelled changes: bundled ones, folders of them, and commits of real repositories."""

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.judgement.packages import files_of

BUNDLED = Path(__file__).with_name("frauds.jsonl")
REFACTORINGS = Path(__file__).with_name("refactorings.jsonl")
STATIC = Path(__file__).with_name("static.jsonl")
"""More commits of maintainers, for the guardrails alone: no environment is needed to judge them."""
_AUTHOR = ("-c", "user.name=Nobody", "-c", "user.email=nobody@example.org")


@dataclass(frozen=True, slots=True)
class Case:
    """One change with its label. `files` and `patch` make it, or a commit of a repository does."""

    id: str
    stage: str
    expected: str
    """`refuse` or `accept`."""
    family: str
    files: Mapping[str, str] = field(default_factory=dict)
    patch: str = ""
    commit: Mapping[str, Any] | None = None
    """A row of `refactorings.jsonl`."""

    def write(self, folder: Path, mirror: Path | None = None) -> None:
        """A repository whose last commit is the change."""
        _git(folder.parent, "init", "-q", "-b", "main", str(folder))
        if self.commit is not None:
            _write_commit(folder, self.commit, mirror)
            return
        for name, text in self.files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, "utf-8", newline="")
        _commit(folder)
        _git(folder, "apply", "-", given=self.patch.encode())
        _commit(folder)


def read_cases(paths: list[str]) -> Iterator[Case]:
    """Of files with one case a line, and of folders with `repo/`, `patch.diff` and `meta.json`."""
    for path in map(Path, paths or [str(BUNDLED)]):
        if path.is_dir():
            yield from (_from_folder(e.parent) for e in sorted(path.glob("*/meta.json")))
        else:
            yield from (_from_line(json.loads(line)) for line in path.read_text().splitlines())


def _from_line(row: dict[str, Any]) -> Case:
    if "commit" in row:
        return Case(row["id"], "B", "accept", row["repo"], commit=row)
    keys = ("id", "stage", "expected", "family", "patch")
    files = files_of(row["package"]) if "package" in row else row["files"]
    return Case(**{key: row[key] for key in keys}, files=files)


def _from_folder(folder: Path) -> Case:
    meta = json.loads((folder / "meta.json").read_text("utf-8"))
    files = {
        each.relative_to(folder / "repo").as_posix(): each.read_text("utf-8")
        for each in sorted((folder / "repo").rglob("*"))
        if each.is_file() and "__pycache__" not in each.parts
    }
    patch = (folder / "patch.diff").read_text("utf-8")
    return Case(folder.name, meta["stage"], meta["expected"], meta["family"], files, patch)


def _write_commit(folder: Path, row: Mapping[str, Any], mirror: Path | None) -> None:
    """The parent of a commit, then only what the commit does to production modules."""
    if mirror is None:
        raise SystemExit("commits need --mirror, a folder of bare git directories OWNER+NAME/repo")
    bare = str(mirror / row["repo"].replace("/", "+") / "repo")
    with tempfile.TemporaryDirectory() as scratch:
        index = {**os.environ, "GIT_INDEX_FILE": f"{scratch}/index"}
        _git(folder, "--git-dir", bare, "read-tree", row["parent"], env=index)
        place = ("--git-dir", bare, "--work-tree", str(folder))
        _git(folder, *place, "checkout-index", "-a", "-f", env=index)
    for name, text in row.get("generated", {}).items():
        if not (folder / name).exists():
            (folder / name).write_text(text, "utf-8")
    _commit(folder)
    for name in row["module"]:
        told = _git(folder, "--git-dir", bare, "show", f"{row['commit']}:{name}")
        (folder / name).write_bytes(told)
    _commit(folder)


def _commit(folder: Path) -> None:
    _git(folder, "add", "-A", "-f")
    _git(folder, "commit", "-q", "-m", "as it is")


def _git(
    folder: Path, *arguments: str, given: bytes = b"", env: Mapping[str, str] | None = None
) -> bytes:
    line = ["git", *_AUTHOR, *arguments]
    return subprocess.run(
        line, cwd=folder, check=True, input=given, stdout=subprocess.PIPE, env=env
    ).stdout
