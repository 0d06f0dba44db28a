"""Small changes to an expression, made on its syntax; the types in it stay what they were."""

import ast
import copy
import random
from collections.abc import Callable
from typing import Any

from reverie.instruments.equivalence.pools import Pools
from reverie.model.call import Expression

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
_SPECIAL_FLOATS = ("math.nan", "math.inf", "-math.inf")
"""`math.nan` is one object: a list can hold it twice."""


class Changes:
    """Changes one place of an expression at a time."""

    def __init__(self, pools: Pools, chance: random.Random) -> None:
        self.pools = pools
        self.chance = chance

    def change(self, expression: Expression) -> Expression:
        """One change somewhere in an expression; the same expression when there is none to make."""
        try:
            tree = ast.parse(expression.source, mode="eval")
        except (SyntaxError, ValueError, RecursionError):
            return expression
        negated = {id(each.operand) for each in ast.walk(tree) if isinstance(each, ast.UnaryOp)}
        negated |= {id(each.right) for each in ast.walk(tree) if isinstance(each, ast.BinOp)}
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
            case ast.UnaryOp(operand=ast.Constant(value=int() as whole)):
                return self._whole(-whole)
            case ast.UnaryOp():
                return self._float(node.operand)
        return node  # type: ignore[return-value]

    def _whole(self, value: int) -> ast.expr:
        pooled = self.pools.draw(int)
        known = value if pooled is None else int(ast.literal_eval(pooled))
        step = self.chance.choice((-1, 0, 0, 1))
        options = (
            lambda: value + self.chance.choice((-1, 1)),
            lambda: known + step,
            lambda: known + step,
            lambda: self.chance.choice((known * 2, value + known, value - known, value * known)),
            lambda: -value,
            lambda: self.chance.choice(_INTEGERS),
            lambda: self.chance.randint(-20, 200),
            lambda: self.chance.randint(-(10 ** self.chance.randint(1, 9)), 10**6),
        )
        changed = self.chance.choice(options)()
        return ast.Constant(changed if abs(changed) < 1 << 200 else value)

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
    text = ast.unparse(tree)
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
    return isinstance(node, ast.List | ast.Tuple | ast.Set | ast.Dict)


def _parsed(source: str) -> ast.expr:
    return ast.parse(source, mode="eval").body


def _rebuilt(node: ast.AST, items: list[ast.expr]) -> ast.expr:
    if isinstance(node, ast.Tuple):
        return ast.Tuple(items, ast.Load())
    if isinstance(node, ast.Set):
        return ast.Set(items) if items else _parsed("set()")
    return ast.List(items, ast.Load())
