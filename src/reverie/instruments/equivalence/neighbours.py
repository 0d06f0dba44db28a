"""Neighbours of a call: arguments changed, taken over from another call, or echoing one another.

Small changes to an expression are made on its syntax; the types in it stay what they were.
"""

import ast
import contextlib
import copy
import math
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from reverie.instruments.equivalence.dates import dates_in, day_of, on_day
from reverie.instruments.equivalence.pools import Pools
from reverie.model.call import Call, Expression
from reverie.syntax.parsing import NOT_PYTHON, fresh_expression, parse_expression
from reverie.syntax.unparsing import unparse

_MOST_SOURCE = 1500
_MANY = 40
_LONGEST = 200
_COMPOSED = 0.35
"""How often a text is made of known words and separators instead of characters."""
_CHARACTERS = (
    "a", "b", "Z", "0", "9", " ", "  ", "\n", "\t", "-", "_", ".", ",", "/", ":", "=", '"', "'",
    "\u00df", "\u0130", "\u01c6", "\u00e9", "e\u0301", "\u2167", "\u00b2", "\u2028", "\x00",
    "\x1c", "\u00a0", "\U0001f600",
)  # fmt: skip
_INTEGERS = (
    0, 1, -1, 2, 3, 5, 7, 10, 16, 64, 99, 100, 101, 255, 256, 1000, 1 << 31, 10**12, 1 << 64,
)  # fmt: skip
_FLOATS = ("0.0", "-0.0", "1.0", "-1.0", "0.5", "0.1", "0.3", "2.5", "1e16", "1e-9", "1e308", "3.0")
_NUMBERS = (int, float)
_WHOLE = re.compile(r"-?\d{1,60}", re.ASCII)
_AS_NUMBER = 0.5
"""How often a text that is a whole number is changed as one."""
_MOST_DIGITS = 400
_OVERLAPPING = 0.3
"""How often, where one argument is a text and another a list of texts, these lie in it."""
_AS_DATE = 0.6
"""How often a number of days is made up by moving a date instead of one of its numbers."""
_SPECIAL_FLOATS = ("math.nan", "math.inf", "-math.inf")
"""`math.nan` is one object: a list can hold it twice."""


def in_indices(tree: ast.AST) -> set[int]:
    """Ids of the nodes that say which part of a value is meant: another one is another argument."""
    indices = [each.slice for each in ast.walk(tree) if isinstance(each, ast.Subscript)]
    return {id(node) for each in indices for node in ast.walk(each)}


