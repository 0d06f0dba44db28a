"""Who uses what: imports, mentions and conventions in one graph, and where use begins."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from re import sub

from reverie.index.graph.imports import ImportGraph
from reverie.index.graph.names import PACKAGE_FILE, ModuleNames
from reverie.index.orphans.conventions import Place, django_parts, entry_reason
from reverie.index.orphans.mention import Mention, MentionKind
from reverie.index.orphans.reading import Evidence
from reverie.index.orphans.resolve import Resolver
from reverie.index.orphans.source import SourceFacts
from reverie.model.code import CodeIndex

_SHARED_BY, _GROWN_INTO = 3, 3
"""How many modules have to import one, or be imported by it, to make it part of a library."""
_NOT_PUBLIC = {"tests", "test", "docs", "doc", "examples", "scripts", "benchmarks", "tools"}


@dataclass(frozen=True, slots=True)
class Usage:
    """The use that can be seen. Entry points carry the reason why they are some."""

    graph: ImportGraph
    """Imports only."""
    users: ImportGraph
    """Imports, and mentions by other modules."""
    entries: Mapping[str, str]
    reached: frozenset[str]
    """What some entry point leads to."""


def usage_of(index: CodeIndex, evidence: Evidence) -> Usage:
    """The use of every module of an index."""
    names = ModuleNames(index.modules)
    graph = ImportGraph.of(index, names)
    resolver = Resolver(names)
    edges = [(path, used) for path, others in graph.imports.items() for used in others]
    for path, facts in evidence.sources.items():
        mentions = [*facts.mentions, *(_outside_imports(names, path) if facts.changes_path else ())]
        for _, paths in resolver.resolve_all(mentions, path):
            edges += [(path, used) for used in paths]
    users = ImportGraph.from_edges(names.by_path, edges)
    entries = _entries(names, evidence, resolver)
    for path, facts in sorted(evidence.sources.items()):
        for mention, paths in resolver.resolve_all(facts.mentions, path):
            if _is_explicit(mention, path):
                for used in sorted(paths):
                    entries.setdefault(used, f"named in {path}:{mention.line}")
    conventional: dict[str, set[str]] = defaultdict(set)
    for application, path in django_parts(names, evidence.sources):
        conventional[application].add(path)
    reached = _reached(names, users, conventional, entries)
    while body := _library_body(names, graph, reached, _public_packages(names, evidence)):
        reached = _reached(names, users, conventional, [*reached, *body])
    return Usage(graph, users, entries, reached)


def _is_explicit(mention: Mention, path: str) -> bool:
    """Whether a mention is a use even in a module that nothing uses.

    It is, unless it takes in whatever lies beside: an unused loader must not hide its neighbours.
    """
    if mention.kind is MentionKind.BESIDE or mention.text == ".":
        return path.endswith(PACKAGE_FILE)
    return mention.kind is not MentionKind.WORD


def _outside_imports(names: ModuleNames, path: str) -> Iterator[Mention]:
    """Imports that lead nowhere on the usual path, and may on one that the file has changed."""
    for each in names.by_path[path].imports:
        if not each.is_internal:
            yield Mention(MentionKind.IMPORTED, each.module, each.line)


def _entries(names: ModuleNames, evidence: Evidence, resolver: Resolver) -> dict[str, str]:
    entries: dict[str, str] = {}
    for path, module in sorted(names.by_path.items()):
        facts = evidence.sources.get(path, SourceFacts())
        reason = entry_reason(Place(module, facts, names, evidence))
        if reason is not None:
            entries[path] = reason
    for origin, text in sorted(evidence.texts.items()):
        for mention in text.mentions:
            for path in sorted(resolver.resolve(mention, origin)):
                place = f"{origin}:{mention.line}" if mention.line else origin
                entries.setdefault(path, f"named in {place}")
    for path in _public_packages(names, evidence):
        entries.setdefault(path, "the package that others import")
    return entries


def _public_packages(names: ModuleNames, evidence: Evidence) -> list[str]:
    """The packages that a distribution is made of. An application has none."""
    packages = {
        module.name: path
        for path, module in names.by_path.items()
        if module.is_package and "." not in module.name and module.name not in _NOT_PUBLIC
    }
    titles = {_plain(text.distribution) for text in evidence.texts.values() if text.distribution}
    titled = [path for name, path in packages.items() if _plain(name) in titles]
    if titled:
        return titled
    has_settings = any("INSTALLED_APPS" in facts.defines for facts in evidence.sources.values())
    is_project = has_settings and any(path.endswith("manage.py") for path in names.by_path)
    return [] if is_project else list(packages.values())


def _library_body(
    names: ModuleNames, graph: ImportGraph, reached: frozenset[str], packages: Iterable[str]
) -> set[str]:
    """What many modules of a library import, or some that are grown into it.

    Users of a library import modules that nothing in it does. Those stay unreached, but what
    hangs on them is no more dead than they are.
    """
    tops = {names.by_path[path].name for path in packages}
    inside = [path for path, each in names.by_path.items() if each.name.partition(".")[0] in tops]
    waiting = {path for path in inside if path not in reached}
    shared = {path for path in waiting if len(graph.importers[path]) >= _SHARED_BY}
    grown = (
        path
        for path in waiting
        if len(graph.imports[path].intersection(inside)) >= _GROWN_INTO
        and graph.imports[path] & reached
    )
    return shared | {used for path in grown for used in graph.imports[path] & waiting}


def _plain(name: str) -> str:
    return sub(r"[-_.]+", "_", name).lower()


def _reached(
    names: ModuleNames,
    users: ImportGraph,
    conventional: Mapping[str, Iterable[str]],
    entries: Iterable[str],
) -> frozenset[str]:
    reached: set[str] = set()
    waiting = list(entries)
    while waiting:
        path = waiting.pop()
        if path not in reached:
            reached.add(path)
            waiting += users.imports[path]
            waiting += names.parents(path)
            waiting += conventional.get(path, ())
    return frozenset(reached)
