"""git, asked about a repository that nobody trusts; and what else a person asked to be started.

A repository can carry its own configuration, and git runs many of the programs that one names:
hooks, pagers, file system monitors, diff and textconv drivers, filters, signature checkers,
transports. So every call names the repository itself, ignores the configuration of the machine
and the user, overrides what names a program, reaches no remote, and asks plumbing commands that
compare no working tree. Every call has a limit of time and of output.

What reaches others (a push, a request to merge) runs only when a person asked for it, in a folder
that the repository does not configure, with the person's own settings. So do the few programs
that a person's setting or command names: a scheduler, an agent.
"""

import os
import selectors
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reverie.errors import GitFailed, NoRepository, ProgramFailed, UsageError

_OVERRIDES = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.sshCommand=false",
    "core.askPass=false",
    "core.editor=false",
    "core.attributesFile=/dev/null",
    "core.alternateRefsCommand=",
    "credential.helper=",
    "diff.external=",
    "gpg.program=false",
    "log.showSignature=false",
    "mailmap.file=/dev/null",
    "protocol.allow=never",
    "submodule.recurse=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "commit.gpgSign=false",
    "i18n.commitEncoding=UTF-8",
    "core.splitIndex=false",
    "core.untrackedCache=false",
    "index.sparse=false",
)
_ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "HOME": "/nonexistent",
    "LC_ALL": "C.UTF-8",
}
_NOT_THERE = {
    "not a git repository": "its .git is damaged, or names a folder that is not there",
    "this operation must be run in a work tree": "it is bare: clone it for a folder with files",
}
"""What git says of a repository that nothing can be done with, and what that means."""
_BARE_MARKS = ("HEAD", "objects", "refs")


@dataclass(frozen=True, slots=True)
class GitLimits:
    """What one call of git may spend."""

    wall_seconds: float = 120.0
    output_bytes: int = 512 << 20


class Git:
    """One repository. `folder` may lie below its root: paths are relative to `folder`."""

    def __init__(self, folder: Path, root: Path, limits: GitLimits | None = None) -> None:
        self.folder = folder
        self.root = root
        self.is_bare = not os.path.lexists(root / ".git")
        self._limits = limits or GitLimits()
        place = {"GIT_DIR": str(root)} if self.is_bare else _worktree(root)
        self._environment = {**_ENVIRONMENT, **place, "PATH": _search_path()}

    @classmethod
    def find(cls, folder: Path, limits: GitLimits | None = None) -> "Git | None":
        """The repository that a folder belongs to, if one does and it has the same owner."""
        if _program() is None:
            return None
        folder = folder.resolve()
        owner = folder.stat().st_uid
        for place in (folder, *folder.parents):
            try:
                if os.lstat(place / ".git").st_uid == owner:
                    return cls(folder, place, limits)
            except OSError:
                continue
        is_bare = all((folder / mark).exists() for mark in _BARE_MARKS)
        return cls(folder, folder, limits) if is_bare else None

    @property
    def is_shallow(self) -> bool:
        """Whether older commits were never fetched."""
        return self.run("rev-parse", "--is-shallow-repository").strip() == b"true"

    def resolve(self, revision: str) -> str:
        """The commit that a revision names; `UsageError` when there is none."""
        found = self.find_commit(revision)
        if found is None:
            raise UsageError(f"no such revision: {revision!r}")
        return found

    def find_commit(self, revision: str) -> str | None:
        """The commit that a revision names, if there is one."""
        if revision.startswith("-") or "\0" in revision:
            return None
        try:
            named = ("rev-parse", "--verify", "--quiet", "--end-of-options")
            return self.run(*named, f"{revision}^{{commit}}").decode().strip()
        except GitFailed:
            return None

    @property
    def prefix(self) -> str:
        """What stands before a path of `folder` in a tree of git: empty, or ends with a slash."""
        inner = self.folder.relative_to(self.root).as_posix()
        return "" if self.is_bare or inner == "." else f"{inner}/"

    @property
    def common_dir(self) -> Path:
        """Where all working trees of the repository keep their objects and branches."""
        told = self.run("rev-parse", "--git-common-dir").removesuffix(b"\n")
        return (self.folder / os.fsdecode(told)).resolve()

    def at_root(self) -> "Git":
        """The same repository, asked from its root."""
        return Git(self.root, self.root, self._limits).with_variables(self._environment)

    def with_variables(self, variables: Mapping[str, str]) -> "Git":
        """The same repository, asked with more in the environment."""
        other = Git(self.folder, self.root, self._limits)
        other._environment = {**self._environment, **variables}
        return other

    def with_user_keys(self) -> "Git":
        """The same repository, where gpg and ssh-keygen find the person's keys."""
        names = ("HOME", "GNUPGHOME", "SSH_AUTH_SOCK", "GPG_AGENT_INFO", "GPG_TTY", "USER")
        return self.with_variables({name: os.environ[name] for name in names if name in os.environ})

    def run(self, *arguments: str, stdin: str | bytes = "") -> bytes:
        """What git prints; `GitFailed` when it fails. Callers name plumbing, and no driver."""
        command = [_program() or "git", "--no-pager"]
        for override in _OVERRIDES:
            command += ["-c", override]
        given = stdin.encode("ascii") if isinstance(stdin, str) else stdin
        started = _Started([*command, *arguments], self.folder, self._environment, given)
        try:
            return _finish(started, self._limits, arguments)
        except GitFailed as error:
            for said, means in _NOT_THERE.items():
                if error.detail.startswith(f"fatal: {said}"):
                    raise NoRepository(str(self.folder), arguments, means) from error
            raise


