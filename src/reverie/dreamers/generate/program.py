"""The program that runs in the sandbox for the generator, and what it answers."""

from functools import cache
from pathlib import Path
from typing import Any

from reverie.model.execution import Call, Execution, Limits, Request
from reverie.sandbox.engine import Sandbox

_PARTS = (
    "values", "trying", "operations", "hints", "terms", "comprehensions", "search", "observing",
    "noticing",
)  # fmt: skip


def ask(sandbox: Sandbox, entry: str, params: dict[str, Any], wall_seconds: float) -> Execution:
    """One question to the program; its answer is a claim."""
    limits = Limits(wall_seconds=wall_seconds)
    return sandbox.run(Request(Call(program(), entry, params), limits))


@cache
def program() -> str:
    """All parts as one source."""
    folder = Path(__file__).parent / "inside"
    return "\n\n".join((folder / f"{part}.py").read_text("utf-8") for part in _PARTS)
