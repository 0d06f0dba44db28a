"""Two calls in two threads: whatever one does between two operations of the other, shows.

Stands alone: it is also handed out with counter-examples.
"""

import os
import sys
import threading
from collections.abc import Callable
from typing import Any

_MOST_PLACES = 80
_BLOCKED_SECONDS = 0.05
_LIBRARY = os.path.dirname(threading.__file__)


def interleavings(
    first: "Callable[[], Any]", second: "Callable[[], Any]", tell: "Callable[[Any], str]" = repr
) -> "list[tuple[str, str]]":
    """What both answer: one after the other, then with all of `second` in the midst of `first`."""
    alone = (_answer(first, tell), _answer(second, tell))
    found = dict.fromkeys([alone, (_answer(first, tell), _answer(second, tell))])
    places = _Pause(second, tell, 0).count(first)
    for at in range(1, places + 1, places // _MOST_PLACES + 1):
        found[_Pause(second, tell, at).run(first)] = None
    return list(found)


def _answer(ask: "Callable[[], Any]", tell: "Callable[[Any], str]") -> str:
    try:
        value = ask()
        return tell(list(value) if hasattr(type(value), "__next__") else value)
    except Exception as error:  # noqa: BLE001  what it raises is what it does
        return type(error).__name__


class _Pause:
    """Lets another thread run when the first one has come so far."""

    def __init__(self, other: "Callable[[], Any]", tell: "Callable[[Any], str]", at: int) -> None:
        self.other = other
        self.tell = tell
        self.at = at
        self.seen = 0
        self.thread: threading.Thread | None = None
        self.told = ""

    def count(self, first: "Callable[[], Any]") -> int:
        """How many operations there are to pause at."""
        self._traced(first)
        return self.seen

    def run(self, first: "Callable[[], Any]") -> "tuple[str, str]":
        """Both answers."""
        answer = self._traced(first)
        if self.thread is not None:
            self.thread.join()
        return answer, self.told

    def _traced(self, first: "Callable[[], Any]") -> str:
        before = sys.gettrace()
        sys.settrace(self._trace)
        try:
            return _answer(first, self.tell)
        finally:
            sys.settrace(before)

    def _trace(self, frame: Any, event: str, argument: Any) -> Any:
        file = frame.f_code.co_filename
        own = interleavings.__code__.co_filename
        if file == own or file.startswith((_LIBRARY, "<frozen", "<string")):
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            self.seen += 1
            if self.seen == self.at:
                self.thread = threading.Thread(target=self._ask_other, daemon=True)
                self.thread.start()
                self.thread.join(_BLOCKED_SECONDS)  # it may wait for a lock that the first holds
        return self._trace

    def _ask_other(self) -> None:
        self.told = _answer(self.other, self.tell)
