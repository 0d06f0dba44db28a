"""What a repository's past says: commits, contents, and what has changed since."""

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from reverie.errors import GitFailed
from reverie.model.commit import BlobPair, ChangedFile, History
from reverie.promotion.changes import changed_lines
from reverie.promotion.git import Git
from reverie.promotion.log_format import LOG_FORMAT, parse_log, parse_tree, readable
from reverie.promotion.trees import blob_name, split_batch

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
    base = _merge_base(git, git.resolve(revision))
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


def _merge_base(git: Git, commit: str) -> str:
    try:
        return git.run("merge-base", commit, "HEAD").decode("ascii").strip()
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
