"""The far side's modules as one program, sent into the sandbox with the request."""

import base64
import json
import marshal
from functools import cache
from importlib.util import MAGIC_NUMBER
from pathlib import Path

from reverie.instruments.proof import random_name
from reverie.model.outcome import IsolationTier
from reverie.sandbox.engine import Sandbox

PACKAGE = "_reverie_mutation"
ENTRY = "answer"
PLANTED = random_name()
"""What the mutant says that cannot be overlooked."""
_MODULES = (
    "reading", "words", "statements", "operators", "sites", "planted", "texts", "units", "recorder",
    "pages", "children", "items", "loading", "changes", "bindings", "late", "suite", "tree",
    "scouting", "baseline", "afresh", "judging", "server", "board", "trials", "matrix", "entry",
)  # fmt: skip

_LOADER = """
import base64
import importlib.util
import json
import marshal
import sys
import types


def _codes():
    if importlib.util.MAGIC_NUMBER.hex() == MAGIC:
        return marshal.loads(base64.b64decode(CODES))
    return [(name, compile(source, "<stdin>", "exec", dont_inherit=True))
            for name, source in json.loads(SOURCES)]


def _load(package):
    parent = types.ModuleType(package)
    parent.__path__ = []
    sys.modules[package] = parent
    for name, code in _codes():
        module = types.ModuleType(package + "." + name)
        module.__package__ = package
        sys.modules[module.__name__] = module
        exec(code, module.__dict__)
        setattr(parent, name, module)
    return parent


def _hide(package):
    # Nothing of ours is in the list of modules, and nothing says where it comes from.
    for name in [each for each in sys.modules if each.partition(".")[0] in (package, __name__)]:
        module = sys.modules.pop(name)
        for value in list(vars(module).values()):
            if isinstance(value, type) and value.__module__ == name:
                value.__module__ = "__main__"
        module.__name__ = "__main__"


def answer(request):
    package = _load(PACKAGE)
    package.planted.PLANTED = PLANTED
    _hide(PACKAGE)
    return getattr(package, LAST).answer(request)
"""


@cache
def far_side() -> str:
    """The source of a program whose `answer` takes a request and returns what was found.

    An interpreter of the same version as this one need not compile it.
    """
    return packed(far_sources())


def packed(sources: list[tuple[str, str]]) -> str:
    """Modules as one program that asks the last of them, whose `answer` takes a request."""
    codes = [
        (name, compile(source, "<stdin>", "exec", dont_inherit=True)) for name, source in sources
    ]
    values = {
        "PACKAGE": PACKAGE,
        "PLANTED": PLANTED,
        "LAST": sources[-1][0],
        "SOURCES": json.dumps(sources),
        "MAGIC": MAGIC_NUMBER.hex(),
        "CODES": base64.b64encode(marshal.dumps(codes)).decode(),
    }
    return "".join(f"{name} = {value!r}\n" for name, value in values.items()) + _LOADER


def far_sources(upto: str = _MODULES[-1]) -> list[tuple[str, str]]:
    """The modules of the far side, as far as one of them, in the order in which they load."""
    folder = Path(__file__).parent / "inside"
    chosen = _MODULES[: _MODULES.index(upto) + 1]
    return [(name, (folder / f"{name}.py").read_text("utf-8")) for name in chosen]


def private_folders(sandbox: Sandbox) -> list[str]:
    """Shared folders inside that nobody outside of the sandbox sees."""
    has_own_root = sandbox.tier is IsolationTier.NAMESPACES
    return ["$TMPDIR", *(("/tmp", "/dev/shm") if has_own_root else ())]
