"""The search's modules as one program, sent into the sandbox with the request."""

from functools import cache

from reverie.sandbox.bundle import bundled

ENTRY = "answer"
BORROWED = ("reverie.instruments.equivalence.patterns", "reverie_pytest.clock")
"""Modules that run inside as well as outside."""


@cache
def search_program() -> str:
    """The source of a program whose `answer` takes a request and returns what was found."""
    return searching_program("reverie.dreamers.enrich.search.inside.replaying")


def searching_program(module: str) -> str:
    """A program on top of the search, whose `answer` is in this module.

    Its children tell their parents objects of its classes.
    """
    return bundled(f"{module}:{ENTRY}", borrowed=BORROWED, is_listed=True)
