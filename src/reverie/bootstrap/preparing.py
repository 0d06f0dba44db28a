"""A repository, prepared: looked at, missing settings written, its folder made."""

from __future__ import annotations

import difflib
import os
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reverie.errors import ConfigError, GitFailed, UsageError
from reverie.home.own_folder import MARK_FILE, claim_folder, make_own_folder
from reverie.index.outlook import Outlook, look_around
from reverie.settings.proposals import Past, Proposal, propose
from reverie.settings.toml_text import Line, add

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from reverie.promotion.git import Git
    from reverie.settings import Loaded

SETTINGS_FILE = "pyproject.toml"
_WEEK_SECONDS = 7 * 86_400
_WEEKS = 12
_LEAST_WEEKS = 2
_MOST_COMMITS = 5_000


@dataclass(frozen=True, slots=True)
class Plan:
    """What would be written, and what was seen."""

    outlook: Outlook
    file: Path
    before: str | None
    """None: there is no such file yet."""
    after: str | None
    """None: nothing is to be written."""
    written: tuple[Proposal, ...] = ()
    kept: tuple[Proposal, ...] = ()
    """Proposals for settings that a file of the repository has already."""
    left_out: tuple[Proposal, ...] = ()
    """Proposals that the file has no place for: its tables are written inline."""

    @property
    def diff(self) -> str:
        """What would change in the file, as a unified diff."""
        old = (self.before or "").splitlines(keepends=True)
        new = old if self.after is None else self.after.splitlines(keepends=True)
        begin = "/dev/null" if self.before is None else f"a/{self.file.name}"
        lines = difflib.unified_diff(old, new, begin, f"b/{self.file.name}")
        return "".join(each if each.endswith("\n") else f"{each}\n" for each in lines)


def plan_settings(loaded: Loaded) -> Plan:
    """Look at a repository, and at what its settings lack; nothing is written."""
    from reverie.instruments.mutation.pytest_options import read_options

    root = loaded.repository
    testpaths = read_options(root).testpaths
    outlook = look_around(root, loaded.settings.index, testpaths)
    proposals = propose(outlook, _past(root, loaded.settings.promotion.branch_prefix))
    kept = tuple(each for each in proposals if _is_set(loaded, each.key))
    wanted = tuple(each for each in proposals if each not in kept)
    file = root / SETTINGS_FILE
    before = _content(file)
    added = add(before or "", [_line(each) for each in wanted])
    written = tuple(each for each in wanted if each.key not in added.left_out)
    return Plan(
        outlook,
        file,
        before,
        added.text if written else None,
        written,
        kept,
        tuple(each for each in wanted if each.key in added.left_out),
    )


def adopt(folder: Path) -> None:
    """Believe from now on what lies in a data folder that somebody else may have made."""
    if folder.is_symlink() or not folder.is_dir():
        raise UsageError(f"{folder} is no folder: there is nothing to take over")
    try:
        claim_folder(folder)
    except OSError as error:
        raise UsageError(f"cannot mark {folder}: {error.strerror}") from error


def prepare(folder: Path, plan: Plan | None) -> bool:
    """Make the folder of Reverie's own files and write what was planned, both or neither.

    False: the folder was there already.
    """
    created = _make_folder(folder)
    try:
        if plan is not None and plan.after is not None:
            _write(plan, plan.after)
    except UsageError:
        if created:
            for name in (".gitignore", MARK_FILE):
                (folder / name).unlink()
            folder.rmdir()
        raise
    return created


def _make_folder(folder: Path) -> bool:
    try:
        return make_own_folder(folder)
    except OSError as error:
        raise UsageError(f"cannot make {folder}: {error.strerror}") from error


def _write(plan: Plan, text: str) -> None:
    """Whole or not at all; `UsageError` when the file is not as it was."""
    place = _place(plan)
    beside = place.with_name(f".{place.name}.{os.getpid()}")
    if _content(place) != plan.before:
        raise UsageError(f"{plan.file.name} has changed meanwhile: run `reverie init` again")
    try:
        beside.write_bytes(text.encode("utf-8"))
        if plan.before is not None:
            beside.chmod(place.stat().st_mode & 0o7777)
        os.replace(beside, place)
    except OSError as error:
        with suppress(OSError):
            beside.unlink()
        raise UsageError(f"cannot write {str(plan.file)!r}: {error.strerror}") from error


def _place(plan: Plan) -> Path:
    """Where the file really is: a link stays a link, and leads nowhere else."""
    place = plan.file.resolve()
    if not place.is_relative_to(plan.file.parent.resolve()):
        raise UsageError(f"{str(plan.file)!r} is a link out of the repository")
    return place


def _is_set(loaded: Loaded, key: str) -> bool:
    """Whether a file of the repository says it: what a shell says is no matter."""
    return loaded.written.get(key, "").startswith((SETTINGS_FILE, ".env"))


def _line(proposal: Proposal) -> Line:
    value = proposal.value
    plain = list(value) if isinstance(value, tuple) else value
    return Line(proposal.key, plain, proposal.why)


def _content(path: Path) -> str | None:
    """The text as it is on disk, ends of lines and all."""
    try:
        return path.read_bytes().decode("utf-8") if path.is_file() else None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path.name}: not UTF-8 at byte {error.start}") from error
    except OSError as error:
        raise ConfigError(f"{path.name}: {error.strerror}") from error


def _past(root: Path, prefix: str) -> Past:
    """What git says; nothing where it cannot be asked."""
    from reverie.promotion.git import Git

    git = Git.find(root)
    if git is None:
        return Past(None, False)
    try:
        return Past(_commits_per_week(git), git.find_commit(f"refs/heads/{prefix}") is not None)
    except GitFailed:
        return Past(None, False)


def _commits_per_week(git: Git) -> float | None:
    """Over the weeks before the newest commit; None where there are too few of them."""
    moments = sorted(_moments(git), reverse=True)
    weeks = (moments[0] - moments[-1]) / _WEEK_SECONDS if moments else 0.0
    if weeks < _LEAST_WEEKS:
        return None
    since = moments[0] - _WEEKS * _WEEK_SECONDS
    return sum(each >= since for each in moments) / min(weeks, _WEEKS)


def _moments(git: Git) -> Iterator[int]:
    if git.find_commit("HEAD") is None:
        return
    listed = git.run("rev-list", "--timestamp", f"--max-count={_MOST_COMMITS}", "HEAD")
    yield from (int(line.split()[0]) for line in listed.splitlines())
