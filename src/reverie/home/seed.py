"""A seed that follows from a change and that nobody but the user can foresee."""

from reverie.home.seal import Seal, user_seal

_HEX_DIGITS = 7
"""So large that nobody tries them all, and still a seed for everything that wants one."""


def seed_of(*parts: str, seal: Seal | None = None) -> int:
    """The same for the same change and user; never 0, which asks for one."""
    tag = (seal or user_seal()).tag("seed", *(each.encode("utf-8", "replace") for each in parts))
    return int(tag[:_HEX_DIGITS], 16) + 1
