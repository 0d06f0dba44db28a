"""One edit away from an expression that works: values that somebody might as well have given."""

import ast
import copy
import unicodedata
from collections.abc import Iterator
from typing import Any

from .use import called

EMPTY, OTHER, SPELLED, EQUAL, NORMAL, BRINK = (
    "empty",
    "other",
    "spelled",
    "equal",
    "normal",
    "brink",
)
"""Kinds of edits: to nothing, to another value of the type, a number as text, an equal number,
all texts in another normal form, one less than where a larger unit begins."""
_LARGEST, _LONGEST = 10**6, 300
_BEYOND = 10**110
_MOST_PLACES = 14
_UNIT = 300
_ACCENTED = {"a": "ä", "e": "é", "o": "ö", "n": "ñ", "i": "й"}


class Edit:
    """An expression with one literal replaced."""

    __slots__ = ("kind", "made", "next_source", "place", "source", "was")

    def __init__(
        self,
        kind: str,
        place: "int | None",
        source: "list[str]",
        was: Any,
        made: Any = None,
        next_source: "list[str] | None" = None,
    ) -> None:
        self.kind = kind
        self.place = place
        """Which argument of what is asked is edited, where it is one as a whole."""
        self.source = source
        """All statements, what is asked last."""
        self.was = was
        self.made = made
        self.next_source = next_source or source
        """With one more in the place."""


def edits_of(lines: "list[str]", asked: str) -> "Iterator[Edit]":
    """All of them, the places from the end to the beginning in turn."""
    source = "\n".join([*lines, asked])
    yield from _normalised(source)
    count = len(_literals(ast.parse(source)))
    for number in range(max(0, count - _MOST_PLACES), count):
        node = _literals(ast.parse(source))[number]
        for kind, made in _others(node):
            text = _replaced(source, number, made)
            value = value_of(made)
            more = None
            if kind == BRINK:
                more = _replaced(source, number, ast.Constant(type(value)(int(value) + 1)))
            place = _place_of(source, number)
            yield Edit(kind, place, text, value_of(node), value, more)


def _normalised(source: str) -> "Iterator[Edit]":
    """All texts at once: a text and a table of its letters are written alike."""
    for form in ("NFD", "NFC"):
        tree = ast.parse(source)
        texts = [
            each
            for each in ast.walk(tree)
            if isinstance(each, ast.Constant) and type(each.value) is str
        ]
        for each in texts:
            each.value = unicodedata.normalize(form, str(each.value))
        made = [ast.unparse(each) for each in tree.body]
        if made != [ast.unparse(each) for each in ast.parse(source).body]:
            yield Edit(NORMAL, None, made, "")


def _place_of(source: str, number: int) -> "int | None":
    tree = ast.parse(source)
    node, last = _literals(tree)[number], tree.body[-1]
    call = called(last.value) if isinstance(last, ast.Expr) else None
    args = call.args if isinstance(call, ast.Call) else []
    return next((place for place, each in enumerate(args) if each is node), None)


def value_of(node: ast.expr) -> Any:
    """What a literal stands for; None for one with something else in it."""
    try:
        return ast.literal_eval(node)
    except ValueError:
        return None


def _replaced(source: str, number: int, made: ast.expr) -> "list[str]":
    tree = ast.parse(source)
    old = _literals(tree)[number]
    changed = _Replacing(old, made).visit(tree)
    return [ast.unparse(each) for each in ast.fix_missing_locations(changed).body]


class _Replacing(ast.NodeTransformer):
    def __init__(self, old: ast.expr, made: ast.expr) -> None:
        self._old = old
        self._made = made

    def visit(self, node: ast.AST) -> Any:
        return copy.deepcopy(self._made) if node is self._old else super().visit(node)


def _literals(tree: ast.AST) -> "list[ast.expr]":
    """Constants and displays that are handed over, with the sign of a number."""
    found: list[ast.expr] = []

    def visit(node: ast.AST) -> None:
        if isinstance(
            node, (ast.JoinedStr, ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
        ):
            return
        if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
            found.append(node)
            return
        if isinstance(node, ast.BinOp):
            return  # a part of a number is none
        if isinstance(node, ast.Subscript):
            visit(node.value)
            return  # a place is asked for by who knows what is there
        is_bound = isinstance(getattr(node, "ctx", None), ast.Store)
        if (
            isinstance(node, (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set))
            and not is_bound
        ):
            found.append(node)
        for each in ast.iter_child_nodes(node):
            visit(each)

    visit(tree)
    return found


def _others(node: ast.expr) -> "Iterator[tuple[str, ast.expr]]":
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        yield from _other_displays(node)
        return
    if isinstance(node, ast.Dict):
        if node.keys:
            yield EMPTY, ast.Dict([], [])
        return
    value = ast.literal_eval(node)
    for kind, made in _other_values(value):
        yield kind, ast.parse(repr(made), mode="eval").body


def _other_displays(node: Any) -> "Iterator[tuple[str, ast.expr]]":
    def with_items(items: "list[ast.expr]") -> ast.expr:
        made: ast.List = copy.copy(node)
        made.elts = items
        return made

    if not node.elts:
        return
    if not isinstance(node, ast.Set):
        yield EMPTY, with_items([])
    if len(node.elts) > 1:
        yield OTHER, with_items(node.elts[:1])
        yield OTHER, with_items(node.elts[::-1])
    if not isinstance(node, ast.Set):
        yield OTHER, with_items([node.elts[0], *node.elts])


def _other_values(value: Any) -> "Iterator[tuple[str, Any]]":
    if type(value) is str and len(value) <= _LONGEST:
        yield from _other_texts(value)
    elif type(value) is int and abs(value) <= _LARGEST:
        yield EQUAL, float(value)
        yield SPELLED, str(value)
        for each in (0, 1, value + 1, value - 1, value * 2, value * 10):
            if each != value and not (each < 0 <= value):
                yield OTHER, each
        if value > 0:
            yield OTHER, -value
        if value > _UNIT:
            yield from ((BRINK, base**power - 1) for base in (1000, 1024) for power in (1, 2, 3))
    elif type(value) is int and abs(value) <= _BEYOND:
        yield from ((OTHER, each) for each in (value * 10, value * 1000, value // 10))
    elif type(value) is float and abs(value) <= _LARGEST:
        if value == int(value):
            yield EQUAL, int(value)
        yield SPELLED, str(value)
        for number in (0.0, 1.0, value / 2, value * 10, -value):
            if number != value:
                yield OTHER, number


def _other_texts(text: str) -> "Iterator[tuple[str, str]]":
    if not text:
        return
    yield EMPTY, ""
    if text.isascii() and text.removeprefix("-").isdigit():
        for kind, each in _other_values(int(text)):
            if kind in (OTHER, BRINK):
                yield kind, str(each)
        return
    for each in dict.fromkeys((
        text.upper(), text.lower(), text[:1], text[:-1], text[1:], text + " ",
        " " + text, text + "\n", text * 2, "가" + text[1:], text + "\u0301",
    )):  # fmt: skip
        if each != text:
            yield OTHER, each
    accented = "".join(
        {"a": "ä", "e": "é", "o": "ö", "n": "ñ", "i": "й"}.get(each, each) for each in text
    )
    if accented != text:
        yield OTHER, accented
