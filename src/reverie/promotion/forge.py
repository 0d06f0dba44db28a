"""Pushes a branch and asks for its merge: only when a person said so.

The repository's configuration could name programs for that. So the push starts from an empty
repository of our own that borrows the objects, with the person's settings and the address alone.
"""

import os
import re
from pathlib import Path

from reverie.errors import GitFailed, Refused, UsageError
from reverie.promotion.commits import one_line
from reverie.promotion.git import Git, run_asked
from reverie.promotion.scratch import scratch_folder

_ADDRESS = re.compile(
    r"(https?|ssh|git)://[^\s-][^\s]*|[\w.-]+@[\w.-]+:[^\s-][^\s]*|file://[^\s]+|/[^\s]+"
)
_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]*@")
_TITLE_CHARACTERS = 200


def push(git: Git, branch: str, remote: str) -> str:
    """Push one branch to a remote, by its name there or an address; returns the address."""
    address = _address(git, remote)
    commit = git.resolve(f"refs/heads/{branch}")
    with scratch_folder(avoid=git.folder) as folder:
        _borrow(git, folder)
        target = f"{commit}:refs/heads/{branch}"
        options = ("-c", "core.hooksPath=/dev/null", "-c", "protocol.ext.allow=never")
        run_asked("git", "-C", str(folder), *options, "push", "--", address, target, folder=folder)
    return _CREDENTIALS.sub("", address)


def open_request(git: Git, branch: str, remote: str, title: str, body: str) -> str:
    """Open a pull or merge request by the forge's own program; returns what it answers."""
    address = _CREDENTIALS.sub("", _address(git, remote))
    subject = one_line(title, _TITLE_CHARACTERS)
    with scratch_folder(avoid=git.folder) as folder:
        if "gitlab" in address:
            answer = run_asked(
                *("glab", "mr", "create", "--repo", address, "--source-branch", branch),
                *("--title", subject, "--description", body, "--yes"),
                folder=folder,
            )
        else:
            answer = run_asked(
                *("gh", "pr", "create", "--repo", address, "--head", branch),
                *("--title", subject, "--body-file", "-"),
                folder=folder,
                stdin=body.encode("utf-8"),
            )
    return answer.decode("utf-8", "replace").strip()


def _borrow(git: Git, folder: Path) -> None:
    """An empty repository that finds the objects of another, a shallow one's edge included."""
    kind = git.run("rev-parse", "--show-object-format").decode("ascii").strip()
    quiet = ("init", "-q", "--bare", "--template=", f"--object-format={kind}")
    run_asked("git", *quiet, str(folder), folder=folder)
    common = git.common_dir
    alternates = folder / "objects" / "info" / "alternates"
    alternates.parent.mkdir(parents=True, exist_ok=True)
    alternates.write_bytes(os.fsencode(common / "objects") + b"\n")
    if (common / "shallow").is_file():
        (folder / "shallow").write_bytes((common / "shallow").read_bytes())


def _address(git: Git, remote: str) -> str:
    if _ADDRESS.fullmatch(remote):
        return remote
    try:
        told = git.run("config", "--get", f"remote.{remote}.url").decode("utf-8").strip()
    except (GitFailed, UnicodeDecodeError):
        raise UsageError(f"there is no remote {remote!r}") from None
    if not _ADDRESS.fullmatch(told):
        raise Refused(f"the address of {remote!r} is none that is pushed to: {told!r}")
    return told
