"""The past of a repository: commits, contents, new lines, and which repository it is.

Names of files in what git prints are bytes, and a message may hold anything but NUL. A repository
is known by its first commit and by where it comes from, wherever it lies.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from reverie.errors import GitFailed
from reverie.model.repository.candidate import (
    BlobPair,
    ChangedFile,
    Commit,
    FileTouch,
    History,
    TouchKind,
)
from reverie.promotion.git import Git
from reverie.promotion.trees import blob_name, split_batch

# Every field ends with NUL, which no field can hold; so a message cannot pretend to be a commit.
LOG_FORMAT = "%x01%H%x00%P%x00%at%x00%aN%x00%aE%x00%B"
_FIELDS = 6
_KINDS = {
    "A": TouchKind.ADDED,
    "M": TouchKind.MODIFIED,
    "T": TouchKind.MODIFIED,
    "D": TouchKind.DELETED,
    "R": TouchKind.RENAMED,
}


def readable(name: bytes) -> str:
    """The name of a file as the index spells it: bytes that are no text as `\\xff`."""
    return name.decode("utf-8", "backslashreplace")


def parse_log(output: bytes) -> Iterator[Commit]:
    """The commits of `git log --raw -z --format=LOG_FORMAT`."""
    words = output.split(b"\0")
    position = 0
    while position < len(words) and words[position].startswith(b"\x01"):
        fields = [word.decode("utf-8", "replace") for word in words[position : position + _FIELDS]]
        position += _FIELDS
        touches: list[FileTouch] = []
        while position < len(words) and words[position].lstrip(b"\n").startswith(b":"):
            touch, position = _parse_touch(words, position)
            touches.extend(touch)
        yield _commit(fields, tuple(touches))


def parse_tree(output: bytes) -> dict[str, str]:
    """Path to blob, of `git ls-tree -r -z`."""
    entries = {}
    for line in output.split(b"\0"):
        about, tab, path = line.partition(b"\t")
        words = about.split(b" ")
        if tab and words[1] == b"blob":
            entries[readable(path)] = words[2].decode("ascii")
    return entries


def _commit(fields: Sequence[str], touches: tuple[FileTouch, ...]) -> Commit:
    sha, parents, authored_at, name, email, message = fields
    return Commit(
        sha=sha.removeprefix("\x01"),
        authored_at=int(authored_at or 0),
        author_name=name,
        author_email=email,
        message=message.strip("\n"),
        is_root=not parents,
        touches=touches,
    )


def _parse_touch(words: Sequence[bytes], position: int) -> tuple[list[FileTouch], int]:
    """One file of a commit, and where the next begins. What is no file is passed over."""
    *_, old, new, status = words[position].decode("ascii", "replace").split(" ")
    first = readable(words[position + 1])
    kind = _KINDS.get(status[:1])
    has_both = set(old) != {"0"} and set(new) != {"0"}
    blobs = BlobPair(old, new) if has_both else None
    if status[:1] in ("R", "C"):
        second = readable(words[position + 2])
        if kind is None:
            return [FileTouch(second, TouchKind.ADDED)], position + 3
        return [FileTouch(second, kind, first, blobs)], position + 3
    return ([] if kind is None else [FileTouch(first, kind, None, blobs)]), position + 2


_MAX_COMPARISONS = 4_000_000


def changed_lines(before: bytes, after: bytes) -> frozenset[int]:
    """Lines of `after`, from 1, that differ from `before` in more than their ending.

    Where lines were only taken out, the line that follows counts: its surroundings changed. Of
    a rewrite too large to be matched, everything between the equal ends counts.
    """
    old, new = before.splitlines(), after.splitlines()
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    old, middle = old[head : len(old) - tail], new[head : len(new) - tail]
    if len(old) * len(middle) > _MAX_COMPARISONS:
        return frozenset(range(head + 1, head + len(middle) + 1))
    found: set[int] = set()
    for kind, _, _, start, end in SequenceMatcher(None, old, middle, False).get_opcodes():
        if kind == "delete" and new:
            found.add(min(head + start + 1, len(new)))
        elif kind in ("insert", "replace"):
            found.update(range(head + start + 1, head + end + 1))
    return frozenset(found)


def _common(first: Sequence[bytes], second: Sequence[bytes]) -> int:
    """How many lines are equal at the beginning."""
    pairs = enumerate(zip(first, second, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(first), len(second)))


MAX_BLOB_BYTES = 2 << 20
_BATCH_BYTES = 32 << 20
_PAIRS_AT_A_TIME = 500
_LOG = (
    *("log", "--no-merges", "--full-history", "--topo-order", "--no-color", "--relative"),
    *("--raw", "--no-abbrev", "--no-ext-diff", "--no-textconv", "--no-show-signature"),
    *("--encoding=UTF-8", "-z", "-l2000", f"--format={LOG_FORMAT}"),
)
_PYTHON = ("--", "*.py")


def read_history(git: Git, max_commits: int) -> History | None:
    """The commits that touched Python files; None before the first commit."""
    head = git.find_commit("HEAD")
    if head is None:
        return None
    log = (*_LOG, f"-n{max_commits + 1}")
    only_exact_renames = False
    try:
        output = git.run(*log, "-M50%", head, *_PYTHON)
    except GitFailed:  # contents that a partial clone has not fetched cannot be compared
        only_exact_renames = True
        output = git.run(*log, "-M100%", head, *_PYTHON)
    commits = tuple(parse_log(output))
    return History(
        head=head,
        head_time=int(git.run("log", "-1", "--no-show-signature", "--format=%ct", head)),
        commits=commits[:max_commits],
        is_shallow=git.is_shallow,
        is_truncated=len(commits) > max_commits,
        only_exact_renames=only_exact_renames,
    )


def read_blobs(git: Git, names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Contents by name, some megabytes at a time; large and missing ones are passed over."""
    for batch in _batches(git, names):
        yield from split_batch(git.run("cat-file", "--batch", stdin="".join(batch)))


