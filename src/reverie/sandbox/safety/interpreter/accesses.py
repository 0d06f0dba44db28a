"""Report which files a call reads, writes or deletes, and where they are."""

import fnmatch
import functools
import posixpath

from reverie.sandbox.safety.interpreter.events import FileAccess
from reverie.sandbox.safety.interpreter.interpreter import CallSite
from reverie.sandbox.safety.interpreter.knowledge import Argument, Opener, knowledge
from reverie.sandbox.safety.interpreter.texts import Parts, merge, parts_of
from reverie.sandbox.safety.interpreter.values import Items, Value, join, strings_of, symbols_of
from reverie.sandbox.safety.rule import Access, Place

_HOLE = "\ufffd"
_HERE = "<here>"
_NEAR_LEVELS = 3


def report_accesses(site: CallSite) -> None:
    """Emit what the called symbol does to files."""
    facts, name = knowledge(), site.symbol.name
    unbound = name.replace("pathlib.Path.", "pathlib.Path().", 1)
    for access, argument in facts.accesses.get(name, ()):
        _report(site, access, _paths(site, argument))
    if name in facts.openers:
        opener = facts.openers[name]
        for access in _modes(site, opener):
            _report(site, access, _paths(site, opener.path))
    elif unbound != name and unbound in facts.accesses:
        for access, argument in facts.accesses[unbound]:
            path = Argument(0, None) if argument.is_receiver else argument
            _report(site, access, _paths(site, path))


def _paths(site: CallSite, argument: Argument) -> list[Parts]:
    if argument.is_receiver:
        return [site.symbol.text or (None,)]
    value = site.arguments.get(argument.position, argument.keyword)
    if value is None:
        return [(None,)] if site.arguments.open_ended else []
    spread: list[Value] = [v for a in value if isinstance(a, Items) for v in a.values]
    return [parts_of(atom) for atom in (join(spread) if spread else value)]


def _modes(site: CallSite, opener: Opener) -> list[Access]:
    value = site.arguments.get(opener.mode.position, opener.mode.keyword)
    if value is None:
        modes = [opener.default]
    else:
        modes = strings_of(value)
        flags = knowledge().write_flags
        modes += ["w" for symbol in symbols_of(value) if symbol.name in flags]
    accesses = {Access.WRITE if set(mode) & set("wax+cn") else Access.READ for mode in modes}
    return sorted(accesses) or [Access.READ]


def _report(site: CallSite, access: Access, paths: list[Parts]) -> None:
    for path in paths:
        site.machine.emit(FileAccess(site.node, site.symbol.name, access, path))


@functools.lru_cache(maxsize=1024)
def place_of(path: Parts) -> Place:
    """Where a path points, as far as the source tells."""
    text = "".join(_HOLE if part is None else part for part in merge(path)).replace("\\", "/")
    places = knowledge().places
    if text.startswith(_HERE):
        return _beside_the_module(text.removeprefix(_HERE))
    normal = posixpath.normpath(text).replace("//", "/") if text else "."
    if _matches(normal, places["sensitive"]) or _matches("/" + normal, places["sensitive"]):
        return Place.SENSITIVE
    if _matches(normal, places["scratch"]):
        return Place.SCRATCH
    if normal.startswith("../") or normal == ".." or f"{_HOLE}/../.." in text:
        return Place.ESCAPING
    if normal.startswith(_HOLE):
        return Place.UNKNOWN
    if normal.startswith("~"):
        return Place.HOME
    if _matches(normal, places["system"]):
        return Place.SYSTEM
    return Place.ABSOLUTE if normal.startswith("/") or normal[1:3] == ":/" else Place.RELATIVE


def _beside_the_module(rest: str) -> Place:
    if rest == "/module.py":
        return Place.SOURCE
    normal = posixpath.normpath("." + rest)
    if _matches("/" + normal, knowledge().places["sensitive"]):
        return Place.SENSITIVE
    levels = normal.split("/").count("..")
    return Place.RELATIVE if levels <= _NEAR_LEVELS else Place.ESCAPING


def _matches(text: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatch.fnmatchcase(text, pattern) for pattern in patterns)
