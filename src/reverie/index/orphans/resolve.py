"""Which modules a mention stands for."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from posixpath import dirname, join, normpath

from reverie.index.graph.names import PACKAGE_FILE, ModuleNames
from reverie.index.orphans.mention import HOLE, OWN_NAME, OWN_PACKAGE, Mention, MentionKind

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
