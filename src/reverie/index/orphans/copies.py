"""Which of two modules with the same code is the copy."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from posixpath import basename

from reverie.index.graph.names import ModuleNames
from reverie.index.orphans.conventions import Place, is_shown, is_test
from reverie.index.orphans.duplicates import Cover, covers
from reverie.index.orphans.legacy import looks_copied
from reverie.index.orphans.reading import Evidence
from reverie.index.orphans.usage import Usage
from reverie.model.code import CodeIndex

_TELLING_LETTERS = 3
_IN_USE_SHARE = 0.95
"""A module in use that is this much alike is a copy; one that differs more is a variant."""


@dataclass(frozen=True, slots=True)
class Copy:
    """What a redundant module is a copy of."""

    original: str
    share: float
    """How much of the copy's code is in the original."""


def copies(
    index: CodeIndex, evidence: Evidence, usage: Usage, least_share: float
) -> dict[str, Copy]:
    """The redundant modules. Of two that cover one another only one is."""
    names = ModuleNames(index.modules)
    fingerprints = {
        module.path: evidence.sources[module.path].fingerprint
        for module in index.modules
        if module.path in evidence.sources
        and not _is_apart(Place(module, evidence.sources[module.path], names, evidence))
        and "Migration" not in evidence.sources[module.path].defines
        and "down_revision" not in evidence.sources[module.path].defines
    }
    found: dict[str, Copy] = {}
    rank = _ranking(usage, evidence)
    for cover in sorted(covers(fingerprints, least_share), key=lambda each: (-each.share, each.by)):
        if _is_copy(cover, usage, rank) and cover.covered not in found:
            found[cover.covered] = Copy(cover.by, cover.share)
    return found


def _is_apart(place: Place) -> bool:
    """Whether likeness is what a file is for: cases of a test, steps of a tutorial."""
    return is_test(place) or is_shown(place)


def _is_copy(cover: Cover, usage: Usage, rank: Callable[[str], tuple[object, ...]]) -> bool:
    """The one in use, with the plainer name, is the original."""
    is_used = cover.covered in usage.reached
    is_variant = cover.is_small or cover.by not in usage.reached or cover.share < _IN_USE_SHARE
    if is_used and is_variant:
        return False
    return rank(cover.by) < rank(cover.covered)


def _ranking(usage: Usage, evidence: Evidence) -> Callable[[str], tuple[object, ...]]:
    def rank(path: str) -> tuple[object, ...]:
        users = len(usage.users.importers[path])
        is_strange = not _fits_its_name(path, evidence.sources[path].defines)
        return path not in usage.reached, looks_copied(path), -users, is_strange, len(path), path

    return rank


def _fits_its_name(path: str, defines: Iterable[str]) -> bool:
    """Whether what a module defines is called like the module, or like its package."""
    stem = basename(path.removesuffix("/__init__.py")).removesuffix(".py").lower()
    words = [word for word in stem.split("_") if len(word) >= _TELLING_LETTERS]
    defined = " ".join(defines).lower()
    return any(word.rstrip("s") in defined for word in words)
