"""The copy that an agent works in: a git repository of its own, with one commit, soon gone.

It shares nothing with the user's repository, so whatever an agent does to its history or its
branches stays there. Only the difference to that commit is read back; what `.gitignore` names and
what tools leave behind is not.
"""

import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from reverie.errors import GitFailed, ModelFailed, UsageError, reason_of
from reverie.model.change import Change
from reverie.model.dream import Stage
from reverie.promotion.git import Git
from reverie.promotion.patch import change_to_working_tree
from reverie.promotion.scratch import scratch_folder
from reverie.promotion.trees import path_bytes
from reverie.stages.grounds import Grounds

STATE = "work.json"
"""Beside the copy: what `reverie check-work` goes by."""
MOST_FILES, MOST_BYTES = 2_000, 32 << 20
"""That an agent may add: more is a flood, and is not read."""
_LEFT_BEHIND = (
    "__pycache__/", "*.pyc", ".pytest_cache/", ".hypothesis/", ".mypy_cache/", ".ruff_cache/",
    ".coverage", ".coverage.*", ".venv/", "venv/", "*.egg-info/", ".reverie/", ".aider*",
    ".claude/", ".codex/", ".DS_Store",
)  # fmt: skip
_WHO = {
    f"GIT_{role}_{what}": value
    for role in ("AUTHOR", "COMMITTER")
    for what, value in (
        ("NAME", "Reverie"),
        ("EMAIL", "reverie@localhost"),
        ("DATE", "2000-01-01T00:00:00Z"),
    )
}


@dataclass(frozen=True, slots=True)
class Work:
    """One change that somebody works on, as it is written beside the copy."""

    stage: Stage
    base: str
    """The commit that the work starts from."""
    python: str | None
    path: str


@dataclass(frozen=True, slots=True)
class WorkCopy:
    """A copy with its state."""

    folder: Path
    work: Work
    files: Mapping[str, bytes]
    """As they were, by path."""
    size: tuple[int, int]

    @property
    def task(self) -> Path:
        """The file that holds the task."""
        return self.folder.parent / "task.md"

    def change(self) -> Change:
        """What became of it; `ModelFailed` when that cannot be believed or is too much."""
        count, size = _size(self.folder)
        if count > self.size[0] + MOST_FILES or size > self.size[1] + MOST_BYTES:
            told = f"{MOST_FILES} files or {MOST_BYTES >> 20} MB"
            raise ModelFailed(f"more than {told} were left in the work copy: nothing of it is read")
        try:
            git = Git(self.folder, self.folder)
            found = change_to_working_tree(git, self.work.base)
        except (GitFailed, OSError, UsageError) as error:
            raise ModelFailed(f"the work copy is no repository any more: {error}") from error
        for edit in found.edits:
            before = self.files.get(edit.renamed_from or edit.path)
            text = None if before is None else before.decode("utf-8", "surrogateescape")
            if edit.before != text:
                raise ModelFailed(f"the history of the work copy was changed: {edit.path}")
        return found


@contextmanager
def open_work_copy(
    grounds: Grounds, files: Mapping[str, bytes], stage: Stage, path: str
) -> Iterator[WorkCopy]:
    """A copy of the ground that a cycle stands on, for one author and one task."""
    with scratch_folder(avoid=grounds.repository) as parent:
        folder = parent / (grounds.repository.resolve().name or "repository")
        ignored = shutil.ignore_patterns("__pycache__", ".git")
        shutil.copytree(grounds.folder, folder, symlinks=True, ignore=ignored)
        base = _committed(folder, [each for each in grounds.source.files if each in files])
        work = Work(stage, base, grounds.interpreter.path, path)
        state = {"stage": work.stage, "base": base, "python": work.python, "path": path}
        (parent / STATE).write_text(json.dumps(state), "utf-8")
        yield WorkCopy(folder, work, files, _size(folder))


def read_work(folder: Path) -> tuple[Path, Work]:
    """The copy that a folder lies in, and what is worked on there; `UsageError` outside of one."""
    for place in (folder.resolve(), *folder.resolve().parents):
        state = place.parent / STATE
        if (place / ".git").is_dir() and state.is_file():
            try:
                told = json.loads(state.read_text("utf-8"))
                work = Work(Stage(told["stage"]), told["base"], told["python"], told["path"])
            except (OSError, ValueError, KeyError, TypeError) as error:
                raise UsageError(f"cannot read {str(state)!r}: {reason_of(error)}") from error
            return place, work
    raise UsageError(f"{str(folder)!r} is no work copy: an author's task names the folder")


def _committed(folder: Path, paths: list[str]) -> str:
    """Make a repository of a folder; returns its one commit."""
    (folder / ".git").mkdir()
    git = Git(folder, folder).with_variables(_WHO)
    git.run("init", "-q", "--template=")
    exclude = folder / ".git" / "info" / "exclude"
    exclude.parent.mkdir(exist_ok=True)
    own = {os.fsdecode(path_bytes(each)) for each in paths}
    beside = (f"/{each}" for each in _walk(folder) if each not in own)
    lines = (re.sub(r"([*?\[\\!# ])", r"\\\1", each) for each in beside)
    text = "\n".join((*_LEFT_BEHIND, *lines)) + "\n"
    exclude.write_text(text, "utf-8", "surrogateescape")
    named = sorted(each for each in paths if "\n" not in each)
    asked = b"".join(path_bytes(each) + b"\n" for each in named)
    blobs = git.run("hash-object", "-w", "--no-filters", "--stdin-paths", stdin=asked).split()
    listed = b"".join(
        b"%s %s\t%s\0" % (_mode(folder, each), blob, path_bytes(each))
        for each, blob in zip(named, blobs, strict=True)
    )
    git.run("update-index", "-z", "--index-info", stdin=listed)
    tree = git.run("write-tree").decode("ascii").strip()
    commit = git.run("commit-tree", "-m", "The repository as it stands", tree).decode().strip()
    git.run("symbolic-ref", "HEAD", "refs/heads/main")
    git.run("update-ref", "HEAD", commit)
    return commit


def _mode(folder: Path, path: str) -> bytes:
    place = folder / os.fsdecode(path_bytes(path))
    return b"100755" if os.access(place, os.X_OK) else b"100644"


def _walk(folder: Path) -> Iterator[str]:
    """Files below a folder, by path, without git's own."""
    for place, names, files in os.walk(folder):
        names[:] = [name for name in names if name != ".git"]
        for name in files:
            yield os.path.relpath(os.path.join(place, name), folder)


def _size(folder: Path) -> tuple[int, int]:
    """Files and bytes below a folder, without git's own."""
    count = total = 0
    for place, names, files in os.walk(folder):
        names[:] = [name for name in names if name not in (".git", ".venv", "__pycache__")]
        for name in files:
            count += 1
            total += os.lstat(os.path.join(place, name)).st_size
    return count, total
