"""Who uses what: imports, mentions and conventions in one graph, and where use begins.

A mention is resolved to the modules that it stands for.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from posixpath import dirname, join, normpath
from re import sub

from reverie.index.graph import PACKAGE_FILE, ImportGraph, ModuleNames
from reverie.index.orphans.conventions import Place, django_parts, entry_reason
from reverie.index.orphans.evidence_files import Evidence
from reverie.index.orphans.mention import HOLE, OWN_NAME, OWN_PACKAGE, Mention, MentionKind
from reverie.index.orphans.source import SourceFacts
from reverie.model.repository.code import CodeIndex

_LONGEST_REMAINDER = 3
_FOLDERS = (MentionKind.FOLDER, MentionKind.PATTERN, MentionKind.LOOSE_PATTERN)


class Resolver:
    """Answers with paths, from the place where something was written."""

    def __init__(self, names: ModuleNames) -> None:
        self._names = names
        self._all = sorted((module.name, path) for path, module in names.by_path.items())
        self._matching = lru_cache(maxsize=None)(self._find_matching)

    def resolve(self, mention: Mention, origin: str) -> frozenset[str]:
        """The files meant by a mention in the file `origin`, which may be no module."""
        match mention.kind:
            case MentionKind.NAME:
                found = self._name(mention.text, origin)
            case MentionKind.IMPORTED:
                found = self._imported(mention.text, origin)
            case MentionKind.WORD:
                found = self._word(mention.text, origin)
            case MentionKind.PATTERN:
                found = self._pattern(mention.text, origin)
            case MentionKind.LOOSE_PATTERN:
                found = self._loose_pattern(mention.text, origin)
            case MentionKind.FILE:
                found = [self._names.at(mention.text, dirname(origin))]
            case MentionKind.FOLDER:
                found = self._folder(mention.text, origin)
            case MentionKind.BESIDE:
                found = self._folder(".", origin)
        return frozenset(path for path in found if path is not None) - {origin}

    def resolve_all(
        self, mentions: Iterable[Mention], origin: str
    ) -> Iterator[tuple[Mention, frozenset[str]]]:
        """Each mention of one file with the files meant by it."""
        found = [(mention, self.resolve(mention, origin)) for mention in mentions]
        has_folder = any(paths for mention, paths in found if mention.kind in _FOLDERS)
        for mention, paths in found:
            if mention.kind is not MentionKind.BESIDE or not has_folder:
                yield mention, paths

    def _name(self, text: str, origin: str) -> Iterable[str | None]:
        """A dotted name, or the longest start of it that is a module."""
        if text.startswith("."):
            return [self._relative(text, origin)]
        for name in _starts(text):
            path = self._names.named(name, origin) or self._names.located(name)
            if path is not None and ("." in name or name in self._names):
                return [path]
        return []

    def _imported(self, text: str, origin: str) -> Iterable[str | None]:
        if found := list(self._name(text, origin)):
            return found
        for name in _starts(text):
            if path := self._by_tail(name, origin):
                return [path]
        return []

    def _by_tail(self, name: str, origin: str) -> str | None:
        """A bare name is taken for a file only in a folder that is put on the path as it is."""
        path = self._names.ending(name, origin)
        if path is None or "." in name:
            return path
        return None if f"{dirname(path)}/__init__.py" in self._names.by_path else path

    def _word(self, text: str, origin: str) -> Iterable[str | None]:
        if text.startswith("."):
            return [self._relative(text, origin)]
        return [self._names.named(f"{package}.{text}", origin) for package in self._around(origin)]

    def _relative(self, text: str, origin: str) -> str | None:
        name = text.lstrip(".")
        levels = len(text) - len(name)
        folder = dirname(origin)
        for _ in range(levels - 1):
            folder = dirname(folder)
        for part in _starts(name):
            stem = join(folder, part.replace(".", "/"))
            for path in (f"{stem}.py", f"{stem}/__init__.py"):
                if path in self._names.by_path:
                    return path
        return None

    def _around(self, origin: str) -> list[str]:
        if origin not in self._names.by_path:
            return []
        package = self._names.package_of(origin)
        return [package] if package else []

    def _own_name(self, origin: str) -> str:
        return self._names.by_path[origin].name if origin in self._names.by_path else ""

    def _loose_pattern(self, text: str, origin: str) -> Iterable[str]:
        if _is_default_prefix(text, self._own_name(origin)) and not origin.endswith(PACKAGE_FILE):
            return ()
        return self._pattern(text, origin)

    def _pattern(self, text: str, origin: str) -> Iterable[str]:
        """Names that fit; a hole is one part of a name, or several below a sub-package."""
        package = next(iter(self._around(origin)), "")
        own = self._own_name(origin)
        text = text.replace(OWN_PACKAGE, package).replace(OWN_NAME, own).partition(":")[0]
        if text.startswith("."):
            levels = len(text) - len(text.lstrip("."))
            parts = package.split(".")
            base = parts[: len(parts) - levels + 1]
            text = ".".join([*base, text.lstrip(".")])
        return self._matching(text)

    def _find_matching(self, text: str) -> tuple[str, ...]:
        start = text.partition(HOLE)[0].rstrip(".")
        if start and not (self._names.is_package(start) or _is_stem(start, text)):
            return self._below_tail(start) if text == f"{start}.{HOLE}" else ()
        if not start and text.count(HOLE) * len(HOLE) + 1 >= len(text):
            return ()
        hole = r"[\w-]+" if start and "." not in start else r"[\w.-]+"
        pattern = re.compile(hole.join(re.escape(part) for part in text.split(HOLE)))
        return tuple(path for name, path in self._all if pattern.fullmatch(name))

    def _below_tail(self, package: str) -> tuple[str, ...]:
        """The modules of a package that is reached by a path of its own, as `inside.{}` is."""
        home = self._names.ending(package)
        if home is None or not home.endswith(PACKAGE_FILE):
            return ()
        return self._names.in_folder(dirname(home), deep=False)

    def _folder(self, text: str, origin: str) -> Iterator[str]:
        """A folder beside the origin (`.`, `./plugins`), or a package by its name there."""
        if text.startswith("."):
            folder = normpath(join(dirname(origin), text))
            if text == "." or folder != normpath(dirname(origin)):
                yield from self._names.in_folder(folder, deep=True)
            return
        yield from self._names.in_folder(text.replace(".", "/"), deep=True)
        for package in (text, *(f"{each}.{text}" for each in self._around(origin))):
            yield from self._names.below(package)
        for each in self._names.by_path[origin].imports if origin in self._names.by_path else ():
            if text in (each.name, each.module.rpartition(".")[2]):
                yield from self._names.below(each.module)
                yield from self._names.below(f"{each.module}.{each.name}")


def _is_default_prefix(text: str, own: str) -> bool:
    """Whether a pattern is `package.{}` of the package that says so: names of users go in there."""
    return "." in own and text == f"{own.partition('.')[0]}.{HOLE}"


def _is_stem(start: str, text: str) -> bool:
    """Whether the hole begins in the middle of a part: `pkg.backend_{}`."""
    return not text[len(start) :].startswith(".")


def _starts(text: str) -> Iterator[str]:
    """A name and its starts, longest first; what follows a colon is no part of it."""
    name, _, attribute = text.partition(":")
    parts = name.split(".")
    least = len(parts) if attribute else max(1, len(parts) - _LONGEST_REMAINDER)
    for length in range(len(parts), least - 1, -1):
        yield ".".join(parts[:length])


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
