"""The program that runs one stressed step inside the sandbox."""

from functools import cache

from reverie.sandbox.bundle import bundled
from reverie.workflows.program import PRELOADED as _OF_A_STEP

_MAIN = "_run_stressed"

PRELOADED = (
    *_OF_A_STEP,
    "asyncio",
    "concurrent.futures.thread",
    "csv",
    "ctypes",
    "dis",
    "hashlib",
    "http.client",
    "json",
    "random",
    "resource",
    "sqlite3",
    "ssl",
)
"""What the program imports, loaded once in the warm sandbox instead of once per step."""


def stressed_program(title: str, entry: str) -> str:
    """The program of one stressed step; its first line says which, its last what to call."""
    return f"# stressed step {' '.join(title.split())}\n{_body()}\n{entry} = {_MAIN}\n"


@cache
def _body() -> str:
    return bundled(f"reverie.workflows.scenarios.inside.stressed:{_MAIN}", is_listed=True)
