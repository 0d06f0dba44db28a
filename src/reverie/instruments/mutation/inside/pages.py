"""Large pages for what forks share: a fork copies the table of its parent's pages, not the pages.

With two megabytes to an entry instead of four kilobytes that costs a tenth. The kernel splits
those that a process writes to, so they are joined again from time to time.
"""

from collections.abc import Callable, Iterator

_HUGE = 2 << 20
_COLLAPSE = 25
"""MADV_COLLAPSE, Linux 6.1: now, and whatever the system's settings for new memory are."""
_FORKS_BETWEEN = 24


class LargePages:
    """Joins the pages of this process; where that cannot be done, nothing happens."""

    def __init__(self) -> None:
        self._forks = 0
        self._advise = _advise()

    def before_fork(self) -> None:
        """Join what is there, the first time and then now and again."""
        if self._forks % _FORKS_BETWEEN == 0 and self._advise is not None:
            self.join()
        self._forks += 1

    def join(self) -> None:
        """Join every page of memory that is this process's own."""
        if self._advise is None:
            return
        for start, end in _own_memory():
            first, last = -(-start // _HUGE) * _HUGE, end // _HUGE * _HUGE
            if first < last:
                self._advise(first, last - first, _COLLAPSE)


def _advise() -> "Callable[[int, int, int], int] | None":
    try:
        import ctypes

        function = ctypes.CDLL(None).madvise
        function.argtypes = (ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int)
    except (ImportError, OSError, AttributeError):
        return None  # a Python without it, or another system
    return function


def _own_memory() -> "Iterator[tuple[int, int]]":
    try:
        with open("/proc/self/maps", encoding="ascii", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError:
        return
    for line in lines:
        fields = line.split()
        if fields[1] == "rw-p" and (len(fields) == 5 or fields[5] == "[heap]"):
            start, _, end = fields[0].partition("-")
            yield int(start, 16), int(end, 16)
