"""The fuzzer as one program for the sandbox: the search for tests, and laws on top of it."""

from functools import cache

from reverie.dreamers.enrich.search.program import ENTRY as ENTRY
from reverie.dreamers.enrich.search.program import searching_program
from reverie.sandbox.bundle import source_of

_INSIDE = "reverie.dreamers.fuzz.inside"


@cache
def fuzz_program() -> str:
    """The source of a program whose `answer` takes a request and returns what was found."""
    return searching_program(f"{_INSIDE}.fuzzing")


@cache
def uses_program() -> str:
    """The source of a program whose `answer` tries what tests and documents show."""
    return searching_program(f"{_INSIDE}.uses")


def prelude_source() -> str:
    """What laws are written with."""
    return source_of(f"{_INSIDE}.prelude")
