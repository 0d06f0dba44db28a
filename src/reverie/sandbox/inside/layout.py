"""Memory laid out so that forks are cheap: few regions, and large pages where there is enough.

A fork copies a record of every region of memory and an entry for every page that was ever written,
and its end takes all of them apart again: of a bare fork that is nearly everything. So modules in
C, which are mapped between Python's own blocks of memory, are loaded before these are asked
for; the blocks then lie together, from a border of large pages on, and are joined.

All of this is for speed: where it cannot be done, nothing happens.
"""

import ctypes
import importlib
from collections.abc import Iterator

_LARGE = 2 << 20
_COLLAPSE = 25
"""MADV_COLLAPSE, Linux 6.1: now, and whatever the system's settings for new memory are."""
_READ_WRITE = 3
_PRIVATE_ANONYMOUS_UNRESERVED = 0x2 | 0x20 | 0x4000
_FAILED = ctypes.c_size_t(-1).value
_IN_C = (
    "_datetime _heapq _opcode _typing _struct _json _random _bisect _sha512 _socket select math "
    "array fcntl resource"
).split()
"""What the usual modules are made of; in some versions of Python these have no files."""


def make_room() -> None:
    """Before anything else is loaded or forks: regions that two processes know stay apart."""
    for name in _IN_C:
        try:
            importlib.import_module(name)
        except ImportError:
            continue
    libc = _libc()
    for start, end in _only_linked(_regions()):
        libc.mprotect(start, end - start, _READ_WRITE)
    start = libc.mmap(0, _LARGE, 0, _PRIVATE_ANONYMOUS_UNRESERVED, -1, 0)
    border = -(-start // _LARGE) * _LARGE
    if start != _FAILED and border > start:
        libc.munmap(start, border - start)  # the next block ends where large pages begin


def join() -> None:
    """Join pages, once everything is loaded."""
    libc = _libc()
    for start, end, rights, _, name in _regions():
        first, last = -(-start // _LARGE) * _LARGE, end // _LARGE * _LARGE
        if rights == "rw-p" and name in ("", "[heap]") and first < last:
            libc.madvise(first, last - first, _COLLAPSE)


def _libc() -> ctypes.CDLL:
    libc = ctypes.CDLL(None)
    place = ctypes.c_size_t
    libc.mmap.restype = place
    libc.mmap.argtypes = (place, place, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long)
    libc.munmap.argtypes = (place, place)
    libc.mprotect.argtypes = libc.madvise.argtypes = (place, place, ctypes.c_int)
    return libc


def _regions() -> "list[tuple[int, int, str, int, str]]":
    """Start, end, rights, offset and name of every region; none where they cannot be read."""
    found = []
    try:
        with open("/proc/self/maps", encoding="ascii", errors="replace") as file:
            for line in file:
                fields = line.split(maxsplit=5)
                start, _, end = fields[0].partition("-")
                name = fields[5].strip() if len(fields) > 5 else ""
                found.append((int(start, 16), int(end, 16), fields[1], int(fields[2], 16), name))
    except OSError:
        return []
    return found


def _only_linked(
    regions: "list[tuple[int, int, str, int, str]]",
) -> "Iterator[tuple[int, int]]":
    """Parts of modules that the linker has closed after its work, before parts that are open.

    Open, both are one region. That keeps nothing in: who runs here may write to all of its own
    process anyway, and the process is the border.
    """
    for one, next_one in zip(regions, regions[1:]):  # noqa: B905, RUF007  Python 3.9
        start, end, rights, offset, name = one
        is_next = next_one[0] == end and next_one[3] == offset + end - start
        if name and name == next_one[4] and is_next and (rights, next_one[2]) == ("r--p", "rw-p"):
            yield start, end
