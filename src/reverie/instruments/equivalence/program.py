"""The source that runs both versions inside the sandbox."""

from functools import cache
from pathlib import Path

_PARTS = (
    "probes.py",
    "canon.py",
    "world.py",
    "versions.py",
    "held.py",
    "kept.py",
    "interleave.py",
    "observe.py",
    "mutants.py",
)

ENTRY = "observe"
RACE = "race"
NOTICE = "notice"
PRELOADED = ("ast", "asyncio", "hashlib", "inspect", "random", "shutil", "tempfile", "decimal")
"""What the program imports, loaded once in the warm sandbox instead of once per batch."""


@cache
def observing_program() -> str:
    """The parts of `inside`, one after the other."""
    folder = Path(__file__).parent / "inside"
    return "\n\n".join((folder / part).read_text("utf-8") for part in _PARTS)


@cache
def interleaving_source() -> str:
    """What shows that calls disturb one another, for scripts outside."""
    return (Path(__file__).parent / "inside" / "interleave.py").read_text("utf-8")
