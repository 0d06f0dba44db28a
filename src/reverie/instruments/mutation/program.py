"""The far side's modules as one program, sent into the sandbox with the request."""

import json
from functools import cache
from pathlib import Path

PACKAGE = "_reverie_mutation"
ENTRY = "answer"
_MODULES = (
    "reading", "operators", "sites", "texts", "units", "recorder", "children", "items", "loading",
    "changes", "suite", "tree", "scouting", "baseline", "afresh", "server", "matrix",
    "entry",
)  # fmt: skip

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
    return _load(PACKAGE, json.loads(SOURCES)).entry.answer(request)
"""


@cache
def far_side() -> str:
    """The source of a program whose `answer` takes a request and returns what was found."""
    folder = Path(__file__).parent / "inside"
    sources = [(name, (folder / f"{name}.py").read_text("utf-8")) for name in _MODULES]
    return f"PACKAGE = {PACKAGE!r}\nSOURCES = {json.dumps(sources)!r}\n{_LOADER}"
