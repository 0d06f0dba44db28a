"""Files of rewrites: a table for each, with what is looked for and what takes its place.

    [flattened_lists]
    summary = "Chain lists instead of adding them up"
    precondition = "a list of lists"
    growth = "n² → n"
    before = "sum($lists, [])"
    after = "list(chain.from_iterable($lists))"
    where = "held(lists, 'list')"
    imports = "itertools.chain"
    example.before = "…"
    example.after = "…"

docs/internal/rewrite_language.md says what every key means. In a `where` clause,
`list_like(xs) and not mentions(test, flag)` asks the question `list_like` about what `$xs` stands
for. A text is handed on as it is written. Nothing else of Python is understood, so that a file of
rewrites can be read by anybody and does nothing by itself.
"""

import ast
import re
import textwrap
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from typing import Any

from reverie.errors import UsageError
from reverie.syntax.matching import Bound, Pattern
from reverie.syntax.parsing import parse_expression
from reverie.syntax.unparsing import unparse

Question = Callable[..., object]
Questions = Mapping[str, Question]


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition as it is written."""

    text: str

    def answer(self, questions: Questions, asker: object, values: Mapping[str, Bound]) -> object:
        """What the questions say; `asker` is handed to each of them first."""
        return _answer(_tree(self.text), questions, asker, values)

    def names(self) -> tuple[frozenset[str], frozenset[str]]:
        """The questions that are asked, and the holes that they are about."""
        calls = [node for node in ast.walk(_tree(self.text)) if isinstance(node, ast.Call)]
        asked = {node.func.id for node in calls if isinstance(node.func, ast.Name)}
        return frozenset(asked), frozenset(_holes(_tree(self.text)))


@lru_cache(maxsize=2048)
def _tree(text: str) -> ast.expr:
    try:
        return parse_expression(text.strip())
    except SyntaxError as error:
        raise UsageError(f"no condition: {text!r}") from error


def _holes(node: ast.expr) -> Iterator[str]:
    called = [each.func for each in ast.walk(node) if isinstance(each, ast.Call)]
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and each not in called:
            yield each.id


def _answer(
    node: ast.expr, questions: Questions, asker: object, values: Mapping[str, Bound]
) -> object:
    match node:
        case ast.BoolOp(op=ast.And(), values=parts):
            return all(_answer(each, questions, asker, values) for each in parts)
        case ast.BoolOp(values=parts):
            return any(_answer(each, questions, asker, values) for each in parts)
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return not _answer(inner, questions, asker, values)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in questions:
            return questions[name](
                asker, *(_answer(each, questions, asker, values) for each in args)
            )
        case ast.Name(id=name) if name in values:
            return values[name]
        case ast.Constant(value=value):
            return value
    raise UsageError(f"no question or hole: {unparse(node)!r}")


_PAIR_KEYS = frozenset(
    {"before", "after", "where", "let", "fresh", "imports", "above", "at", "below", "choose",
     "uses", "of", "nested", "needed"}
)  # fmt: skip
KEYS = _PAIR_KEYS | {
    "summary", "precondition", "growth", "enabling", "minor", "pair", "code", "example", "silent",
    "stage",
}  # fmt: skip
"""What a table may say of a rewrite."""


@dataclass(frozen=True, slots=True)
class Pair:
    """What is looked for, and what takes its place where the conditions hold."""

    pattern: Pattern
    after: str | None
    """None where what was found stays as it is, and only something is put beside it."""
    where: tuple[Condition, ...] = ()
    let: tuple[tuple[str, Condition], ...] = ()
    """Holes that are worked out; where one has no answer, the pair does not fit."""
    fresh: tuple[tuple[str, str], ...] = ()
    """Holes for names that the module does not have yet, and what they would be called."""
    imports: frozenset[tuple[str, str]] = frozenset()
    above: tuple[tuple[str, Condition], ...] = ()
    """Lines, and the question whose answer is the statement that they are put in front of."""
    below: str = ""
    """Lines that are put behind the statement that was found."""
    of: str | None = None
    """The hole whose other uses have to be among `uses`."""
    uses: tuple["Pair", ...] = ()
    needed: int | None = None
    """Among `uses`: the number of those of which there has to be one."""
    is_nested: bool = False
    """Whether statements of functions inside the function are looked at, too."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A rewrite as its file says it."""

    name: str
    summary: str
    precondition: str
    before: str
    """The example, before and after."""
    after: str
    pairs: tuple[Pair, ...] = ()
    code: str | None = None
    """The module whose function of the same name proposes, where no pair can say it."""
    stage: str = "speed"
    """`speed` or `refactoring`."""
    growth: str | None = None
    is_enabling: bool = False
    is_minor: bool = False
    silent: tuple[str, ...] = field(default_factory=tuple)
    """Sources about which it has nothing to say."""


