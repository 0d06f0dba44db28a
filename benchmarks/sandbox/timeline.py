"""Where the supervisor's time goes in one execution: exclusive time of each step, by wrapping it.

A step that the engine no longer has is left out; waiting for the other side is a step of its
own, named after what it waits for.
"""

import functools
import importlib
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

WAIT_HELLO = "wait until the spare is ready"
WAIT_ANSWER = "wait while the execution runs"
REST = "everything else in the supervisor"
_DRIVE = "drive"
_STEPS = (
    ("reverie.sandbox.engine", "Sandbox.run", REST),
    ("reverie.sandbox.engine", "Sandbox._admit", "admit the request"),
    ("reverie.sandbox.batch", "encode", "encode the request"),
    ("reverie.sandbox.pool", "SlotPool.take", "take a slot"),
    ("reverie.sandbox.backends.exchange", "Exchange.__init__", "prepare the exchange"),
    ("reverie.sandbox.batch", "drive", _DRIVE),
    (
        "reverie.sandbox.backends.exchange",
        "Exchange._hear_hello",
        "hear hello, put limits in force",
    ),
    ("reverie.sandbox.backends.exchange", "Exchange._ask", "send the request"),
    ("reverie.sandbox.backends.exchange", "Exchange._listen", "read and parse the answer"),
    ("reverie.sandbox.backends.exchange", "Exchange._finish", "read output and usage"),
    ("reverie.sandbox.batch", "classify", "classify"),
    ("reverie.sandbox.batch", "conclude", "make the Execution"),
    ("reverie.sandbox.pool", "SlotPool.give_back", "give the slot back"),
    ("reverie.sandbox.backends.slot", "Slot.arm", "arm: descriptors, order to bury and fork"),
)
_HELLO_STEP = "hear hello, put limits in force"


class Timeline:
    """Exclusive seconds per step of the run that is under way."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = defaultdict(float)
        self._stack: list[str] = []
        self._since = 0.0
        self._said_hello = False

    def begin(self) -> None:
        """A new run."""
        self.spent = defaultdict(float)
        self._stack.clear()
        self._said_hello = False

    def enter(self, step: str) -> None:
        """A step begins; the one around it pauses."""
        self._charge()
        self._stack.append(step)
        self._said_hello |= step == _HELLO_STEP

    def leave(self) -> None:
        """The innermost step ends."""
        self._charge()
        self._stack.pop()

    def _charge(self) -> None:
        now = time.perf_counter()
        if self._stack:
            step = self._stack[-1]
            if step == _DRIVE:
                step = WAIT_ANSWER if self._said_hello else WAIT_HELLO
            self.spent[step] += now - self._since
        self._since = now


@contextmanager
def watching() -> Iterator[Timeline]:
    """Wrap every step that exists; unwrap afterwards."""
    timeline = Timeline()
    undo: list[tuple[Any, str, Any]] = []
    try:
        for module, path, step in _STEPS:
            owner: Any = importlib.import_module(module)
            *parents, name = path.split(".")
            for parent in parents:
                owner = getattr(owner, parent, None)
            original = getattr(owner, name, None)
            if original is not None:
                undo.append((owner, name, original))
                setattr(owner, name, _wrapped(timeline, step, original))
        yield timeline
    finally:
        for owner, name, original in undo:
            setattr(owner, name, original)


def _wrapped(timeline: Timeline, step: str, original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def call(*arguments: Any, **options: Any) -> Any:
        timeline.enter(step)
        try:
            return original(*arguments, **options)
        finally:
            timeline.leave()

    return call
