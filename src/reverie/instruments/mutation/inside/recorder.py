"""Which lines of the target run, and which line after which, context by context."""

import sys
import threading
from types import CodeType, FrameType
from typing import Any

_NAMES: "dict[CodeType, str]" = {}
_IS_FUNCTION = 0x1  # CO_OPTIMIZED: neither a module nor the body of a class
MOST_CALLS = 300_000
"""Of the target in one test that are followed. To follow more would take minutes: such a test
counts as one of which nobody knows all that it runs."""


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
        lines: dict[tuple[str, str], set[int]] = {}
        arcs: dict[str, set[tuple[int, int]]] = {}
        for code, steps in list(taken.steps.items()):
            found = set(steps)
            reached = {line for _, line in found if line > 0}
            arcs.setdefault(code.co_filename, set()).update(found)
            if reached:
                lines.setdefault((code.co_filename, _qualified(code)), set()).update(reached)
        return lines, arcs


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
        self.steps: dict[CodeType, set[tuple[int, int]]] = {}
        """Which line came after which; a negative one stands for entering or leaving."""
        self.wanted = wanted
        """Whether a code is of the target: asked once for all contexts."""
        self.calls = 0

    def enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        """Trace a function of the target, step by step."""
        code = frame.f_code
        wanted = self.wanted.get(code)
        if wanted is None:
            wanted = self.wanted[code] = code.co_filename in self.files
            if wanted:
                _qualified(code)  # works out names below a module while it is entered
        if not wanted:
            return None
        self.calls += 1
        if self.calls > MOST_CALLS:
            sys.settrace(None)  # the audit hook notices that tracing was changed
            return None
        steps = self.steps.get(code)
        if steps is None:
            steps = self.steps[code] = set()
        before = -code.co_firstlineno
        # A suite runs millions of lines: what happens at each is one addition to one set.
        add = steps.add

        def step(frame: FrameType, event: str, argument: Any) -> Any:
            nonlocal before
            if event == "line":
                line = frame.f_lineno
                add((before, line))
                before = line
            elif event == "return":
                add((before, -code.co_firstlineno))
            return step

        return step
