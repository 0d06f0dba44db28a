"""The source that runs both versions inside the sandbox."""

from functools import cache

from reverie.sandbox.bundle import bundled, source_of

_INSIDE = "reverie.instruments.equivalence.inside"
ENTRY = "observe"
RACE = "race"
NOTICE = "notice"
PRELOADED = (
    "ast", "asyncio", "decimal", "hashlib", "inspect", "linecache", "pickle", "random", "shutil",
    "tempfile",
)  # fmt: skip
"""What the program imports, loaded once in the warm sandbox instead of once per batch."""


@cache
def observing_program() -> str:
    """The source of a program that has the three functions."""
    return bundled(
        f"{_INSIDE}.observe:{ENTRY}", f"{_INSIDE}.observe:{RACE}", f"{_INSIDE}.mutants:{NOTICE}"
    )


def interleaving_source() -> str:
    """What shows that calls disturb one another, for scripts outside."""
    return source_of(f"{_INSIDE}.interleave")
