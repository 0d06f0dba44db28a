"""The source that runs one pair of processes inside the sandbox."""

from functools import cache
from pathlib import Path

_PARTS = ("likeness.py", "side.py", "processes.py", "watch.py")

ENTRY = "_run_benchmark"
PRELOADED = ("asyncio", "hashlib", "importlib.util", "inspect", "tracemalloc")
"""What the program imports, loaded once in the warm sandbox instead of once per round."""


@cache
def program() -> str:
    """The whole program; `ENTRY` is called with the order."""
    folder = Path(__file__).parent / "inside"
    return "\n\n".join((folder / part).read_text("utf-8") for part in _PARTS)
