"""What git prints, read back: names of files are bytes, and a message may hold anything but NUL."""

from collections.abc import Iterator, Sequence

from reverie.model.commit import BlobPair, Commit, FileTouch, TouchKind

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
