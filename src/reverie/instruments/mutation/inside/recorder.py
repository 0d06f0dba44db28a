"""Which lines of the target run, and which line after which, context by context."""

import sys
import threading
from types import CodeType, FrameType
from typing import Any

_NAMES: "dict[CodeType, str]" = {}
_IS_FUNCTION = 0x1  # CO_OPTIMIZED: neither a module nor the body of a class
Lines = "dict[tuple[str, str], set[int]]"


class Recorder:
    """Collects lines by (file, function) and steps by file, while it is switched on."""

    def __init__(self, files: "frozenset[str]") -> None:
        self.files = files
        self._context = _Context(files, {})

    def start(self) -> None:
        """From now on, in every thread that is started from now on."""
        threading.settrace(self._context.enter)
        sys.settrace(self._context.enter)

    def stop(self) -> None:
        """No more."""
        sys.settrace(None)
        threading.settrace(None)

    def take(self) -> "tuple[dict[tuple[str, str], set[int]], dict[str, set[tuple[int, int]]]]":
        """What was collected since the last time, however often it was started.

        A thread that outlives its context goes on telling that one: what it runs later is no
        part of whichever test comes then.
        """
        taken, self._context = self._context, _Context(self.files, self._context.wanted)
        lines = {key: set(found) for key, found in list(taken.lines.items())}
        return lines, {file: set(found) for file, found in list(taken.arcs.items())}


def _qualified(code: CodeType) -> str:
    """The qualified name of a code; before Python 3.11 worked out when its module is entered."""
    known = getattr(code, "co_qualname", None)
    if known is not None:
        return str(known)
    if code.co_name == "<module>":
        waiting = [(code, "")]
        while waiting:
            each, prefix = waiting.pop()
            inner = f"{prefix}<locals>." if each.co_flags & _IS_FUNCTION else prefix
            for const in each.co_consts:
                if isinstance(const, CodeType):
                    _NAMES[const] = f"{inner}{const.co_name}"
                    waiting.append((const, f"{_NAMES[const]}."))
    return _NAMES.get(code, code.co_name)


class _Context:
    """What one test, or the imports before all of them, runs."""

    def __init__(self, files: "frozenset[str]", wanted: "dict[CodeType, bool]") -> None:
        self.files = files
        self.lines: dict[tuple[str, str], set[int]] = {}
        self.arcs: dict[str, set[tuple[int, int]]] = {}
        self.wanted = wanted
        """Whether a code is of the target: asked once for all contexts."""

    def enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        """Trace a function of the target, step by step."""
        code = frame.f_code
        wanted = self.wanted.get(code)
        if wanted is None:
            wanted = self.wanted[code] = code.co_filename in self.files
        if not wanted:
            return None
        key = (code.co_filename, _qualified(code))
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
