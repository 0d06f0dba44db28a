"""The second search as one program for the sandbox: the search, and the mutants beside it."""

from functools import cache
from pathlib import Path

from reverie.dreamers.enrich.naturalising.program import judging_sources
from reverie.dreamers.enrich.search.program import bundled, search_sources
from reverie.instruments.mutation.program import PACKAGE as MUTATION
from reverie.instruments.mutation.program import far_sources

PACKAGE = "_reverie_noticing"
ENTRY = "answer"
_MODULES = ("showing", "neighbours", "noticing")
_UNUSED = ("replaying", "recorder", "entry")
_HERE = {
    "reverie.dreamers.enrich.search.inside.": ".",
    "reverie.dreamers.enrich.noticing.inside.": ".",
    "reverie.dreamers.enrich.naturalising.inside.": ".",
    "reverie.instruments.mutation.inside.": f"{MUTATION}.",
}
"""Where the sandbox has the modules that are imported from there."""


@cache
def noticing_program() -> str:
    """The source of a program whose `answer` takes a request and returns what was found."""
    own = Path(__file__).parent / "inside"
    search = [each for each in search_sources() if each[0] not in _UNUSED]
    search += judging_sources()
    mine = [(name, _inside((own / f"{name}.py").read_text("utf-8"))) for name in _MODULES]
    return bundled(PACKAGE, [*search, *mine], {MUTATION: far_sources("changes")})


def _inside(source: str) -> str:
    for there, here in _HERE.items():
        source = source.replace(f"from {there}", f"from {here}")
    return source