def read_pairs(git: Git, pairs: Sequence[BlobPair]) -> Iterator[tuple[BlobPair, bytes, bytes]]:
    """Both contents of every pair that has them, some pairs at a time.

    Pairs of one file should follow one another: git then finds one content beside the next.
    """
    for start in range(0, len(pairs), _PAIRS_AT_A_TIME):
        chunk = pairs[start : start + _PAIRS_AT_A_TIME]
        contents = dict(read_blobs(git, (name for pair in chunk for name in (pair.old, pair.new))))
        for pair in chunk:
            if pair.old in contents and pair.new in contents:
                yield pair, contents[pair.old], contents[pair.new]


def changed_since(git: Git, revision: str) -> tuple[ChangedFile, ...]:
    """Python files that are not what they were where `revision` and HEAD parted.

    The files of the working tree are read here and never by git, whose filters are programs
    that a repository may choose. A file that was only moved did not change.
    """
    base = merge_base(git, git.resolve(revision))
    tree = parse_tree(git.run("ls-tree", "-r", "-z", base, "--", "."))
    known = set(tree.values())
    changed = {
        path: content
        for path, content in _working_tree(git)
        if blob_name(content, base) not in known
    }
    before = dict(read_blobs(git, {tree[path] for path in changed if path in tree}))
    found = (
        ChangedFile(path, changed_lines(before.get(tree.get(path, ""), b""), content))
        for path, content in changed.items()
    )
    return tuple(file for file in found if file.lines)


def merge_base(git: Git, commit: str, other: str = "HEAD") -> str:
    """Where two commits parted; the first itself where that is not known."""
    try:
        return git.run("merge-base", commit, other).decode("ascii").strip()
    except GitFailed:  # no common ancestor, or none that a shallow clone has
        return commit


def _working_tree(git: Git) -> Iterator[tuple[str, bytes]]:
    """Tracked Python files, and new ones that are not ignored."""
    listed = git.run("ls-files", "-z", "-c", "-o", "--exclude-standard", *_PYTHON)
    for name in sorted(set(listed.split(b"\0")) - {b""}):
        path = git.folder / os.fsdecode(name)
        if _is_own_file(path, git.folder):
            yield readable(name), path.read_bytes()


def _is_own_file(path: Path, folder: Path) -> bool:
    try:
        is_inside = path.resolve().is_relative_to(folder)
        return is_inside and path.is_file() and path.stat().st_size <= MAX_BLOB_BYTES
    except OSError:
        return False


def _batches(git: Git, names: Iterable[str]) -> Iterator[list[str]]:
    wanted = "".join(f"{name}\n" for name in dict.fromkeys(names))
    batch: list[str] = []
    total = 0
    for line in git.run("cat-file", "--batch-check", stdin=wanted).decode("ascii").splitlines():
        name, _, about = line.partition(" ")
        kind, _, size = about.partition(" ")
        if kind != "blob" or int(size) > MAX_BLOB_BYTES:
            continue
        if total + int(size) > _BATCH_BYTES:
            yield batch
            batch, total = [], 0
        batch.append(f"{name}\n")
        total += int(size)
    if batch:
        yield batch


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
