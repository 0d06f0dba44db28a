"""A refactoring: one pattern that is hard to read, what becomes of it, and an example."""

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from reverie.dreamers.rewriting.scene import Function, Scene
from reverie.dreamers.rewriting.source import Edits, Source
from reverie.gates.production.unused import may_be_named, words_in

_USUAL_WIDTH = 88
_MOST_WIDTH = 120


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The words of all other files: what is named there is not for one file to take away."""

    words: frozenset[str] = frozenset()

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Elsewhere":
        """Of the texts of files."""
        return cls(frozenset(word for text in texts for word in words_in(text)))


class Place(Scene):
    """A function in its module, and the module among the other files."""

    def __init__(
        self, source: Source, function: Function, qualname: str, elsewhere: Elsewhere
    ) -> None:
        super().__init__(source, function)
        self.qualname = qualname
        self.elsewhere = elsewhere

    @property
    def is_method(self) -> bool:
        """Whether it stands in a class."""
        return "." in self.qualname

    @cached_property
    def owner(self) -> ast.ClassDef | None:
        """The class that it stands in."""
        return _owners(self.source.tree).get(self.function)

    @cached_property
    def words(self) -> Counter[str]:
        """How often every word stands in the file, comments and strings included."""
        return Counter(words_in(self.source.text))

    @cached_property
    def width(self) -> int:
        """How long a line may be here: as long as the file's own, within reason."""
        longest = max((len(line) for line in self.source.text.splitlines()), default=0)
        return min(max(longest, _USUAL_WIDTH), _MOST_WIDTH)

    @cached_property
    def step(self) -> str:
        """What the file indents by."""
        first = self.function.body[0]
        inner, outer = self.source.indent_of(first), self.source.indent_of(self.function)
        return inner.removeprefix(outer) or "    "

    def is_known_elsewhere(self, name: str) -> bool:
        """Whether another file names it, or composes names that it could be."""
        others = self.words.keys() - {name}
        return may_be_named(name, self.elsewhere.words | others)


@lru_cache(maxsize=4)
def _owners(tree: ast.Module) -> dict[ast.stmt, ast.ClassDef]:
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    return {statement: node for node in classes for statement in node.body}


@dataclass(frozen=True, slots=True)
class Refactoring:
    """One pattern. `propose` yields a change for every place where it makes code clearer."""

    name: str
    summary: str
    """What becomes of what, in the words of a commit; `{name}` stands for the function."""
    precondition: str
    propose: Callable[[Place], Iterator[Edits]]
    before: str
    after: str

    def title(self, name: str) -> str:
        """The subject of a commit about one function."""
        if "{name}" in self.summary:
            return self.summary.format(name=name)
        return f"{self.summary} in {name}"
