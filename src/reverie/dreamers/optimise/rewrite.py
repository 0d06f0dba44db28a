"""A rewrite: one slow pattern, what becomes of it, and an example that is run as a test."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edits


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
