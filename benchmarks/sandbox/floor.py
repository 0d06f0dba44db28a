"""The floor: fork, exit and wait of a process that has loaded what a zygote has loaded.

Nothing that gives each execution a process of its own can be cheaper.
"""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from benchmarks.machine import real_interpreter
from reverie.model.execution import Limits, Policy
from reverie.model.outcome import IsolationTier
from reverie.sandbox.profile import Profile, build_config

_PROGRAM = Path(__file__).with_name("forker.py")


@dataclass(frozen=True, slots=True)
class FloorTiming:
    """One burst of forks."""

    count: int
    wall_seconds: float
    cpu_seconds: float


def slot_config() -> dict[str, Any]:
    """What a zygote of the default policy is told; enough to load what it loads."""
    profile = Profile.of(IsolationTier.NAMESPACES, Policy(), Limits().disk_bytes)
    return build_config(profile, "/tmp", None)


class FloorProcess:
    """A process of a zygote's size that forks on demand."""

    def __init__(self) -> None:
        command = [real_interpreter(), "-s", "-S", "-P", "-X", "utf8", str(_PROGRAM)]
        command.append(json.dumps(slot_config()))
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={"PYTHONHASHSEED": "0", "LANG": "C.UTF-8"},
        )
        self.rss_bytes: int = self._answer()["rss_bytes"]

    @property
    def pid(self) -> int:
        """The process itself."""
        return self._process.pid

    def begin(self, count: int) -> None:
        """Start a burst."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{count}\n")
        self._process.stdin.flush()

    def finish(self) -> FloorTiming:
        """Wait for the burst."""
        return FloorTiming(**self._answer())

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        found: dict[str, Any] = json.loads(self._process.stdout.readline())
        return found

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate("", timeout=10)
