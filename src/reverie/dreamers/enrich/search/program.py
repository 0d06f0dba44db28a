"""The search's modules as one program, sent into the sandbox with the request."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

import reverie.instruments as instruments
import reverie_pytest

PACKAGE = "_reverie_search"
ENTRY = "answer"
_MODULES = (
    "clock", "conditions", "nodes", "reading", "recording", "probes", "loading", "protocols",
    "hints", "surface", "catalogue", "profiles", "patterns", "kinds", "making", "changing",
    "solving", "trying", "judging", "memory", "describing", "hunting", "children", "finishing",
    "shortening", "seeing", "searching", "recorder", "replaying", "entry",
)  # fmt: skip
_BORROWED = {
    "patterns": "equivalence/patterns.py",
    "recorder": "mutation/inside/recorder.py",
}
"""Modules of the instruments, which run inside as well as outside."""

_LOADER = """
import json
import sys
import types


def _load(package, sources):
    parent = types.ModuleType(package)
    parent.__path__ = []
    sys.modules[package] = parent
    for name, source in sources:
        module = types.ModuleType(package + "." + name)
        module.__package__ = package
        sys.modules[module.__name__] = module
        exec(compile(source, "<reverie " + name + ">", "exec", dont_inherit=True), module.__dict__)
        setattr(parent, name, module)
    return parent


def answer(request):
    for package, sources in json.loads(BESIDE):
        _load(package, sources)
    return getattr(_load(PACKAGE, json.loads(SOURCES)), LAST).answer(request)
"""

Sources = list[tuple[str, str]]
"""Names of modules with what is in them, in the order in which they load."""
_NOTHING: Mapping[str, Sources] = MappingProxyType({})


@cache
def search_program() -> str:
    """The source of a program whose `answer` takes a request and returns what was found."""
    return bundled(PACKAGE, search_sources())


def search_sources() -> Sources:
    """The modules of the search."""
    own = Path(__file__).parent / "inside"
    borrowed = Path(instruments.__path__[0])
    places = {name: own / f"{name}.py" for name in _MODULES}
    places |= {name: borrowed / path for name, path in _BORROWED.items()}
    places["clock"] = Path(reverie_pytest.__file__).with_name("clock.py")
    return [(name, places[name].read_text("utf-8")) for name in _MODULES]


def bundled(package: str, sources: Sources, beside: Mapping[str, Sources] = _NOTHING) -> str:
    """Modules as one program; the last of them has the `answer`. Packages beside it come first."""
    values = {
        "PACKAGE": package,
        "LAST": sources[-1][0],
        "SOURCES": json.dumps(sources),
        "BESIDE": json.dumps(list(beside.items())),
    }
    return "".join(f"{name} = {value!r}\n" for name, value in values.items()) + _LOADER
