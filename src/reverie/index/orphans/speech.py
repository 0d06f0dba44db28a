"""What was heard in one file, and how much of it stands for modules."""

from collections.abc import Container
from dataclasses import dataclass, field

from reverie.index.orphans.mention import Mention, MentionKind


@dataclass(slots=True)
class Speech:
    """What was heard in one file."""

    direct: list[Mention] = field(default_factory=list)
    patterns: list[Mention] = field(default_factory=list)
    """They count if the file imports dynamically."""
    words: list[Mention] = field(default_factory=list)
    """Likewise; and each only inside the file's own package."""
    exported: list[Mention] = field(default_factory=list)
    scanned: list[str] = field(default_factory=list)
    """What stands before `.__path__`."""
    walked: list[Mention] = field(default_factory=list)
    """Names of packages given to something that walks them."""
    imports_at: list[int] = field(default_factory=list)
    """Lines that import dynamically, or look for what to import."""
    imports_dynamically: bool = False
    scans: bool = False
    lists: bool = False
    walks_unknown: bool = False
    """Whether something walks a package that is named elsewhere."""
    seeks_python_files: bool = False
    knows_its_place: bool = False
    walks_itself: bool = False
    """Whether it speaks of its own `__path__`."""
    is_lazy: bool = False
    changes_path: bool = False
    """Whether it touches `sys.path`: what it imports may lie anywhere in the repository."""

    def mentions(self, concerned: Container[int]) -> tuple[Mention, ...]:
        """Everything that counts; of loose words and patterns, those on concerned lines."""
        words = [each for each in self.words if each.line in concerned]
        found = [*self.direct, *self.exported, *self.walked]
        if self.imports_dynamically or self.is_lazy:
            found += [each for each in self.patterns if each.line in concerned] + words
        lists_modules = self.lists and self.seeks_python_files and self.imports_dynamically
        if self.scans or lists_modules:
            found += self._folders(words)
        if self.walks_unknown:
            named = (each for each in self.direct if each.kind is not MentionKind.FILE)
            found += [
                Mention(MentionKind.FOLDER, each.text)
                for each in named
                if "." in each.text and each.line in concerned
            ]
        return tuple(dict.fromkeys(found))

    def _folders(self, words: list[Mention]) -> list[Mention]:
        folders = [Mention(MentionKind.FOLDER, name) for name in self.scanned]
        if self.knows_its_place:
            folders += [
                Mention(MentionKind.FOLDER, "./" + word.text)
                for word in words
                if not word.text.startswith(".")
            ]
        if self.walks_itself:
            folders.append(Mention(MentionKind.FOLDER, "."))
        elif self.knows_its_place:
            folders.append(Mention(MentionKind.BESIDE, "."))
        return folders