def read_entries(text: str, origin: str) -> list[Entry]:
    """The rewrites of one file, in their order; `origin` names it in errors."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{origin}: {error}") from error
    shared = tables.pop("choices", {})
    return [_entry(name, table, shared, f"{origin}: {name}") for name, table in tables.items()]


def _entry(name: str, table: Any, shared: Mapping[str, Any], origin: str) -> Entry:
    if not isinstance(table, dict):
        raise UsageError(f"{origin}: a rewrite is a table, not {table!r}")
    unknown = sorted(table.keys() - KEYS)
    if unknown:
        raise UsageError(f"{origin}: unknown key {unknown[0]!r}")
    example = table.get("example", {})
    try:
        pairs = table.get("pair", [table] if "before" in table else [])
        common = {key: table[key] for key in _PAIR_KEYS & table.keys()} if "pair" in table else {}
        entry = Entry(
            name=name,
            summary=table["summary"],
            precondition=table["precondition"],
            before=example["before"],
            after=example["after"],
            pairs=tuple(pair for each in pairs for pair in _pairs(_joined(common, each), shared)),
            code=table.get("code"),
            stage=table.get("stage", "speed"),
            growth=table.get("growth"),
            is_enabling=table.get("enabling", False),
            is_minor=table.get("minor", False),
            silent=tuple(_listed(table.get("silent", []))),
        )
    except KeyError as error:
        raise UsageError(f"{origin}: {error.args[0]!r} is missing") from error
    except SyntaxError as error:
        raise UsageError(f"{origin}: no Python with holes: {error.text!r}") from error
    if bool(entry.pairs) == bool(entry.code):
        raise UsageError(f"{origin}: either a pair or `code` says what it does")
    return entry


def _joined(common: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """A pair with what all pairs of its rewrite have; conditions of both have to hold."""
    where = [*_listed(common.get("where", [])), *_listed(own.get("where", []))]
    return {**common, **own, "where": where}


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _pairs(table: Mapping[str, Any], shared: Mapping[str, Any]) -> Iterator[Pair]:
    """A pair for each way to write what is looked for, and for each choice."""
    given = table.get("choose", [{}])
    rows = [given] if isinstance(given[0], dict) else given
    rows = [shared[row] if isinstance(row, str) else row for row in rows]
    for several in product(*rows):
        choice = {word: text for each in several for word, text in each.items()}
        for before in _listed(table["before"]):
            rest = {key: table[key] for key in _PAIR_KEYS & table.keys() if key != "choose"}
            whole = {**rest, "before": before}
            yield _pair(_chosen(whole, choice) if choice else whole, shared)


def _chosen(value: Any, choice: Mapping[str, str]) -> Any:
    """Everything with the words of a choice in their places: `$SIGN`."""
    if isinstance(value, dict):
        return {key: _chosen(each, choice) for key, each in value.items()}
    if isinstance(value, list):
        return [_chosen(each, choice) for each in value]
    if isinstance(value, str) and "$" in value:
        for word, text in choice.items():
            if f"${word}\n" in value:
                for margin in re.findall(rf"^( *)\${word}$", value, re.MULTILINE):
                    indented = textwrap.indent(text, margin)
                    value = value.replace(f"{margin}${word}\n", f"{indented}\n")
            value = value.replace(f"${{{word}}}", text).replace(f"${word}", text)
    return value


def _pair(table: Mapping[str, Any], shared: Mapping[str, Any]) -> Pair:
    pattern = Pattern(table["before"])
    if not pattern.wanted:
        raise KeyError("before")
    places = [Condition(each) for each in _listed(table.get("at", []))]
    imports = [each.rpartition(".") for each in _listed(table.get("imports", []))]
    return Pair(
        pattern=pattern,
        after=table.get("after"),
        where=tuple(Condition(each) for each in _listed(table.get("where", []))),
        let=tuple((name, Condition(each)) for name, each in table.get("let", {}).items()),
        fresh=tuple(table.get("fresh", {}).items()),
        imports=frozenset((module, name) for module, _, name in imports),
        above=tuple(zip(_listed(table.get("above", [])), places, strict=True)),
        below=table.get("below", ""),
        of=table.get("of"),
        uses=tuple(
            pair
            for at, each in enumerate(table.get("uses", []))
            for pair in _pairs({**each, "needed": at if each.get("needed") else None}, shared)
        ),
        needed=table.get("needed"),
        is_nested=table.get("nested", False),
    )
