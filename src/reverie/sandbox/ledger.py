"""How much memory the answers of one call may take, estimated before they are parsed.

A JSON text of a few bytes can become an object of a hundred: an answer within its limit is
harmless alone, and a thousand of them are not.
"""

import threading

_ROOM_PER_RESULT_BYTE = 64
"""No text grows by as much, so one answer of the largest size always fits."""
_WEIGHTS = {b",": 36, b"[": 72, b"{": 72, b":": 150, b'"': 25}
"""Bytes of the objects that follow each mark, as CPython stores them, rounded up."""


class Ledger:
    """Room for the answers of one call, shared by all exchanges that it takes. Thread-safe."""

    def __init__(self, result_bytes: int) -> None:
        self._room = result_bytes * _ROOM_PER_RESULT_BYTE
        self._lock = threading.Lock()

    def take(self, count: int) -> bool:
        """Take some bytes; False when there is no room for them, and nothing is taken."""
        with self._lock:
            if count > self._room:
                return False
            self._room -= count
            return True

    def give_back(self, count: int) -> None:
        """What was taken by an exchange that is repeated."""
        with self._lock:
            self._room += count


def memory_of(answer: bytes) -> int:
    """About as many bytes as the parsed answer takes; never much less."""
    return len(answer) + sum(answer.count(mark) * weight for mark, weight in _WEIGHTS.items())
