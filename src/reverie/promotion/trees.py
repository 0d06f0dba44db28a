"""Trees of a repository as git holds them: paths, modes and contents, byte for byte.

Contents are never smudged: what a filter or an attribute would make of them has no say here.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from reverie.errors import MachineryError
from reverie.promotion.git import Git

FILE, EXECUTABLE, SYMLINK, SUBMODULE = "100644", "100755", "120000", "160000"
_BATCH_BYTES = 64 << 20
_BATCH_FILES = 5000


@dataclass(frozen=True, slots=True)
class Entry:
    """One file, link or submodule of a tree."""

    mode: str
    name: str
    """What git calls its content."""


def path_text(name: bytes) -> str:
    """The name of a file as text from which every byte comes back."""
    return name.decode("utf-8", "surrogateescape")


def path_bytes(path: str) -> bytes:
    """The name of a file as git and the disk have it."""
    return path.encode("utf-8", "surrogateescape")


def is_safe(path: str) -> bool:
    """Whether a path stays inside of a tree and out of git's own folder, on every file system."""
    parts = path.split("/")
    hidden = {"", ".", "..", ".git", "git~1"}
    return "\0" not in path and not any(part.lower().rstrip(". ") in hidden for part in parts)


def read_tree(git: Git, tree: str) -> dict[str, Entry]:
    """Every entry below the folder that `git` stands for, by its path from there."""
    found = {}
    for line in git.run("ls-tree", "-r", "-z", "--full-tree", tree).split(b"\0"):
        about, tab, path = line.partition(b"\t")
        name = path_text(path)
        if tab and name.startswith(git.prefix):
            mode, _, sha = about.decode("ascii").split(" ")
            found[name.removeprefix(git.prefix)] = Entry(mode.zfill(6), sha)
    return found


def tree_of(git: Git, revision: str) -> str:
    """What git calls the whole tree of a commit."""
    return git.run("rev-parse", "--verify", f"{revision}^{{tree}}").decode("ascii").strip()


def empty_tree(git: Git) -> str:
    """What git calls a tree with nothing in it."""
    return git.run("hash-object", "-t", "tree", "--stdin").decode("ascii").strip()


def contents(git: Git, entries: Mapping[str, Entry]) -> Iterator[tuple[str, bytes]]:
    """The content of each entry by its path, some megabytes at a time; submodules have none."""
    wanted: dict[str, list[str]] = {}
    for path, entry in entries.items():
        if entry.mode != SUBMODULE:
            wanted.setdefault(entry.name, []).append(path)
    for batch in _batches(git, wanted):
        for name, content in split_batch(git.run("cat-file", "--batch", stdin="".join(batch))):
            for path in wanted[name]:
                yield path, content


def blob_name(content: bytes, like: str) -> str:
    """What git calls a content, in a repository that calls another one `like`."""
    digest = hashlib.sha256 if len(like) == hashlib.sha256().digest_size * 2 else hashlib.sha1
    return digest(b"blob %d\0" % len(content) + content).hexdigest()


def _batches(git: Git, names: Iterable[str]) -> Iterator[list[str]]:
    listed = "".join(f"{name}\n" for name in names)
    batch: list[str] = []
    total = 0
    for line in git.run("cat-file", "--batch-check", stdin=listed).decode("ascii").splitlines():
        name, _, about = line.partition(" ")
        kind, _, size = about.partition(" ")
        if kind != "blob":
            raise MachineryError(f"the repository does not have the content {name}: {about}")
        if batch and (total + int(size) > _BATCH_BYTES or len(batch) == _BATCH_FILES):
            yield batch
            batch, total = [], 0
        batch.append(f"{name}\n")
        total += int(size)
    if batch:
        yield batch


def split_batch(output: bytes) -> Iterator[tuple[str, bytes]]:
    """The contents that `git cat-file --batch` printed."""
    position = 0
    while position < len(output):
        end = output.index(b"\n", position)
        name, _, size = output[position:end].decode("ascii").split(" ")
        start, position = end + 1, end + 2 + int(size)
        yield name, output[start : position - 1]
