"""The files of a revision or of the working tree, and what lies between two of them."""

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

from reverie.model.change import Change, FileEdit
from reverie.promotion.git import Git

_BATCH_BYTES = 64 << 20
_MOST_BYTES = 16 << 20
_SIMILAR = 0.5
_GITLINK = "160000"


@dataclass(frozen=True, slots=True)
class TreeFile:
    """One file: its mode as git writes it, and its bytes."""

    mode: str
    content: bytes

    @property
    def is_plain(self) -> bool:
        """Whether it is a file of its own, not a link or another repository."""
        return self.mode.startswith("100")


Tree = Mapping[str, TreeFile]


def read_tree(git: Git, revision: str) -> dict[str, TreeFile]:
    """Every file of a commit, below the repository's folder, by path."""
    commit = git.resolve(revision)
    listed = git.run("ls-tree", "-r", "-z", "-l", commit)
    entries = []
    for line in listed.split(b"\0"):
        if line:
            about, _, name = line.partition(b"\t")
            mode, _, blob, size = about.decode("ascii").split()
            entries.append((os.fsdecode(name), mode, blob, size))
    wanted = {blob: int(size) for _, mode, blob, size in entries if mode != _GITLINK}
    contents = dict(_contents(git, wanted))
    return {
        name: TreeFile(mode, contents.get(blob, b""))
        for name, mode, blob, _ in entries
        if mode == _GITLINK or blob in contents
    }


def read_working_tree(git: Git) -> dict[str, TreeFile]:
    """Tracked files as they lie on the disk, and new ones that are not ignored."""
    listed = git.run("ls-files", "-z", "-c", "-o", "--exclude-standard")
    found = {}
    for raw in sorted(set(listed.split(b"\0")) - {b""}):
        path = git.folder / os.fsdecode(raw)
        try:
            about = path.lstat()
            if stat.S_ISLNK(about.st_mode):
                found[os.fsdecode(raw)] = TreeFile("120000", os.fsencode(os.readlink(path)))
            elif stat.S_ISREG(about.st_mode) and about.st_size <= _MOST_BYTES:
                mode = "100755" if about.st_mode & 0o100 else "100644"
                found[os.fsdecode(raw)] = TreeFile(mode, path.read_bytes())
        except OSError:
            continue  # deleted, and not yet known to git
    return found


def change_between(base: Tree, head: Tree) -> Change:
    """All edits that lead from one tree to another, renames recognised by what stayed."""
    gone = {path for path in base if path not in head}
    new = {path for path in head if path not in base}
    edits = []
    for old, path in _renames(base, head, gone, new):
        gone.discard(old)
        new.discard(path)
        edits.append(_edit(path, base[old], head[path], old))
    edits += [_edit(path, base[path], None) for path in gone]
    edits += [_edit(path, None, head[path]) for path in new]
    edits += [
        _edit(path, base[path], head[path])
        for path in base
        if path in head and base[path] != head[path]
    ]
    return Change(tuple(sorted(edits, key=lambda edit: edit.path)))


def _edit(
    path: str, old: TreeFile | None, new: TreeFile | None, renamed_from: str | None = None
) -> FileEdit:
    return FileEdit(
        path,
        None if old is None else text_of(old.content),
        None if new is None else text_of(new.content),
        renamed_from,
        None if old is None else old.mode,
        None if new is None else new.mode,
    )


def text_of(content: bytes) -> str:
    """Bytes as text from which every byte comes back."""
    return content.decode("utf-8", "surrogateescape")


def _renames(base: Tree, head: Tree, gone: set[str], new: set[str]) -> Iterator[tuple[str, str]]:
    """Pairs of a lost and a new path with much in common, the most alike first."""
    pairs = []
    for old in gone:
        for path in new:
            share = _likeness(base[old].content, head[path].content)
            if share >= _SIMILAR:
                pairs.append((-share, old, path))
    left, right = set(gone), set(new)
    for _, old, path in sorted(pairs):
        if old in left and path in right:
            left.discard(old)
            right.discard(path)
            yield old, path


def _likeness(first: bytes, second: bytes) -> float:
    if first == second:
        return 1.0
    if not first or not second:
        return 0.0
    matcher = SequenceMatcher(None, first.splitlines(), second.splitlines(), autojunk=False)
    return matcher.ratio() if matcher.real_quick_ratio() >= _SIMILAR else 0.0


def _contents(git: Git, wanted: Mapping[str, int]) -> Iterator[tuple[str, bytes]]:
    batch: list[str] = []
    total = 0
    for blob, size in wanted.items():
        if size > _MOST_BYTES:
            continue
        if total + size > _BATCH_BYTES:
            yield from _read_batch(git, batch)
            batch, total = [], 0
        batch.append(blob)
        total += size
    yield from _read_batch(git, batch)


def _read_batch(git: Git, blobs: list[str]) -> Iterator[tuple[str, bytes]]:
    output = (
        git.run("cat-file", "--batch", stdin="".join(f"{b}\n" for b in blobs)) if blobs else b""
    )
    position = 0
    while position < len(output):
        end = output.index(b"\n", position)
        name, _, size = output[position:end].decode("ascii").split(" ")
        start, position = end + 1, end + 2 + int(size)
        yield name, output[start : position - 1]
