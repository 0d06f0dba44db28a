"""Values as the code spells them: do two expressions give the same one?

Nothing is run. What is spelled otherwise and certainly comes to the same is brought to one form:
constants are computed, copies of what is new anyway are left out, a regular expression is what it
matches (redundant escapes, groups and members make no other).
"""

import ast
import operator
import re
import warnings
from collections.abc import Callable, Mapping
from enum import IntEnum
from re import _constants as words  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

from reverie.gates.python import origin_of
from reverie.syntax.nodes import Function
from reverie.syntax.parsing import fresh_expression
from reverie.syntax.unparsing import unparse

_LONGEST = 2_000
"""Characters of a range that are looked at one by one."""
_CATEGORIES = {
    words.CATEGORY_DIGIT: r"\d", words.CATEGORY_SPACE: r"\s", words.CATEGORY_WORD: r"\w",
}  # fmt: skip


def meaning_of(pattern: str | bytes, flags: int = 0) -> object | None:
    """What a pattern matches and which groups it has; None for what is no pattern.

    Patterns with one meaning match the same; that two differ here does not show that they do not.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parsed = parser.parse(pattern, flags)
    except (re.error, OverflowError, RecursionError, ValueError, TypeError):
        return None
    state = parsed.state
    names = tuple(sorted(state.groupdict.items()))
    return (
        type(pattern),
        state.flags & ~re.VERBOSE,
        state.groups,
        names,
        _plain(parsed, state.flags),
    )


def _plain(node: Any, flags: int) -> object:
    """The parts of a parsed pattern as values that compare by what they say."""
    if isinstance(node, parser.SubPattern):
        return tuple(_plain(each, flags) for each in node.data)
    if isinstance(node, tuple) and node and node[0] is words.IN:
        return words.IN, _members(node[1], flags)
    if isinstance(node, tuple | list):
        return tuple(_plain(each, flags) for each in node)
    return node


def _members(items: list[Any], flags: int) -> object:
    """A set of characters without those that another member has."""
    kinds = {value for op, value in items if op is words.CATEGORY}
    known = [re.compile(_CATEGORIES[e], flags & re.ASCII) for e in kinds if e in _CATEGORIES]
    if words.CATEGORY_WORD in kinds:
        kinds.discard(words.CATEGORY_DIGIT)
    characters: set[object] = set()
    for op, value in items:
        if op is words.LITERAL:
            characters.add(value)
        elif op is words.RANGE and value[1] - value[0] < _LONGEST:
            characters.update(range(value[0], value[1] + 1))
        elif op is not words.CATEGORY:
            characters.add((op, value))
    left = {e for e in characters if not (isinstance(e, int) and _is_matched(chr(e), known))}
    return tuple(sorted(kinds)), tuple(sorted(left, key=repr))


def _is_matched(character: str, known: list[re.Pattern[str]]) -> bool:
    return any(each.match(character) for each in known)


_MOST = 10_000
"""Characters, digits or items that a computed constant may have."""
_OPERATIONS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv, ast.Div: operator.truediv, ast.BitOr: operator.or_,
}  # fmt: skip
_GOES_THROUGH = frozenset({"list", "tuple", "set", "frozenset", "sorted", "dict"})
"""Builtins that take all out of what they are given, and keep nothing of it."""
_NUMBERS = frozenset({"int", "float"})


class Likeness(IntEnum):
    """How two spellings of a value compare."""

    SAME = 0
    SAME_PATTERN = 1
    """Other text, which means the same wherever it is read as a regular expression."""
    UNKNOWN = 2
    """Not spelled the same, and not to be told without running it."""
    OTHER = 3


class Spelling:
    """The expressions of one module: its imports, and which builtins it hides."""

    def __init__(self, tree: ast.Module, names: Mapping[str, str]) -> None:
        self._names = dict(names)
        self._hidden = frozenset(
            each.id
            for each in ast.walk(tree)
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
        ) | frozenset(
            each.name for each in ast.walk(tree) if isinstance(each, Function | ast.ClassDef)
        )

    def plain(self, node: ast.expr, by_meaning: bool = False) -> ast.expr:
        """One form for all spellings of a value; by meaning, texts are what they match."""
        fresh = fresh_expression(unparse(node))
        found: ast.expr = _Plain(self, by_meaning).visit(fresh)
        return found

    def builtin(self, node: ast.expr) -> str:
        """The name of a builtin, where nothing here hides it."""
        name = node.id if isinstance(node, ast.Name) else ""
        return "" if name in self._hidden or name in self._names else name

    def origin(self, node: ast.expr) -> str:
        """What a dotted name stands for."""
        return origin_of(node, self._names)


def likeness(
    before: ast.expr | None, after: ast.expr | None, old: Spelling, new: Spelling
) -> Likeness:
    """Of the value of a name before and after a change."""
    if before is None or after is None:
        return Likeness.SAME if before is after else Likeness.OTHER
    plain = old.plain(before), new.plain(after)
    first, second = map(ast.dump, plain)
    if first == second:
        return Likeness.SAME
    if ast.dump(old.plain(before, True)) == ast.dump(new.plain(after, True)):
        return Likeness.SAME_PATTERN
    return Likeness.OTHER if all(map(_is_literal, plain)) else Likeness.UNKNOWN


def _is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError):
        return False
    return True


class _Plain(ast.NodeTransformer):
    """Brings an expression to its plain form, from the inside out."""

    def __init__(self, spelling: Spelling, by_meaning: bool) -> None:
        self._spelling = spelling
        self._by_meaning = by_meaning

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        node.kind = None
        if self._by_meaning and isinstance(node.value, str | bytes):
            meaning = meaning_of(node.value)
            return node if meaning is None else ast.Constant(f"matches {meaning!r}")
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        match node.left, node.right:
            case ast.Constant(value=left), ast.Constant(value=right):
                return _computed(type(node.op), left, right) or node
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if self._spelling.origin(node.func) == "re.compile":
            return self._pattern(node) or node
        self.generic_visit(node)
        name = self._spelling.builtin(node.func)
        if name in _GOES_THROUGH:
            node.args = [self._uncopied(each) for each in node.args]
        if name == "dict" and not node.args and all(each.arg for each in node.keywords):
            keys: list[ast.expr | None] = [ast.Constant(each.arg) for each in node.keywords]
            return ast.Dict(keys=keys, values=[each.value for each in node.keywords])
        if name == "list" and not node.keywords and self._is_sorted(node.args):
            return node.args[0]
        if name and not node.keywords:
            return _made(name, node.args) or node
        return self._joined(node) or node

    def _is_sorted(self, given: list[ast.expr]) -> bool:
        match given:
            case [ast.Call(func=called)]:
                return self._spelling.builtin(called) == "sorted"
        return False

    def _uncopied(self, node: ast.expr) -> ast.expr:
        """What a builtin that goes through everything gets all the same without a copy."""
        match node:
            case ast.Call(func=ast.Name(id="list" | "tuple"), args=[inner], keywords=[]) if (
                self._spelling.builtin(node.func)
            ):
                return inner
            case ast.ListComp(elt=element, generators=generators):
                return ast.GeneratorExp(elt=element, generators=generators)
            case ast.List(elts=items):
                return ast.Tuple(elts=items, ctx=ast.Load())
        return node

    def _joined(self, node: ast.Call) -> ast.expr | None:
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Constant(value=str(between)), attr="join"),
                args=[ast.List(elts=parts) | ast.Tuple(elts=parts)],
                keywords=[],
            ):
                texts = [e.value for e in parts if isinstance(e, ast.Constant)]
                words = [each for each in texts if isinstance(each, str)]
                return ast.Constant(between.join(words)) if len(words) == len(parts) else None
        return None

    def _pattern(self, node: ast.Call) -> ast.expr | None:
        """A compiled pattern by what it matches; it says how it is written only in `.pattern`."""
        plain = [_Plain(self._spelling, False).visit(each) for each in node.args]
        flags = 0
        for each in (*plain[1:], *(e.value for e in node.keywords if e.arg == "flags")):
            found = self._flags(each)
            if found is None:
                return None
            flags |= found
        text = plain[0].value if plain and isinstance(plain[0], ast.Constant) else None
        if not isinstance(text, str | bytes) or len(plain) + len(node.keywords) > 2:
            return None
        meaning = meaning_of(text, flags)
        # No literal: that two differ here does not show that they match otherwise.
        return None if meaning is None else ast.Name(f"a pattern for {meaning!r}", ctx=ast.Load())

    def _flags(self, node: ast.expr) -> int | None:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            left, right = self._flags(node.left), self._flags(node.right)
            return None if left is None or right is None else left | right
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return node.value
        found = getattr(re.RegexFlag, self._spelling.origin(node).removeprefix("re."), None)
        return int(found) if isinstance(found, re.RegexFlag) else None


def _made(name: str, given: list[ast.expr]) -> ast.expr | None:
    """What a builtin makes of its arguments, where a display or comprehension says the same."""
    match name, given:
        case ("list", []):
            return ast.List(elts=[], ctx=ast.Load())
        case ("tuple", []):
            return ast.Tuple(elts=[], ctx=ast.Load())
        case ("list", [ast.Tuple(elts=items)]):
            return ast.List(elts=items, ctx=ast.Load())
        case ("tuple", [ast.Tuple() as inner]):
            return inner
        case ("list", [ast.GeneratorExp(elt=element, generators=generators)]):
            return ast.ListComp(elt=element, generators=generators)
        case ("set", [ast.GeneratorExp(elt=element, generators=generators)]):
            return ast.SetComp(elt=element, generators=generators)
        case ("set", [ast.Tuple(elts=[_, *_] as items)]):
            return ast.Set(elts=items)
        case (kind, [ast.Constant(value=int() | float() as value)]) if kind in _NUMBERS:
            try:
                return ast.Constant(int(value) if kind == "int" else float(value))
            except (ValueError, OverflowError):
                return None
    return None


def _computed(kind: type[ast.operator], left: object, right: object) -> ast.Constant | None:
    """The result of an operation on constants, unless it is large or raises."""
    operation = _OPERATIONS.get(kind)
    numbers = (int, float)
    is_text = isinstance(left, str | bytes) and kind is ast.Add
    if operation is None or not (is_text or (type(left) in numbers and type(right) in numbers)):
        return None
    try:
        found = operation(left, right)
    except (TypeError, ValueError, ArithmeticError):
        return None
    size = found.bit_length() if isinstance(found, int) else len(repr(found))
    return ast.Constant(found) if size < _MOST else None
