"""The naturalising step as one program for the sandbox: the search's modules, and its own."""

from functools import cache
from pathlib import Path

from reverie.dreamers.enrich.search.program import Sources, bundled, search_sources

PACKAGE = "_reverie_naturalising"
ENTRY = "answer"
_SHARED = ("edits", "naturalness", "matching", "pool")
_MODULES = (*_SHARED, "offering", "naturalising")
_UNUSED = ("replaying", "recorder", "entry")
_HERE = (
    "reverie.dreamers.enrich.search.inside.",
    "reverie.dreamers.enrich.naturalising.inside.",
)
"""Where the modules are imported from on this side."""


@cache
def naturalising_program() -> str:
    """The source of a program whose `answer` takes a request and returns what was found."""
    search = [each for each in search_sources() if each[0] not in _UNUSED]
    return bundled(PACKAGE, [*search, *_read(_MODULES)])


def judging_sources() -> Sources:
    """The modules that know natural values, for other programs."""
    return _read(_SHARED)


def _read(names: tuple[str, ...]) -> Sources:
    own = Path(__file__).parent / "inside"
    return [(name, _inside((own / f"{name}.py").read_text("utf-8"))) for name in names]


def _inside(source: str) -> str:
    for there in _HERE:
        source = source.replace(f"from {there}", "from .")
    return source
