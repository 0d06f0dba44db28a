"""Which modules an integration is about: what nothing uses, and what somebody names."""

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass

from reverie.errors import UsageError
from reverie.model.code import Module
from reverie.model.integration import IntegrationSection
from reverie.model.sections import OrphansSection
from reverie.model.standing import ModuleStanding
from reverie.trials.integration import ReadTree


@dataclass(frozen=True, slots=True)
class Candidate:
    """One module that could become part of the repository."""

    module: Module
    closure: tuple[str, ...]
    """Paths of the module and all that it may import of the repository."""
    source_hash: str
    standing: ModuleStanding | None = None
    """None for a module that has no mark: somebody named it."""
    is_dormant: bool = False

    @property
    def value(self) -> float:
        """How sure it is that nothing uses it: those first."""
        return 0.0 if self.standing is None else self.standing.confidence


@dataclass(frozen=True, slots=True)
class Rules:
    """What decides who is a candidate."""

    section: IntegrationSection
    orphans: OrphansSection
    named: tuple[str, ...] = ()
    """Paths or dotted names that somebody asks for; empty for whatever nothing uses."""
    dormant: tuple[str, ...] = ()
    """Paths on the list of orphans that somebody keeps."""


def find_candidates(tree: ReadTree, rules: Rules, ground: str) -> tuple[Candidate, ...]:
    """Those that nothing uses first, each with all that it needs."""
    by_path = {module.path: module for module in tree.index.modules}
    known = [path for path in rules.dormant if path in by_path]
    if rules.named:
        wanted = [_named(each, tree) for each in rules.named]
        wanted += [path for each in wanted for path in _followed(tree, each, rules)]
    else:
        wanted = [path for path, each in tree.standings.items() if _is_wanted(each, rules)]
        wanted += known
    found = (_candidate(tree, path, path in known, ground) for path in dict.fromkeys(wanted))
    whole = [each for each in found if not each.module.is_test]
    return tuple(sorted(whole, key=lambda each: (-each.value, each.module.path)))


def _is_wanted(standing: ModuleStanding, rules: Rules) -> bool:
    if not standing.orphan or (standing.isolated and not rules.section.include_isolated):
        return False
    is_dated = standing.redundant or standing.legacy
    return rules.orphans.include_redundant or not is_dated


def _followed(tree: ReadTree, path: str, rules: Rules) -> Iterable[str]:
    """What a named module needs and nothing else uses."""
    standing = tree.standings.get(path)
    is_isolated = standing is not None and standing.isolated
    is_followed = rules.orphans.recursive_isolated if is_isolated else rules.orphans.recursive
    return (each for each in tree.closure(path) if is_followed and each in tree.orphans)


def _named(given: str, tree: ReadTree) -> str:
    path = os.path.normpath(given).replace(os.sep, "/")
    for module in tree.index.modules:
        if given == module.name or path == module.path:
            return module.path
    raise UsageError(f"there is no module {given!r:.80} in the repository")


def _candidate(tree: ReadTree, path: str, is_dormant: bool, ground: str) -> Candidate:
    closure = tree.closure(path)
    told = [ground, path, *(f"{p} {tree.graph.modules[p].content_hash}" for p in closure)]
    digest = hashlib.sha256("\0".join(told).encode("utf-8", "surrogatepass")).hexdigest()
    module = tree.graph.modules[path]
    return Candidate(module, closure, digest, tree.standings.get(path), is_dormant)