@dataclass(frozen=True, slots=True)
class _Started:
    """A program that is about to run."""

    command: Sequence[str]
    folder: Path
    environment: Mapping[str, str]
    stdin: bytes


def run_asked(program: str, *arguments: str, folder: Path, stdin: bytes = b"") -> bytes:
    """Run git, gh or glab as the person who asked for it would, in a folder of our own."""
    found = shutil.which(program, path=_search_path())
    if found is None:
        raise UsageError(f"the program {program!r} is not there")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment = {**kept, "PATH": _search_path(), "GIT_TERMINAL_PROMPT": "0"}
    started = _Started([found, *arguments], folder, environment, stdin)
    return _finish(started, GitLimits(), (program, *arguments))


def run_program(
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    limits: GitLimits,
    stdin: bytes = b"",
) -> bytes:
    """What a program that a person named prints; `ProgramFailed` when it does not do its job.

    It is no code under test: whose program it is, decides what it may reach.
    """
    found = shutil.which(command[0], path=environment.get("PATH", _search_path()))
    if found is None:
        raise UsageError(f"the program {command[0]!r} is not there")
    started = _Started([found, *command[1:]], folder, environment, stdin)
    try:
        return _finish(started, limits, command)
    except GitFailed as error:
        raise ProgramFailed(command[0], error.detail) from error


def _finish(started: _Started, limits: GitLimits, arguments: Sequence[str]) -> bytes:
    with tempfile.TemporaryFile() as asked, tempfile.TemporaryFile() as errors:
        asked.write(started.stdin)
        asked.seek(0)
        process = subprocess.Popen(
            started.command,
            cwd=started.folder,
            env=started.environment,
            stdin=asked,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
        )
        try:
            output = _read(process, limits, arguments)
        finally:
            _end(process)
        if process.returncode != 0:
            errors.seek(0)
            raise GitFailed(arguments, errors.read(2000).decode("utf-8", "replace"))
    return output


def _search_path() -> str:
    """Where programs are looked for: never in a folder that depends on where we are."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(folder for folder in folders if os.path.isabs(folder))


def is_git_there() -> bool:
    """Whether the program is installed."""
    return _program() is not None


def _program() -> str | None:
    return shutil.which("git", path=_search_path())


def _worktree(root: Path) -> dict[str, str]:
    """Named outright, so that the repository's own `core.worktree` has no say."""
    return {"GIT_DIR": str(root / ".git"), "GIT_WORK_TREE": str(root)}


def _read(process: "subprocess.Popen[bytes]", limits: GitLimits, arguments: Sequence[str]) -> bytes:
    """All of stdout, or `GitFailed` as soon as a limit is passed."""
    if process.stdout is None:
        raise GitFailed(arguments, "no output")
    deadline = time.monotonic() + limits.wall_seconds
    chunks: list[bytes] = []
    total = 0
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while True:
            if not selector.select(max(0.0, deadline - time.monotonic())):
                raise GitFailed(arguments, f"no end after {limits.wall_seconds:g} s")
            chunk = os.read(process.stdout.fileno(), 1 << 16)
            if not chunk:
                break
            total += len(chunk)
            if total > limits.output_bytes:
                raise GitFailed(arguments, f"more than {limits.output_bytes} bytes of output")
            chunks.append(chunk)
    try:
        process.wait(max(0.1, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        raise GitFailed(arguments, f"no end after {limits.wall_seconds:g} s") from None
    return b"".join(chunks)


def _end(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
