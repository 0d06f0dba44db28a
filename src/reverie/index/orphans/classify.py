"""Gives modules their marks: orphan, isolated, redundant, legacy. Pure: reads no file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from posixpath import basename

from reverie.index.orphans.chains import Chains, follow, islands, unused_heads
from reverie.index.orphans.confidence import Seen, orphan_confidence
from reverie.index.orphans.copies import Copy, copies
from reverie.index.orphans.legacy import LegacySign, sign_in_name
from reverie.index.orphans.mention import MentionKind
from reverie.index.orphans.reading import Evidence
from reverie.index.orphans.source import SourceFacts
from reverie.index.orphans.usage import Usage, usage_of
from reverie.model.code import CodeIndex, Module
from reverie.model.sections import OrphansSection
from reverie.model.standing import ModuleSignals, ModuleStanding

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
