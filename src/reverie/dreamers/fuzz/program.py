"""The fuzzer as one program for the sandbox: the search for tests, and laws on top of it."""

from functools import cache
from pathlib import Path

from reverie.dreamers.enrich.search.program import bundled, search_sources

PACKAGE = "_reverie_fuzz"
ENTRY = "answer"
_MODULES = (
    "prelude", "values", "guessing", "scalars", "drawing", "checking", "shrinking", "models",
    "containers", "classes", "objects", "board", "proposing", "history", "reporting",
    "growing", "fuzzing",
)  # fmt: skip
_SEARCH = "reverie.dreamers.enrich.search.inside"
_UNUSED = ("replaying", "recorder", "entry", "seeing")


@cache
def fuzz_program() -> str:
    """The source of a program whose `answer` takes a request and returns what was found."""
    own = Path(__file__).parent / "inside"
    search = [each for each in search_sources() if each[0] not in _UNUSED]
    mine = [(name, _inside((own / f"{name}.py").read_text("utf-8"))) for name in _MODULES]
    return bundled(PACKAGE, [*search, *mine])


def _inside(source: str) -> str:
    """A module as it stands beside those of the search, in one package."""
    return source.replace(f"from {_SEARCH}.", "from .")


@cache
def prelude_source() -> str:
    """What laws are written with."""
    return (Path(__file__).parent / "inside" / "prelude.py").read_text("utf-8")
