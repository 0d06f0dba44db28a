"""Lines that changed since a git revision."""

import difflib
from collections.abc import Iterable
from pathlib import Path

from reverie.errors import GitFailed, UsageError
from reverie.promotion.git import Git


def changed_lines(
    repository: Path, revision: str, files: Iterable[str]
) -> dict[str, frozenset[int]]:
    """By file, the lines of the working tree that the revision does not have."""
    git = Git.find(repository)
    if git is None:
        raise UsageError(f"--since {revision!r}: {str(repository)!r} is not in a git repository")
    commit = git.resolve(revision)
    found = {}
    for name in files:
        try:
            before = git.run("cat-file", "blob", f"{commit}:./{name}").decode("utf-8", "replace")
        except GitFailed:
            before = ""  # it was not there
        after = (repository / name).read_bytes().decode("utf-8", "replace")
        lines = new_lines(before.splitlines(), after.splitlines())
        if lines:
            found[name] = lines
    return found


def new_lines(before: list[str], after: list[str]) -> frozenset[int]:
    """The numbers of lines in `after` that are not in `before`, or stand elsewhere."""
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    return frozenset(
        number + 1
        for tag, _, _, first, last in matcher.get_opcodes()
        if tag in ("replace", "insert")
        for number in range(first, last)
    )
