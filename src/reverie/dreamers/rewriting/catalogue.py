"""Rewrites as their files say them: those of Reverie, and those that other packages add."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import import_module
from importlib.metadata import entry_points
from importlib.resources import files
from pathlib import Path
from typing import Any

from reverie.dreamers.rewriting.pairs import propose_pairs
from reverie.dreamers.rewriting.questions import QUESTIONS
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edits
from reverie.errors import UsageError
from reverie.syntax.rewrite_files import Entry, read_entries

GROUP = "reverie.rewrites"
"""The entry points by which packages add rewrites."""
Propose = Callable[[Scene], Iterator[Edits]]


def own_entries(package: str, *names: str) -> list[Entry]:
    """The rewrites of some files of a package, in their order."""
    folder = files(package)
    texts = [(name, folder.joinpath(f"{name}.toml").read_text("utf-8")) for name in names]
    return [entry for name, text in texts for entry in read_entries(text, f"{name}.toml")]


def propose_entry(entry: Entry, scene: Scene) -> Iterator[Edits]:
    """The changes that the pairs of a rewrite make in a function."""
    return propose_pairs(entry.pairs, QUESTIONS, scene)


def proposer(entry: Entry, package: str) -> Propose:
    """What proposes the changes of a rewrite: its pairs, or a function of the package."""
    if entry.pairs:
        return partial(propose_entry, entry)
    propose: Propose = getattr(import_module(f"{package}.{entry.code}"), entry.name)
    return propose


def added_entries(stage: str) -> list[Entry]:
    """The rewrites of one stage that other packages add, by the names of their entry points."""
    points = sorted(entry_points(group=GROUP), key=lambda each: each.name)
    found = [entry for point in points for entry in entries_of(point.load(), point.name)]
    for entry in found:
        if entry.code is not None:
            raise UsageError(f"{GROUP}: {entry.name}: only pairs can be added, no code")
    return [entry for entry in found if entry.stage == stage]


def entries_of(given: Any, origin: str) -> list[Entry]:
    """The rewrites that an entry point stands for: a file, a folder, several, or rewrites."""
    if callable(given):
        given = given()
    if isinstance(given, Entry):
        return [given]
    if isinstance(given, str):
        given = Path(given)
    if hasattr(given, "read_text"):
        if given.is_dir():
            inside = sorted(given.iterdir(), key=lambda each: str(each.name))
            return entries_of([each for each in inside if each.name.endswith(".toml")], origin)
        try:
            return read_entries(given.read_text("utf-8"), f"{origin} ({given.name})")
        except OSError as error:
            raise UsageError(f"{origin}: {error}") from error
    if isinstance(given, Iterable):
        return [entry for each in given for entry in entries_of(each, origin)]
    raise UsageError(f"{origin}: neither a file nor rewrites: {given!r}")
