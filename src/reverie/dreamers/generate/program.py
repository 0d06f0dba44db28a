"""The program that runs in the sandbox for the generator, and what it answers."""

from functools import cache
from typing import Any

from reverie.model.execution import Call, Execution, Limits, Request
from reverie.sandbox.bundle import bundled
from reverie.sandbox.engine import Sandbox

_INSIDE = "reverie.dreamers.generate.inside"
_TRYING = ("_try_source", "_try_recipes", "_behaviours", "_observe", "_notice", "_run_tests")


def ask(sandbox: Sandbox, entry: str, params: dict[str, Any], wall_seconds: float) -> Execution:
    """One question to the program; its answer is a claim."""
    limits = Limits(wall_seconds=wall_seconds)
    return sandbox.run(Request(Call(program(), entry, params), limits))


@cache
def program() -> str:
    """The source of a program that has all functions which are asked."""
    trying = [f"{_INSIDE}.trying:{each}" for each in _TRYING]
    return bundled(*trying, f"{_INSIDE}.search:_search")
