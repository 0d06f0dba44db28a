"""Commits one after another, as a search through the past walks them."""

from dataclasses import dataclass

from reverie.promotion.git import Git

_MOST = 4096


@dataclass(frozen=True, slots=True)
class CommitLine:
    """A commit and the first line of what it says."""

    id: str
    subject: str


def commits_between(git: Git, base: str, head: str) -> tuple[CommitLine, ...]:
    """Those of the main line after `base` up to `head`, oldest first."""
    asked = ("rev-list", "--first-parent", "--reverse", f"--max-count={_MOST}")
    told = git.run(*asked, "--format=%s", f"{base}..{head}", "--").decode("utf-8", "replace")
    lines = told.removesuffix("\n").split("\n")
    pairs = zip(lines[::2], lines[1::2], strict=False)
    return tuple(CommitLine(head.removeprefix("commit "), subject) for head, subject in pairs)
