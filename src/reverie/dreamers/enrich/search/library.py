"""Modules of the standard library that lines name."""

import importlib.util
import os
import re
import sys
from collections.abc import Iterable
from functools import cache

from reverie.dreamers.enrich.search.examples import Example


def importable_modules(examples: Iterable[Example]) -> frozenset[str]:
    """Modules of the standard library that examples name."""
    found: set[str] = set()
    for example in examples:
        for line in example.lines:
            for word in re.findall(r"[A-Za-z_][\w.]*", line):
                if "." in word and word.partition(".")[0] in sys.stdlib_module_names:
                    found.update(_library_modules(word))
    return frozenset(each for each in found if _is_harmless(each))


@cache
def _library_modules(dotted: str) -> tuple[str, ...]:
    """The modules that a dotted name leads through: of `os.path.join` the first two."""
    top, *parts = dotted.split(".")
    found = [top]
    for part in parts if _is_harmless(top) else ():
        name = f"{found[-1]}.{part}"
        try:
            if importlib.util.find_spec(name) is None:
                break
        except (ImportError, ValueError):
            break  # what it would be in is no package
        found.append(name)
    return tuple(found)


def _is_harmless(module: str) -> bool:
    return module not in (
        "antigravity",
        "this",
        "idlelib",
        "turtledemo",
        "tkinter",
        "test",
        os.curdir,
    )
