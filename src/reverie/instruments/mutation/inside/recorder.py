"""Which lines of the target run, and which line after which, context by context."""

import sys
import threading
from types import CodeType, FrameType
from typing import Any

Lines = "dict[tuple[str, str], set[int]]"


class Recorder:
    """Collects lines by (file, function) and steps by file, while it is switched on."""

    def __init__(self, files: "frozenset[str]") -> None:
        self.files = files
        self.lines: dict[tuple[str, str], set[int]] = {}
        self.arcs: dict[str, set[tuple[int, int]]] = {}
        self._wanted: dict[CodeType, bool] = {}

    def start(self) -> None:
        """From now on, in every thread that is started from now on."""
        threading.settrace(self._enter)
        sys.settrace(self._enter)

    def stop(self) -> None:
        """No more."""
        sys.settrace(None)
        threading.settrace(None)

    def take(self) -> "tuple[dict[tuple[str, str], set[int]], dict[str, set[tuple[int, int]]]]":
        """What was collected since the last time."""
        taken = self.lines, self.arcs
        self.lines, self.arcs = {}, {}
        return taken

    def _enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        wanted = self._wanted.get(code)
        if wanted is None:
            wanted = self._wanted[code] = code.co_filename in self.files
        if not wanted:
            return None
        key = (code.co_filename, code.co_qualname)
        before = -code.co_firstlineno

        def step(frame: FrameType, event: str, argument: Any) -> Any:
            nonlocal before
            if event == "line":
                line = frame.f_lineno
                self.lines.setdefault(key, set()).add(line)
                self.arcs.setdefault(key[0], set()).add((before, line))
                before = line
            elif event == "return":
                leaving = (before, -code.co_firstlineno)
                self.arcs.setdefault(key[0], set()).add(leaving)
            return step

        return step