class Changes:
    """Changes one place of an expression at a time."""

    def __init__(self, pools: Pools, chance: random.Random) -> None:
        self.pools = pools
        self.chance = chance

    def change(self, expression: Expression) -> Expression:
        """One change somewhere in an expression; the same expression when there is none to make."""
        try:
            tree = fresh_expression(expression.source)
        except (SyntaxError, ValueError, RecursionError):
            return expression
        negated = {id(each.operand) for each in ast.walk(tree) if isinstance(each, ast.UnaryOp)}
        negated |= {id(each.right) for each in ast.walk(tree) if isinstance(each, ast.BinOp)}
        negated |= in_indices(tree)
        places = [
            node for node in ast.walk(tree) if _is_changeable(node) and id(node) not in negated
        ]
        if not places:
            return expression
        chosen = self.chance.choice(places)
        changed = _Replace(chosen, self._changed).visit(tree)
        source = ascii_source(changed)
        if len(source) > _MOST_SOURCE:
            return expression
        modules = expression.modules | ({"math"} if "math." in source else set())
        return Expression(source, modules, expression.names, expression.definitions)

    def _changed(self, node: ast.AST) -> ast.expr:
        match node:
            case ast.Constant(value=bool() as flag):
                return ast.Constant(not flag)
            case ast.Constant(value=int() as whole):
                return self._whole(whole)
            case ast.Constant(value=float()) | ast.Attribute():
                return self._float(node)
            case ast.Constant(value=str() as text):
                return self._text(text)
            case ast.Constant(value=bytes() as data):
                changed = ast.literal_eval(self._text(data.decode("latin-1")))
                return ast.Constant(changed.encode("utf-8", "surrogatepass"))
            case ast.List(elts=items) | ast.Set(elts=items) | ast.Tuple(elts=items):
                return self._items(node, items)
            case ast.Dict():
                return self._mapping(node)
            case ast.Call() if (day := day_of(node)) is not None:
                return on_day(node, day + self._days())
            case ast.UnaryOp(operand=ast.Constant(value=int() as whole)):
                return self._whole(-whole)
            case ast.UnaryOp():
                return self._float(node.operand)
        return node  # type: ignore[return-value]

    def _whole(self, value: int) -> ast.expr:
        pooled = self.pools.draw(int)
        known = value if pooled is None else int(ast.literal_eval(pooled))
        beside = self.pools.draw(int)
        other = known if beside is None else int(ast.literal_eval(beside))
        step = self.chance.choice((-1, 0, 0, 1))
        options = (
            lambda: value + self.chance.choice((-1, 1)),
            lambda: known + step,
            lambda: known + step,
            lambda: self.chance.choice((known * 2, value + known, value - known, value * known)),
            # Just below a bound, where rounding reaches it; and a bound in units of another one.
            lambda: self.chance.choice((known - known // 1000, known * other)),
            lambda: -value,
            lambda: self.chance.choice(_INTEGERS),
            lambda: self.chance.randint(-20, 200),
            lambda: self.chance.randint(-(10 ** self.chance.randint(1, 9)), 10**6),
        )
        changed = self.chance.choice(options)()
        return ast.Constant(changed if abs(changed) < 1 << 400 else value)

    def _days(self) -> int:
        """From one date to another: a few days, or numbers of days that the versions know."""
        pooled = [self.pools.draw(int) for _ in range(self.chance.choice((0, 1, 1, 2)))]
        days = sum(int(ast.literal_eval(each)) for each in pooled if each is not None)
        return self.chance.choice((-1, 1)) * days + self.chance.choice((-1, 0, 0, 1, 30, 365))

    def _float(self, node: ast.AST) -> ast.expr:
        draw = self.chance.random()
        pooled = self.pools.draw(float)
        if draw < 0.25 and pooled is not None:
            return pooled
        if draw < 0.4:
            return _parsed(self.chance.choice(_SPECIAL_FLOATS))
        if draw < 0.7 or not isinstance(node, ast.Constant):
            return _parsed(self.chance.choice(_FLOATS))
        value = float(node.value)  # type: ignore[arg-type]
        return ast.Constant(
            self.chance.choice((-value, value + 1.0, value / 3, value * 10, value - 0.1))
        )

    def _text(self, text: str) -> ast.expr:
        if _WHOLE.fullmatch(text) and self.chance.random() < _AS_NUMBER:
            return ast.Constant(str(ast.literal_eval(self._whole(int(text)))))
        composed = self.pools.composed(text) if self.chance.random() < _COMPOSED else None
        if composed is not None:
            return ast.Constant(composed)
        place = self.chance.randint(0, len(text))
        piece = self.chance.choice(_CHARACTERS)
        pooled = self.pools.draw(str)
        known = piece if pooled is None else str(ast.literal_eval(pooled))
        options: tuple[Callable[[], str], ...] = (
            lambda: text[:place] + piece + text[place:],
            lambda: text + piece,
            lambda: text + "\n",
            lambda: piece + text,
            lambda: text[:place] + text[place + 1 :],
            lambda: text[:place],
            lambda: text[:place] + known + text[place:],
            lambda: known,
            lambda: text + known,
            lambda: self.chance.choice((text.upper(), text.swapcase(), text.title(), text.lower())),
            lambda: text + self.chance.choice((" ", ",", "/", "-", "")) + text,
            lambda: "".join(self.chance.choice(_CHARACTERS) for _ in range(place + 1)),
            lambda: "",
            lambda: self._resized(text or piece),
            lambda: text * self.chance.choice((2, 3, 40)),
        )
        return ast.Constant(self.chance.choice(options)())

    def _resized(self, items: Any) -> Any:
        """As many items as a number that the versions know."""
        pooled = self.pools.draw(int)
        wanted = 2 if pooled is None else int(ast.literal_eval(pooled))
        return (items * (wanted // len(items) + 1))[:wanted] if 0 < wanted <= _LONGEST else items

    def _items(self, node: ast.AST, items: list[ast.expr]) -> ast.expr:
        changed = [copy.deepcopy(each) for each in items]
        is_record = isinstance(node, ast.Tuple)
        draw = self.chance.random()
        if not changed or is_record:
            return self._inner(node, changed)
        place = self.chance.randrange(len(changed))
        if draw < 0.2:
            del changed[place]
        elif draw < 0.45:
            changed.insert(self.chance.randint(0, len(changed)), copy.deepcopy(changed[place]))
        elif draw < 0.6:
            changed.insert(place, self._related(changed[place]))
        elif draw < 0.7:
            self.chance.shuffle(changed)
        elif draw < 0.78:
            changed.reverse()
        elif draw < 0.82:
            changed = []
        elif draw < 0.9 and isinstance(node, ast.List):
            often = self.chance.choice((2, 2, 3, _MANY))
            if often == _MANY:
                return ast.BinOp(_rebuilt(node, changed), ast.Mult(), ast.Constant(often))
            changed *= often
        elif draw < 0.93:
            changed = self._resized(changed)
        else:
            return self._inner(node, changed)
        return _rebuilt(node, changed)

    def _related(self, item: ast.expr) -> ast.expr:
        """A changed copy; of a text perhaps one that overlaps with it."""
        match item:
            case ast.Constant(value=str() as text) if len(text) > 1 and self.chance.random() < 0.5:
                return ast.Constant(self.chance.choice((text[1:] + text[:1], text[1:], text[:-1])))
        return self._changed(copy.deepcopy(item))

    def _inner(self, node: ast.AST, items: list[ast.expr]) -> ast.expr:
        if items:
            place = self.chance.randrange(len(items))
            items[place] = self._changed(items[place])
        return _rebuilt(node, items)

    def _mapping(self, node: ast.Dict) -> ast.expr:
        pairs = [
            (copy.deepcopy(key), copy.deepcopy(value))
            for key, value in zip(node.keys, node.values, strict=True)
            if key is not None
        ]
        if not pairs:
            return node
        place = self.chance.randrange(len(pairs))
        key, value = pairs[place]
        draw = self.chance.random()
        if draw < 0.25:
            del pairs[place]
        elif draw < 0.5:
            pairs[place] = (key, self._changed(value))
        elif draw < 0.85:
            pairs.insert(place, (self._changed(copy.deepcopy(key)), value))
        else:
            pairs.reverse()
        return ast.Dict([key for key, _ in pairs], [value for _, value in pairs])


class _Replace(ast.NodeTransformer):
    def __init__(self, place: ast.AST, change: Callable[[ast.AST], ast.expr]) -> None:
        self.place = place
        self.change = change

    def visit(self, node: ast.AST) -> ast.AST:
        return self.change(node) if node is self.place else self.generic_visit(node)


def ascii_source(tree: ast.AST) -> str:
    """The source of an expression, in ASCII."""
    text = unparse(tree)
    if text.isascii():
        return text
    return "".join(each if ord(each) < 128 else _escaped(each) for each in text)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def _is_changeable(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return isinstance(node.value, ast.Name) and node.value.id == "math"
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int | float | str | bytes)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub)
    if isinstance(node, ast.Call):
        return day_of(node) is not None
    return isinstance(node, ast.List | ast.Tuple | ast.Set | ast.Dict)


def _parsed(source: str) -> ast.expr:
    return fresh_expression(source)


def _rebuilt(node: ast.AST, items: list[ast.expr]) -> ast.expr:
    if isinstance(node, ast.Tuple):
        return ast.Tuple(items, ast.Load())
    if isinstance(node, ast.Set):
        return ast.Set(items) if items else _parsed("set()")
    return ast.List(items, ast.Load())


_CASED = ("", "", "\u00df", "\u0130", "\u01c6", "\u00e9", "\ufb01", "\u03c2", "K", " ")
_POOLED = {"int": int, "str": str, "float": float, "bytes": bytes}


class Neighbours:
    """Makes neighbours of a call from pools of constants."""

    def __init__(self, pools: Pools, chance: random.Random) -> None:
        self.pools = pools
        self.chance = chance
        self.change = Changes(pools, chance).change

    def mutate(self, call: Call, others: Sequence[Call]) -> Call:
        """A neighbour: one to three changes, or arguments taken over from another call."""
        draw = self.chance.random()
        if draw < 0.15 and others:
            return self._cross(call, self.chance.choice(others))
        if draw < 0.25 and len(call.args) > 1:
            return self._echo(call)
        if draw < 0.4 and len(call.args) > 1:
            return self._weave(call)
        if draw < 0.55 and len(call.args) > 1:
            return self._change_all(call)
        for _ in range(self.chance.choice((1, 1, 1, 2, 2, 3))):
            call = self._change_one(call)
        return call

    def solve(self, call: Call, left: str, right: str) -> Call:
        """A place of the call moved so that what was compared as `left` might become `right`."""
        place = self.chance.randrange(len(call.args)) if call.args else 0
        try:
            tree = fresh_expression(call.args[place].source)
            one, other = ast.literal_eval(left), ast.literal_eval(right)
        except (IndexError, SyntaxError, ValueError, RecursionError, MemoryError):
            return self._change_one(call)
        sites = [
            (each, value, compared)
            for each, value in _literals(tree)
            if (compared := _as_compared(value, one, other)) is not None
        ]
        days = dates_in(tree) if type(one) is type(other) is int else []
        if not sites and not days:
            return self._change_one(call)
        if days and (not sites or self.chance.random() < _AS_DATE):
            date, day = self.chance.choice(days)
            by = (other - one + self.chance.choice((-1, 0, 0, 0, 1))) * self.chance.choice((-1, 1))
            return self._rewritten(call, place, date, ascii_source(on_day(date, day + by)))
        chosen, value, compared = self.chance.choice(sites)
        moved = _as_given(self._moved(compared, one, other), value)
        return self._rewritten(call, place, chosen, ascii(moved))

    def _rewritten(self, call: Call, place: int, node: ast.expr, text: str) -> Call:
        """A call with another text in one place of an argument."""
        source = call.args[place].source
        text = f"{source[: node.col_offset]}{text}{source[node.end_col_offset :]}"
        return _with_argument(call, place, call.args[place].replaced(text))

    def _moved(self, value: Any, left: Any, right: Any) -> Any:
        """The value with the same difference made to it as lies between the two sides.

        Or the same ratio: what is compared may be the value in another unit, rounded.
        """
        if isinstance(value, str):
            return value.replace(left, right) if left and left in value else right
        by = right - left + self.chance.choice((-1, 0, 0, 1))
        options = [value + by, value - by, right, -right]
        if all(isinstance(each, int) for each in (value, left, right)):
            options.append(value ^ left ^ right)
        with contextlib.suppress(ZeroDivisionError, OverflowError, ValueError):
            options.append(type(value)(value * right / left) + self.chance.choice((-1, 0, 1)))
        return self.chance.choice(options)

    def _cross(self, call: Call, other: Call) -> Call:
        if len(call.args) != len(other.args) or not call.args:
            return self._change_one(call)
        place = self.chance.randrange(len(call.args))
        args = list(call.args)
        args[place] = other.args[place]
        return replace(call, args=tuple(args))

    def _echo(self, call: Call) -> Call:
        """One argument as another one of its form, a text possibly in another case."""
        first, second = self.chance.sample(range(len(call.args)), 2)
        source = call.args[first].source
        is_part = kind_of(source) == "Subscript"  # a maker made it for its own place
        taker = call.args[second].source
        is_like = kind_of(source) == kind_of(taker) and _made_by(source) <= _made_by(taker)
        if is_part or not is_like:
            return self._change_one(call)
        if kind_of(source) == "str" and self.chance.random() < 0.7:
            text = str(ast.literal_eval(source)) + self.chance.choice(_CASED)
            first_said = call.args[first].replaced(ascii(text))
            call = _with_argument(call, first, first_said)
            fold = self.chance.choice((str.upper, str.lower, str.casefold, str.title, str.strip))
            source = ascii(fold(text))
        return _with_argument(call, second, call.args[first].replaced(source))

    def _weave(self, call: Call) -> Call:
        """A part of one argument put into another one: a text into a text, a key, a number."""
        if self.chance.random() < _OVERLAPPING and (overlapping := self._overlap(call)) is not None:
            return overlapping
        giver, taker = self.chance.sample(range(len(call.args)), 2)
        parts, places = (_parts(call.args[each].source) for each in (giver, taker))
        fitting = [
            (node, value, [given for _, given in parts if type(given) is type(value)])
            for node, value in places
        ]
        fitting = [each for each in fitting if each[2]]
        if not fitting:
            return self._change_one(call)
        node, value, given = self.chance.choice(fitting)
        is_text = isinstance(value, str | bytes)
        woven = self._woven(value, given) if is_text else self.chance.choice(given)
        source = call.args[taker].source
        text = f"{source[: node.col_offset]}{woven!a}{source[node.end_col_offset :]}"
        return _with_argument(call, taker, call.args[taker].replaced(text))

    def _overlap(self, call: Call) -> Call | None:
        """A list of texts that lie over one another in another argument; None without such two."""
        trees = [_tree_of(each.source) for each in call.args]
        texts = [
            tree.value
            for tree in trees
            if isinstance(tree, ast.Constant)
            and isinstance(tree.value, str)
            and len(tree.value) > 1
        ]
        places = [number for number, tree in enumerate(trees) if _is_list_of_texts(tree)]
        if not texts or not places:
            return None
        text, place = self.chance.choice(texts), self.chance.choice(places)
        begin = self.chance.randrange(len(text) - 1)
        end = self.chance.randint(begin + 2, min(len(text), begin + 6))
        inner = self.chance.randrange(begin, end)
        last = self.chance.randint(inner + 1, min(len(text), end + 2))
        items = [text[begin:end], text[inner:last]]
        self.chance.shuffle(items)
        return _with_argument(call, place, call.args[place].replaced(ascii(items)))

    def _woven(self, value: Any, given: list[Any]) -> Any:
        """A text of fragments of others, which may overlap."""
        place = self.chance.randint(0, len(value))
        fragments = [value[:place]] if self.chance.random() < 0.5 else []
        for _ in range(self.chance.randint(1, 3)):
            each = self.chance.choice(given)
            fragments.append(self.chance.choice((each, each, each[1:], each[:-1], each[:1])))
        return type(value)().join(fragments)

    def _change_all(self, call: Call) -> Call:
        """Every argument anew from the pools, for conditions that meet only together."""
        args = []
        for each in call.args:
            pooled = self.pools.draw(_POOLED.get(kind_of(each.source), type(None)))
            is_kept = pooled is None or self.chance.random() < 0.25
            args.append(self.change(each) if is_kept else self._near(each, pooled))
        return replace(call, args=tuple(args))

    def _near(self, expression: Expression, pooled: ast.expr | None) -> Expression:
        if pooled is None:
            return expression
        value = ast.literal_eval(pooled)
        if type(value) is int:
            value += self.chance.choice((-1, 0, 0, 1))
        return expression.replaced(ascii(value))

    def _change_one(self, call: Call) -> Call:
        places = len(call.args) + len(call.kwargs) + (call.receiver is not None)
        if places == 0:
            return call
        place = self.chance.randrange(places)
        if place < len(call.args):
            args = list(call.args)
            args[place] = self.change(args[place])
            return replace(call, args=tuple(args))
        place -= len(call.args)
        if place < len(call.kwargs):
            kwargs = list(call.kwargs)
            kwargs[place] = (kwargs[place][0], self.change(kwargs[place][1]))
            return replace(call, kwargs=tuple(kwargs))
        if call.receiver is None:
            return call
        return replace(call, receiver=self.change(call.receiver))


def _tree_of(source: str) -> ast.expr | None:
    try:
        return parse_expression(source)
    except NOT_PYTHON:
        return None


def _is_list_of_texts(tree: ast.expr | None) -> bool:
    """Whether it is a list with something in it, and texts alone."""
    return (
        isinstance(tree, ast.List)
        and bool(tree.elts)
        and all(
            isinstance(each, ast.Constant) and isinstance(each.value, str) for each in tree.elts
        )
    )


def _parts(source: str) -> list[tuple[ast.expr, Any]]:
    """Numbers and texts in a plain argument, by their place; its offsets must be those of ASCII."""
    try:
        found = _literals(parse_expression(source)) if source.isascii() else ()
        return [each for each in found if type(each[1]) in _POOLED.values()]
    except NOT_PYTHON:
        return []


def _literals(tree: ast.AST) -> Iterator[tuple[ast.expr, Any]]:
    """Literals with their values, indices apart; a negative number is one, with its sign."""
    indices = in_indices(tree)
    signed = {
        each.operand
        for each in ast.walk(tree)
        if isinstance(each, ast.UnaryOp) and isinstance(each.operand, ast.Constant)
    }
    for each in ast.walk(tree):
        if id(each) in indices:
            continue
        if isinstance(each, ast.Constant) and each not in signed:
            yield each, each.value
        elif isinstance(each, ast.UnaryOp) and each.operand in signed:
            yield each, ast.literal_eval(each)


def _as_compared(value: object, left: object, right: object) -> int | float | str | None:
    """What a place may have been when it was compared: code reads numbers from texts, too.

    None where it cannot be moved from one side of the comparison to the other.
    """
    if type(value) is type(left) is type(right) and isinstance(value, int | float | str):
        return value
    if type(left) not in _NUMBERS or type(right) not in _NUMBERS:
        return None
    if isinstance(value, int | float) and type(value) in _NUMBERS:
        return value
    if not isinstance(value, str) or len(value) > _MOST_DIGITS:
        return None
    for read in _NUMBERS:
        with contextlib.suppress(ValueError):
            return read(value)
    return None


def _as_given(moved: Any, value: object) -> Any:
    """What was compared, as the place has it: a text, or a number of its kind."""
    kind = type(value)
    try:
        if isinstance(moved, float) and not math.isfinite(moved):
            return value
        return kind(moved) if kind in (*_NUMBERS, str) else moved
    except (ValueError, OverflowError):
        return value


@lru_cache(maxsize=4096)
def kind_of(source: str) -> str:
    """The type of a plain literal, or the form of a display."""
    try:
        node = parse_expression(source)
    except NOT_PYTHON:
        return ""
    node = node.operand if isinstance(node, ast.UnaryOp) else node
    return type(node.value).__name__ if isinstance(node, ast.Constant) else type(node).__name__


@lru_cache(maxsize=4096)
def _made_by(source: str) -> frozenset[str]:
    """What an argument calls to make its objects: another argument may be of other classes."""
    tree = _tree_of(source)
    calls = [each for each in ast.walk(tree) if isinstance(each, ast.Call)] if tree else []
    return frozenset(unparse(each.func) for each in calls)


def _with_argument(call: Call, place: int, argument: Expression) -> Call:
    return replace(call, args=(*call.args[:place], argument, *call.args[place + 1 :]))
