"""Constants worth trying as inputs: what code compares with, looks up and was shown with.

The name of a parameter says something about its values, too; the words are in `values/roles.toml`.
"""

import ast
import doctest
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.resources import files

from reverie.errors import UsageError
from reverie.inputs.scope import parse
from reverie.syntax.unparsing import unparse

_MOST_EACH = 64
_LONGEST_TEXT = 200


@dataclass(frozen=True, slots=True)
class Literals:
    """Constants by kind, in the order in which they were met, each once."""

    integers: tuple[int, ...] = ()
    floats: tuple[float, ...] = ()
    texts: tuple[str, ...] = ()
    blobs: tuple[bytes, ...] = ()

    @classmethod
    def of(cls, *sources: str) -> "Literals":
        """The constants in pieces of source: whole modules, or the literals of an index."""
        return cls.from_nodes(each for source in sources for each in _trees(source))

    @classmethod
    def from_nodes(cls, nodes: Iterable[ast.AST]) -> "Literals":
        """The constants in syntax trees, docstrings left out."""
        found = list(_constants(nodes))
        return cls(
            tuple(_once(each for each in found if type(each) is int)),
            tuple(_once(each for each in found if type(each) is float)),
            tuple(_once(each for each in found if type(each) is str)),
            tuple(_once(each for each in found if type(each) is bytes)),
        )

    def __add__(self, other: "Literals") -> "Literals":
        return Literals(
            tuple(_once((*self.integers, *other.integers))),
            tuple(_once((*self.floats, *other.floats))),
            tuple(_once((*self.texts, *other.texts))),
            tuple(_once((*self.blobs, *other.blobs))),
        )

    def sources(self) -> tuple[str, ...]:
        """All of them as source."""
        every = (*self.integers, *self.floats, *self.texts, *self.blobs)
        return tuple(ascii(each) for each in every)


def _trees(source: str) -> Iterator[ast.AST]:
    """The tree of a source; `name=value` is a keyword argument, what does not parse is nothing."""
    try:
        yield parse(source)
    except UsageError:
        return


def _once(values: "Iterable[object]") -> list:  # type: ignore[type-arg]
    return list(dict.fromkeys(values))[:_MOST_EACH]


def _constants(nodes: Iterable[ast.AST]) -> Iterator[object]:
    for node in nodes:
        ignored = {id(each) for each in _not_data(node)}
        for each in ast.walk(node):
            is_data = isinstance(each, ast.Constant) and id(each) not in ignored
            if is_data and _is_worth_trying(each.value):  # type: ignore[attr-defined]
                yield each.value  # type: ignore[attr-defined]
            if isinstance(each, ast.UnaryOp) and isinstance(each.op, ast.USub):
                operand = each.operand
                if isinstance(operand, ast.Constant) and type(operand.value) in (int, float):
                    yield -operand.value  # type: ignore[operator]


def _is_worth_trying(value: object) -> bool:
    if isinstance(value, str | bytes):
        return len(value) <= _LONGEST_TEXT
    return isinstance(value, int | float) and not isinstance(value, bool)


def _not_data(node: ast.AST) -> Iterator[ast.AST]:
    """Strings that stand alone, annotations, messages of errors, pieces of formatted text."""
    for each in ast.walk(node):
        if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant):
            yield each.value
        if isinstance(each, ast.Raise | ast.JoinedStr):
            yield from ast.walk(each)
        for written in (getattr(each, "annotation", None), getattr(each, "returns", None)):
            if isinstance(written, ast.expr):
                yield from ast.walk(written)


def doctest_trees(docstring: str | None) -> Iterator[ast.AST]:
    """The statements of a docstring's examples."""
    if not docstring or ">>>" not in docstring:
        return
    try:
        examples = doctest.DocTestParser().get_examples(docstring)
    except ValueError:
        return
    for example in examples:
        yield from _trees(example.source)


def example_calls(docstring: str | None, name: str) -> Iterator[ast.Call]:
    """Calls of `name` with literal arguments in the examples of a docstring."""
    for tree in doctest_trees(docstring):
        calls = (each for each in ast.walk(tree) if isinstance(each, ast.Call))
        named = (each for each in calls if unparse(each.func).rpartition(".")[2] == name)
        yield from (each for each in named if all(map(is_literal, arguments_of(each))))


def arguments_of(call: ast.Call) -> list[ast.expr]:
    """The arguments of a call, by position and by name."""
    return [*call.args, *(each.value for each in call.keywords)]


def is_literal(node: ast.expr) -> bool:
    """Whether an expression is made of constants alone."""
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


_WORDS = tomllib.loads(files("reverie.inputs.values").joinpath("roles.toml").read_text("utf-8"))
_TEXTS: dict[str, tuple[str, ...]] = {name: tuple(each) for name, each in _WORDS["texts"].items()}
_RANGES: dict[str, tuple[int, int]] = {name: tuple(each) for name, each in _WORDS["ranges"].items()}
_COUNTS = frozenset(_WORDS["counts"]["names"])
_TYPES: dict[str, str] = {
    **dict.fromkeys(_COUNTS, "int"),
    **dict.fromkeys(_TEXTS, "str"),
    **{name: kind for kind, names in _WORDS["types"].items() for name in names},
}
_CHARACTERS: dict[str, list[str]] = _WORDS["characters"]
_PREFIXES: dict[str, str] = _WORDS["prefixes"]
_SMALL = (0, 9)


def texts_for(name: str) -> tuple[str, ...]:
    """Texts that fit a parameter of this name; none when the name says nothing."""
    return next((_TEXTS[word] for word in _words(name) if word in _TEXTS), ())


def catalogue_texts() -> frozenset[str]:
    """Every text that fits some parameter by its name."""
    return frozenset(text for several in _TEXTS.values() for text in several)


def characters_for(name: str) -> tuple[str, ...]:
    """The values of a parameter that must be a single character; none for all others."""
    return tuple(_CHARACTERS["options"]) if name in _CHARACTERS["names"] else ()


def range_for(name: str) -> tuple[int, int] | None:
    """Whole numbers that fit a parameter of this name."""
    words = _words(name)
    exact = next((_RANGES[word] for word in words if word in _RANGES), None)
    return exact or (_SMALL if any(word in _COUNTS for word in words) else None)


def type_for(name: str) -> str | None:
    """The type that a parameter of this name most often has."""
    for prefix, kind in _PREFIXES.items():
        if name.startswith(prefix):
            return kind
    return next((_TYPES[word] for word in _words(name) if word in _TYPES), None)


def _words(name: str) -> list[str]:
    """The whole name, then its words from the last: the noun stands there."""
    lowered = name.lower().strip("_").rstrip("0123456789") or name
    parts = lowered.split("_")
    singular = [part[:-1] for part in reversed(parts) if part.endswith("s")]
    return [lowered, *reversed(parts), *singular]
