"""Which repository it is, wherever it lies: by its first commit and where it comes from."""

import hashlib
from pathlib import Path

from reverie.errors import GitFailed
from reverie.promotion.git import Git

_LENGTH = 24


def identity_of(repository: Path) -> str | None:
    """The same for every checkout of a repository; None where there is no git, or no commit.

    A part of the past (a shallow clone) is another repository: its first commit is not known.
    """
    git = Git.find(repository)
    try:
        if git is None or git.find_commit("HEAD") is None:
            return None
        roots = git.run("rev-list", "--max-parents=0", "HEAD").split()
    except GitFailed:
        return None
    told = b"\n".join((*sorted(roots), _remote(git)))
    return hashlib.sha256(told).hexdigest()[:_LENGTH]


def _remote(git: Git) -> bytes:
    """Where it comes from; nothing for one that was begun here."""
    try:
        return git.run("config", "--get", "remote.origin.url").strip()
    except GitFailed:
        return b""
