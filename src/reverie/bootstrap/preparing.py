"""A repository, prepared: looked at, missing settings written, its folder made."""

from __future__ import annotations

import difflib
import os
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from reverie.errors import ConfigError, GitFailed, UsageError
from reverie.home.own_folder import MARK_FILE, claim_folder, make_own_folder
from reverie.index.outlook import Outlook, look_around
from reverie.settings.proposals import Line, Past, Proposal, add, propose

if TYPE_CHECKING:
    from pathlib import Path

    from reverie.settings import Loaded

SETTINGS_FILE = "pyproject.toml"


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


@dataclass(frozen=True, slots=True)
class Choices:
    """A person's answers about the settings that matter most; None: as proposed."""

    night_seconds: int | None = None
    test_roots: tuple[str, ...] | None = None
    protected: tuple[str, ...] | None = None

    def seen_so(self, outlook: Outlook) -> Outlook:
        """The repository as the person sees it."""
        roots = outlook.test_roots if self.test_roots is None else self.test_roots
        strangers = outlook.strangers if self.protected is None else self.protected
        return replace(outlook, test_roots=roots, strangers=strangers)

    def proposed_so(self, proposal: Proposal) -> Proposal:
        """A proposal with what the person said in its place."""
        if proposal.key == "nightly.budget_seconds" and self.night_seconds is not None:
            return replace(proposal, value=self.night_seconds, why="Seconds of a night, as chosen.")
        if proposal.key == "guard.protected" and self.protected is not None:
            return replace(proposal, why="Never changed, as chosen.")
        return proposal


def plan_settings(loaded: Loaded, choices: Choices | None = None) -> Plan:
    """Look at a repository, and at what its settings lack; nothing is written."""
    chosen = choices or Choices()
    from reverie.instruments.mutation.project import read_options

    root = loaded.repository
    testpaths = read_options(root).testpaths
    outlook = chosen.seen_so(look_around(root, loaded.settings.index, testpaths))
    past = _past(root, loaded.settings.promotion.branch_prefix)
    proposals = tuple(chosen.proposed_so(each) for each in propose(outlook, past))
    kept = tuple(each for each in proposals if is_written(loaded, each.key))
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


def is_written(loaded: Loaded, key: str) -> bool:
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
        return Past(False)
    try:
        return Past(git.find_commit(f"refs/heads/{prefix}") is not None)
    except GitFailed:
        return Past(False)
