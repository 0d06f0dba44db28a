"""Trees of a repository as git holds them, and the working tree as it stands as one of them.

Paths, modes and contents, byte for byte. Contents are never smudged: what a filter or an
attribute would make of them has no say here, and the working tree is read here, never by git's
filters.
"""

import hashlib
import os
import posixpath
import re
import stat
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass

from reverie.errors import GitFailed, MachineryError
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


def linked_files(
    entries: Mapping[str, Entry], found: Mapping[str, bytes], left_out: Container[str]
) -> dict[str, bytes]:
    """Plain files of a tree with their contents, and links to them as `with_links` says."""
    plain = {path: found[path] for path, each in entries.items() if each.mode in (FILE, EXECUTABLE)}
    links = {path: path_text(found[path]) for path, each in entries.items() if each.mode == SYMLINK}
    return with_links(plain, links, left_out)


def with_links(
    plain: Mapping[str, bytes], links: Mapping[str, str], left_out: Container[str]
) -> dict[str, bytes]:
    """Plain files, and links to files and folders with the contents that they lead to.

    What is `left_out`, or leads there, is not there, nor what leads elsewhere or to a link.
    """
    linked = {}
    for path, words in links.items():
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), words))
        inside = [each for each in plain if each == target or each.startswith(f"{target}/")]
        for each in inside:
            place = path + each.removeprefix(target)
            if path not in left_out and each not in left_out and place not in left_out:
                linked[place] = plain[each]
    return {**plain, **linked}


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


_LFS_POINTER = re.compile(
    rb"version https://git-lfs\.github\.com/spec/v1\n(?:.*\n)*?oid sha256:([0-9a-f]{64})\n"
)
_POINTER_BYTES = 1024


@dataclass(frozen=True, slots=True)
class _Listed:
    """A path that belongs to the working tree, with what the index has for it."""

    path: str
    entry: Entry | None
    is_left_out: bool = False
    """A sparse checkout does not have the file, and means no deletion by that."""


def write_working_tree(git: Git, own: Git) -> str:
    """What git calls a tree of all files as they stand, tracked or new and not ignored.

    `own` is the same repository with an index of our own: what is new is written there.
    """
    reader = _Reader(git, own)
    lines = []
    for listed in _listed(git):
        entry = listed.entry if listed.is_left_out else reader.entry(listed)
        if entry is not None:
            about = f"{entry.mode} {entry.name}\t{git.prefix}".encode()
            lines.append(about + path_bytes(listed.path) + b"\0")
    own.run("update-index", "-z", "--index-info", stdin=b"".join(lines))
    return own.run("write-tree", "--missing-ok").decode("ascii").strip()


def _listed(git: Git) -> Iterator[_Listed]:
    seen: set[str] = set()
    for line in git.run("ls-files", "-z", "-t", "--stage").split(b"\0"):
        about, tab, name = line.partition(b"\t")
        path = path_text(name)
        if tab and path not in seen:
            tag, mode, sha, _ = about.decode("ascii").split(" ")
            seen.add(path)
            yield _Listed(path, Entry(mode, sha), is_left_out=tag == "S")
    for name in git.run("ls-files", "-z", "-o", "--exclude-standard").split(b"\0"):
        path = path_text(name)
        if path and not path.endswith("/") and path not in seen and is_safe(path):
            yield _Listed(path, None)


class _Reader:
    """Reads files as git would add them, without the programs that git would ask."""

    def __init__(self, git: Git, own: Git) -> None:
        self._git = git
        self._own = own
        self._like = empty_tree(git)
        self._has_modes = _has_modes(git)
        self._links: dict[str, bool] = {}

    def entry(self, listed: _Listed) -> Entry | None:
        """What the file is now; None when there is none."""
        place = os.fsencode(self._git.folder) + b"/" + path_bytes(listed.path)
        try:
            about = os.lstat(place)
        except OSError:
            return None
        if self._is_behind_link(listed.path):
            return None
        if listed.entry is not None and listed.entry.mode == SUBMODULE:
            return self._submodule(listed.path, listed.entry)
        if stat.S_ISLNK(about.st_mode):
            return Entry(SYMLINK, self._name(os.readlink(place), listed.entry))
        if not stat.S_ISREG(about.st_mode):
            return None
        with open(place, "rb") as stream:
            content = stream.read()
        return Entry(self._mode(about.st_mode, listed.entry), self._name(content, listed.entry))

    def _mode(self, mode: int, known: Entry | None) -> str:
        if not self._has_modes and known is not None and known.mode != SYMLINK:
            return known.mode
        return EXECUTABLE if mode & stat.S_IXUSR else FILE

    def _name(self, content: bytes, known: Entry | None) -> str:
        name = blob_name(content, self._like)
        if known is None or known.name == name:
            return name if known else self._write(content)
        stored = self._git.run("cat-file", "blob", known.name)
        if _is_pointer_to(stored, content):
            return known.name
        return self._write(_as_stored(content, stored))

    def _write(self, content: bytes) -> str:
        how = ("hash-object", "-w", "--no-filters", "--stdin")
        return self._own.run(*how, stdin=content).decode("ascii").strip()

    def _submodule(self, path: str, known: Entry) -> Entry:
        inner = self._git.folder / os.fsdecode(path_bytes(path))
        found = Git.find(inner) if os.path.lexists(inner / ".git") else None
        head = None if found is None else found.find_commit("HEAD")
        return known if head is None else Entry(SUBMODULE, head)

    def _is_behind_link(self, path: str) -> bool:
        parent, _, _ = path.rpartition("/")
        if not parent:
            return False
        if parent not in self._links:
            place = os.fsencode(self._git.folder) + b"/" + path_bytes(parent)
            self._links[parent] = os.path.islink(place) or self._is_behind_link(parent)
        return self._links[parent]


def _has_modes(git: Git) -> bool:
    """Whether the file system tells which files can be executed."""
    try:
        return git.run("config", "--type=bool", "core.fileMode").strip() != b"false"
    except GitFailed:
        return True


def _is_pointer_to(stored: bytes, content: bytes) -> bool:
    """Whether git holds a pointer and the large file storage put this content in its place."""
    found = _LFS_POINTER.match(stored) if len(stored) <= _POINTER_BYTES else None
    return found is not None and hashlib.sha256(content).hexdigest().encode() == found[1]


def _as_stored(content: bytes, stored: bytes) -> bytes:
    """Content with bare line feeds where a checkout has put carriage returns before each."""
    feeds = content.count(b"\n")
    is_converted = feeds and content.count(b"\r\n") == feeds and b"\r\n" not in stored
    return content.replace(b"\r\n", b"\n") if is_converted and b"\0" not in content else content
