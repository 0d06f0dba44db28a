"""The catalogue of refactorings: a file of them, and code for what no pair can say."""

from functools import cache

from reverie.dreamers.refactor.refactoring import Refactoring
from reverie.dreamers.rewriting.catalogue import added_entries, own_entries, proposer
from reverie.syntax.rewrite_files import Entry

STAGE = "refactoring"


def own_refactorings() -> list[Entry]:
    """Those of Reverie itself, as its files say them."""
    return own_entries(__name__, "refactorings")


@cache
def catalogue() -> tuple[Refactoring, ...]:
    """Every refactoring, what takes most away first."""
    own = own_refactorings()
    names = {each.name for each in own}
    added = [each for each in added_entries(STAGE) if each.name not in names]
    return tuple(
        Refactoring(
            name=each.name,
            summary=each.summary,
            precondition=each.precondition,
            propose=proposer(each, __name__),
            before=each.before,
            after=each.after,
        )
        for each in (*own, *added)
    )
