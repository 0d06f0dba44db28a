"""Checkouts of a repository: the folders of its worktrees, and the commit of HEAD."""

from pathlib import Path


def worktrees_of(repository: Path) -> list[Path]:
    """The folders of a repository's worktrees, its own too; itself alone where it has no git."""
    from reverie.promotion.git import Git

    git = Git.find(repository)
    if git is None:
        return [repository]
    lines = git.run("worktree", "list", "--porcelain").decode("utf-8", "surrogateescape")
    found = [line[9:] for line in lines.splitlines() if line.startswith("worktree ")]
    return [Path(each).resolve() for each in found]


def head_commit(repository: Path) -> str | None:
    """The commit of HEAD; None where there is no repository or no commit yet."""
    from reverie.promotion.git import Git

    git = Git.find(repository)
    return None if git is None else git.find_commit("HEAD")
