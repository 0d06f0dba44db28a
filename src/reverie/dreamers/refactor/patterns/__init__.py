"""The catalogue of refactorings, a family to a file."""

from functools import cache

from reverie.dreamers.refactor.refactoring import Refactoring


@cache
def catalogue() -> tuple[Refactoring, ...]:
    """Every refactoring, what takes most away first."""
    from reverie.dreamers.refactor.patterns import choices, dead, guards, loops, sharing, splitting

    families = (dead, choices, sharing, loops, guards, splitting)
    return tuple(each for family in families for each in family.REFACTORINGS)
