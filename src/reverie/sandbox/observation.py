"""What the supervisor saw of one execution, from outside, before anybody judges it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Ending(StrEnum):
    """How it came to an end, as seen from outside."""

    ANSWERED = "answered"  # a complete answer came over the channel
    SILENT = "silent"  # the process ended without one
    WALL = "wall"  # we stopped it at the wall-time limit
    GARBLED = "garbled"  # what came over the channel is no answer


@dataclass(frozen=True, slots=True)
class Observation:
    """Facts from outside, and the execution's own claim beside them."""

    ending: Ending
    wall_seconds: float
    claim: Mapping[str, Any] | None = None
    garble: str | None = None
    wait_status: int | None = None
    cpu_seconds: float | None = None
    peak_rss_bytes: int | None = None
    memory_exceeded: bool = False
    oom_killed: bool = False
    stdout: bytes = b""
    stderr: bytes = b""
    output_full: bool = False
    changes: tuple[tuple[str, str], ...] = field(default=())
    changes_complete: bool = True
