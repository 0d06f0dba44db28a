"""The catalogue of rewrites for speed: files of pairs, and code for what no pair can say."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from reverie.dreamers.rewriting.catalogue import added_entries, own_entries, proposer
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edits
from reverie.syntax.rewrite_files import Entry

_CHAPTERS = (
    "membership", "tables", "order_by_hand", "growing", "queues", "sorting", "sums", "caching",
    "small",
)  # fmt: skip
STAGE = "speed"


@dataclass(frozen=True, slots=True)
class Rewrite:
    """One pattern. `propose` yields a change for every place where its precondition holds."""

    name: str
    summary: str
    """What becomes of what, in the words of a commit."""
    precondition: str
    growth: str | None
    """The complexity before and after, where it improves: `n² → n`."""
    propose: Callable[[Scene], Iterator[Edits]]
    before: str
    after: str
    is_enabling: bool = False
    """Gains nothing by itself, but lets others see what they look for."""
    is_minor: bool = False
    """Worth little: proposed only where nothing larger fits any more."""


def own_rewrites() -> list[Entry]:
    """Those of Reverie itself, as its files say them."""
    return own_entries(__name__, *_CHAPTERS)


@cache
def catalogue() -> tuple[Rewrite, ...]:
    """Every rewrite, those that change how time grows first."""
    own = own_rewrites()
    names = {each.name for each in own}
    added = [each for each in added_entries(STAGE) if each.name not in names]
    every = [
        Rewrite(
            name=each.name,
            summary=each.summary,
            precondition=each.precondition,
            growth=each.growth,
            propose=proposer(each, __name__),
            before=each.before,
            after=each.after,
            is_enabling=each.is_enabling,
            is_minor=each.is_minor,
        )
        for each in (*own, *added)
    ]
    return tuple(sorted(every, key=lambda each: (each.growth is None, each.is_enabling)))
