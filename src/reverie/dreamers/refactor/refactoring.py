"""A refactoring: one pattern that is hard to read, what becomes of it; and moving whole lines."""

import ast
import io
import tokenize
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edits, Source
from reverie.gates.production.rewritten_files import may_be_named, words_in
from reverie.syntax.nodes import Function

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


EXITS = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def last_line(node: ast.stmt | ast.expr) -> int:
    """Where a node ends."""
    return node.end_lineno or node.lineno


def shifted(lines: Sequence[str], old: str, new: str) -> list[str] | None:
    """Lines with another indentation; None where that would change a text of several lines."""
    fixed = _within_texts(lines)
    if fixed is None:
        return None
    found = []
    for number, line in enumerate(lines):
        if number in fixed or not line.strip():
            found.append(line)
        elif line.startswith(old):
            found.append(new + line.removeprefix(old))
        elif line.lstrip().startswith("#"):
            found.append(new + line.lstrip())
        else:
            return None
    return found


def _within_texts(lines: Sequence[str]) -> set[int] | None:
    """Lines that begin inside of a text, from 0."""
    text = "if 1:\n" + "".join(lines)
    found: set[int] = set()
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if tokenize.tok_name[token.type] in ("STRING", "FSTRING_MIDDLE", "TSTRING_MIDDLE"):
                found |= set(range(token.start[0] - 1, token.end[0] - 1))
    except (tokenize.TokenError, SyntaxError):
        return None
    return found


def is_exit(body: Sequence[ast.stmt]) -> bool:
    """Whether nothing runs after a block."""
    last = body[-1]
    if isinstance(last, ast.If):
        return bool(last.orelse) and is_exit(last.body) and is_exit(last.orelse)
    return isinstance(last, EXITS)


def has_comment(place: Place, first: int, last: int) -> bool:
    """Whether a remark stands on some lines."""
    text = "".join(place.source.lines(first, last))
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return "#" in text
    return any(token.type == tokenize.COMMENT for token in tokens)


def is_alone(place: Place, statements: Iterable[ast.stmt]) -> bool:
    """Whether every statement has its lines to itself: no `a; b`, no `if c: a`."""
    for node in statements:
        start, end = place.source.span(node)
        line = place.source.lines(node.lineno, last_line(node))
        text = "".join(line)
        before = text.encode()[: start - place.source.line_of(node)].decode()
        after = text.encode()[end - place.source.line_of(node) :].decode()
        if before.strip() or (after.strip() and not after.lstrip().startswith("#")):
            return False
    return True


_OPPOSITES = {
    ast.Eq: "!=", ast.NotEq: "==", ast.Is: "is not", ast.IsNot: "is", ast.In: "not in",
    ast.NotIn: "in",
}  # fmt: skip
_ORDERS = {ast.Lt: ">=", ast.LtE: ">", ast.Gt: "<=", ast.GtE: "<"}


def negated(place: Place, test: ast.expr) -> str | None:
    """The opposite of a condition as a person would write it; None when that is no clearer."""
    source = place.source
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return source.of(operand)
        case ast.Compare(ops=[op], left=left, comparators=[right]) if type(op) in _OPPOSITES:
            return f"{source.of(left)} {_OPPOSITES[type(op)]} {source.of(right)}"
        case ast.Compare(ops=[op], left=left, comparators=[right]) if type(op) in _ORDERS:
            kinds = place.kind_of(left), place.kind_of(right)
            if not all(kind is not None and kind.is_whole_number for kind in kinds):
                return None  # of what cannot be ordered, NaN for one, both are false
            return f"{source.of(left)} {_ORDERS[type(op)]} {source.of(right)}"
        case ast.Name() | ast.Attribute() | ast.Call() | ast.Subscript():
            return f"not {source.of(test)}"
        case ast.BoolOp(op=op, values=[first, second]):
            parts = [negated(place, first), negated(place, second)]
            plain = all(isinstance(each, ast.Compare | ast.UnaryOp) for each in (first, second))
            if None in parts or not plain:
                return None
            joined = " or " if isinstance(op, ast.And) else " and "
            return joined.join(part for part in parts if part is not None)
    return None
