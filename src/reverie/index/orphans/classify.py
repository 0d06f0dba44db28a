"""Gives modules their marks: orphan, isolated, redundant, legacy. Pure: reads no file.

Orphans are followed through their imports; each has a confidence, with a reason for every step; of
two modules with the same code it is said which is the copy.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Set
from dataclasses import dataclass, field
from posixpath import basename

from reverie.index.graph import ModuleNames, strongly_connected
from reverie.index.orphans.conventions import Place, is_shown, is_test
from reverie.index.orphans.duplicates import Cover, covers
from reverie.index.orphans.evidence_files import Evidence
from reverie.index.orphans.mention import MentionKind
from reverie.index.orphans.source import LegacySign, SourceFacts, looks_copied, sign_in_name
from reverie.index.orphans.usage import Usage, usage_of
from reverie.model.repository.code import CodeIndex, Module
from reverie.model.repository.standing import ModuleSignals, ModuleStanding
from reverie.model.sections import OrphansSection


@dataclass(frozen=True, slots=True)
class Chains:
    """The unreached modules as chains: heads that nothing uses, and what only they lead to."""

    heads: frozenset[str]
    depths: Mapping[str, int]
    """Imports from the nearest head that is followed; a module beyond the limits is not here."""


def unused_heads(unreached: Set[str], imports: Mapping[str, Set[str]]) -> frozenset[str]:
    """Modules that nothing uses, and circles that nothing outside of them uses."""
    graph = {path: imports[path] & unreached for path in unreached}
    components = strongly_connected({path: graph[path] for path in sorted(graph)})
    number = {path: at for at, members in enumerate(components) for path in members}
    used = {
        number[target]
        for path, targets in graph.items()
        for target in targets
        if number[target] != number[path]
    }
    return frozenset(path for path, at in number.items() if at not in used)


def follow(
    heads: Collection[str],
    followed: Iterable[str],
    imports: Mapping[str, Set[str]],
    unreached: Set[str],
    max_depth: int,
) -> Chains:
    """Walk from the heads; only from those in `followed` further than themselves."""
    depths = dict.fromkeys(sorted(heads), 0)
    waiting = [path for path in sorted(followed) if path in depths]
    for depth in range(1, max_depth + 1):
        found = sorted({each for path in waiting for each in imports[path] & unreached})
        waiting = [path for path in found if path not in depths]
        if not waiting:
            break
        depths.update(dict.fromkeys(waiting, depth))
    return Chains(frozenset(heads), depths)


def islands(unreached: Set[str], imports: Mapping[str, Set[str]]) -> dict[str, frozenset[str]]:
    """Unreached modules tied to nothing that is reached, each with the group it is tied to."""
    ties: dict[str, set[str]] = {path: set() for path in imports}
    for path, targets in imports.items():
        for target in targets:
            ties[path].add(target)
            ties[target].add(path)
    found: dict[str, frozenset[str]] = {}
    for members in strongly_connected(ties):
        if unreached >= set(members):
            found.update(dict.fromkeys(members, frozenset(members)))
    return found


_ALONE = 0.95
_LOWEST, _HIGHEST = 0.05, 0.99
_OLD_DAYS, _NEW_DAYS = 365, 14


@dataclass(frozen=True, slots=True)
class Seen:
    """What may lower or raise the belief that a module is an orphan."""

    is_public: bool
    """Part of a distribution, and not private by its name: others may import it."""
    is_unreadable: bool
    """It does not parse, so nothing is known of what it does."""
    unread_modules: int
    """Other modules that do not parse: one of them might use it."""
    is_spoken_of: bool
    """A module that imports dynamically holds a string equal to its last name."""
    signals: ModuleSignals


@dataclass(frozen=True, slots=True)
class Step:
    """One change of the belief."""

    change: float
    reason: str


def orphan_confidence(seen: Seen) -> tuple[float, tuple[str, ...]]:
    """The belief, and what changed it."""
    steps = [*_static_steps(seen), *_measured_steps(seen.signals)]
    total = _ALONE + sum(step.change for step in steps)
    bounded = min(max(total, _LOWEST), _HIGHEST)
    return round(bounded, 2), tuple(step.reason for step in steps)


def _static_steps(seen: Seen) -> list[Step]:
    steps = []
    if seen.is_public:
        steps.append(Step(-0.15, "it is public: users of the distribution may import it"))
    if seen.is_unreadable:
        steps.append(Step(-0.2, "it does not parse"))
    if seen.unread_modules:
        steps.append(
            Step(-0.1, f"modules that do not parse, and might use it: {seen.unread_modules}")
        )
    if seen.is_spoken_of:
        steps.append(Step(-0.25, "a module that imports dynamically holds a string of its name"))
    return steps


def _measured_steps(signals: ModuleSignals) -> list[Step]:
    steps = []
    if signals.coverage is not None:
        change = 0.03 if signals.coverage == 0 else -0.4
        steps.append(Step(change, f"the tests run {signals.coverage:.0%} of its lines"))
    days = signals.days_since_change
    if days is not None and days >= _OLD_DAYS:
        steps.append(Step(0.02, f"unchanged for {days:.0f} days"))
    if days is not None and days < _NEW_DAYS:
        steps.append(Step(-0.15, f"changed {days:.0f} days ago: it may not be in use yet"))
    return steps


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


_SHOWN_NAMES = 5
_NOTHING_IMPORTS = "no module imports it"
_NOTHING_NAMES = "no entry point, configuration or dynamic import that can be seen names it"


@dataclass(frozen=True, slots=True)
class _Marks:
    """Everything that is known before each module is judged by itself."""

    index: CodeIndex
    evidence: Evidence
    usage: Usage
    chains: Chains
    islands: Mapping[str, frozenset[str]]
    copies: Mapping[str, Copy]
    signs: Mapping[str, tuple[LegacySign, ...]]
    spoken: frozenset[str]
    signals: Mapping[str, ModuleSignals] = field(default_factory=dict)

    def name(self, path: str) -> str:
        return self.usage.graph.modules[path].name


def classify(
    index: CodeIndex,
    evidence: Evidence,
    section: OrphansSection,
    signals: Mapping[str, ModuleSignals] | None = None,
) -> tuple[ModuleStanding, ...]:
    """Every module that has a mark, by path."""
    usage = usage_of(index, evidence)
    unreached = frozenset(
        path
        for path in usage.graph.modules
        if path not in usage.reached and _counts(path, usage, evidence)
    )
    alone = islands(unreached, usage.users.imports)
    found_copies = copies(index, evidence, usage, section.similarity)
    signs = _legacy_signs(index, evidence, usage)
    marks = _Marks(
        index,
        evidence,
        usage,
        _chains(usage, unreached, alone, {*found_copies, *signs}, section),
        alone if section.discover_isolated else {},
        found_copies,
        signs,
        _spoken_words(evidence),
        signals or {},
    )
    judged = (_judge(module, marks) for module in sorted(index.modules, key=lambda each: each.path))
    return tuple(standing for standing in judged if standing is not None)


def _counts(path: str, usage: Usage, evidence: Evidence) -> bool:
    """An empty `__init__.py` says no more than that its folder is a package."""
    facts = evidence.sources.get(path)
    if basename(path) != "__init__.py" or facts is None or not facts.is_empty:
        return True
    folder = path.removesuffix("__init__.py")
    inside = [other for other in usage.graph.modules if other.startswith(folder) and other != path]
    return bool(inside) and not usage.reached.intersection(inside)


def _chains(
    usage: Usage,
    unreached: frozenset[str],
    alone: Mapping[str, frozenset[str]],
    dated: set[str],
    section: OrphansSection,
) -> Chains:
    heads = unused_heads(unreached, usage.users.imports)
    followed = [
        path
        for path in heads
        if (section.recursive_isolated if path in alone else section.recursive)
        and (section.include_redundant or path not in dated)
    ]
    return follow(heads, followed, usage.users.imports, unreached, section.max_depth)


def _legacy_signs(
    index: CodeIndex, evidence: Evidence, usage: Usage
) -> dict[str, tuple[LegacySign, ...]]:
    found = {}
    for module in index.modules:
        facts = evidence.sources.get(module.path, SourceFacts())
        signs = list(facts.signs)
        named = sign_in_name(module.name, is_used=module.path in usage.reached)
        is_marker = module.is_package and facts.is_empty
        if named is not None and not is_marker and not basename(module.path).startswith("test_"):
            signs.append(named)
        if signs:
            found[module.path] = tuple(sorted(signs, key=lambda sign: -sign.confidence))
    return found


def _spoken_words(evidence: Evidence) -> frozenset[str]:
    return frozenset(
        mention.text.rpartition(".")[2]
        for facts in evidence.sources.values()
        if facts.imports_dynamically
        for mention in facts.mentions
        if mention.kind is MentionKind.WORD
    )


def _judge(module: Module, marks: _Marks) -> ModuleStanding | None:
    path = module.path
    is_orphan = path in marks.chains.depths
    is_isolated = is_orphan and path in marks.islands
    copy, signs = marks.copies.get(path), marks.signs.get(path, ())
    if not (is_orphan or copy or signs):
        return None
    users = marks.usage.users.importers[path]
    confidences, reasons = [], []
    if is_orphan:
        belief, steps = orphan_confidence(_seen(module, marks))
        confidences.append(belief)
        reasons += [*_orphan_reasons(path, is_isolated, marks), *steps]
    if copy is not None:
        confidences.append(copy.share)
        reasons.append(f"{copy.share:.0%} of its code is in {copy.original}")
    if signs:
        confidences.append(signs[0].confidence)
        reasons += [sign.text for sign in signs]
    return ModuleStanding(
        name=module.name,
        path=path,
        orphan=is_orphan,
        isolated=is_isolated,
        redundant=copy is not None,
        legacy=bool(signs),
        confidence=confidences[0],
        reasons=tuple(reasons),
        parents=tuple(sorted({marks.name(user) for user in users})),
        duplicate_of=None if copy is None else copy.original,
        depth=marks.chains.depths.get(path),
    )


def _orphan_reasons(path: str, is_isolated: bool, marks: _Marks) -> list[str]:
    users = sorted(marks.name(user) for user in marks.usage.users.importers[path])
    reasons = [f"only orphans use it: {_listed(users)}" if users else _NOTHING_IMPORTS]
    reasons.append(_NOTHING_NAMES)
    others = sorted(marks.name(each) for each in marks.islands.get(path, ()) if each != path)
    if is_isolated and others:
        reasons.append(f"tied to nothing else of the repository than {_listed(others)}")
    elif is_isolated:
        reasons.append("it imports no module of the repository")
    return reasons


def _seen(module: Module, marks: _Marks) -> Seen:
    top = module.name.partition(".")[0]
    published = {marks.name(path) for path in marks.usage.entries if "/" in path}
    leaf = module.name.rpartition(".")[2]
    return Seen(
        is_public="." in module.name and top in published and not leaf.startswith("_"),
        is_unreadable=module.error is not None,
        unread_modules=sum(
            each.error is not None and each.path != module.path for each in marks.index.modules
        ),
        is_spoken_of=leaf in marks.spoken,
        signals=marks.signals.get(module.path, ModuleSignals()),
    )


def _listed(names: list[str]) -> str:
    shown = ", ".join(names[:_SHOWN_NAMES])
    return shown if len(names) <= _SHOWN_NAMES else f"{shown} and {len(names) - _SHOWN_NAMES} more"
