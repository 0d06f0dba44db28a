"""Small changes to the arguments of a call, made on their syntax; types stay what they were."""

import ast
import copy
import random
from collections.abc import Callable, Sequence

from reverie.model.call import Call, Expression

_MOST_SOURCE = 1500
_MOST_POOLED = 400
_CHARACTERS = (
    "a", "b", "Z", "0", "9", " ", "  ", "\n", "\t", "-", "_", ".", ",", "/", ":", "=", '"', "'",
    "ß", "İ", "ǆ", "é", "e\u0301", "Ⅷ", "²", "\u2028", "\x00", "\x1c", "\u00a0", "😀",
)  # fmt: skip
_CASED = ("", "", "\u00df", "\u0130", "\u01c6", "\u00e9", "\ufb01", "\u03c2", "K", " ")
_INTEGERS = (0, 1, -1, 2, 3, 5, 7, 10, 16, 64, 99, 100, 101, 255, 256, 1000, 1 << 31, 10**12, 1 << 64)
_FLOATS = ("0.0", "-0.0", "1.0", "-1.0", "0.5", "0.1", "0.3", "2.5", "1e16", "1e-9", "1e308", "3.0")
_SPECIAL_FLOATS = ("math.nan", "math.inf", "-math.inf")


class Mutator:
    """Makes neighbours of a call from a pool of constants of each type."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.pools: dict[type, list[ast.expr]] = {}
        self._known: set[str] = set()

    def learn(self, source: str) -> None:
        """Put a literal into the pool of its type; containers give their items."""
        if source in self._known:
            return
        self._known.add(source)
        try:
            node = ast.parse(source, mode="eval").body
        except (SyntaxError, ValueError):
            return
        for each in node.elts if isinstance(node, ast.List) else [node]:
            self._learn(each)

    def _learn(self, node: ast.expr) -> None:
        try:
            value = ast.literal_eval(node)
        except (ValueError, SyntaxError):
            return
        pool = self.pools.setdefault(type(value), [])
        if len(pool) < _MOST_POOLED:
            pool.append(node)

    def mutate(self, call: Call, others: Sequence[Call]) -> Call:
        """A neighbour: one to three changes, or arguments taken over from another call."""
        draw = self.chance.random()
        if draw < 0.15 and others:
            return self._cross(call, self.chance.choice(others))
        if draw < 0.3 and len(call.args) > 1:
            return self._echo(call)
        if draw < 0.5 and len(call.args) > 1:
            return self._change_all(call)
        for _ in range(self.chance.choice((1, 1, 1, 2, 2, 3))):
            call = self._change_one(call)
        return call

    def _cross(self, call: Call, other: Call) -> Call:
        if len(call.args) != len(other.args) or not call.args:
            return self._change_one(call)
        place = self.chance.randrange(len(call.args))
        args = list(call.args)
        args[place] = other.args[place]
        return Call(tuple(args), call.kwargs, call.receiver)

    def _echo(self, call: Call) -> Call:
        """One argument as another one of its form, a text possibly in another case."""
        first, second = self.chance.sample(range(len(call.args)), 2)
        source = call.args[first].source
        if _kind(source) != _kind(call.args[second].source):
            return self._change_one(call)
        if _kind(source) == "str" and self.chance.random() < 0.7:
            text = str(ast.literal_eval(source)) + self.chance.choice(_CASED)
            first_said = call.args[first].replaced(ascii(text))
            call = _with_argument(call, first, first_said)
            fold = self.chance.choice((str.upper, str.lower, str.casefold, str.title, str.strip))
            source = ascii(fold(text))
        return _with_argument(call, second, call.args[first].replaced(source))

    def _change_all(self, call: Call) -> Call:
        """Every argument anew from the pools, for conditions that meet only together."""
        args = []
        for each in call.args:
            pooled = self._from_pool({"int": int, "str": str, "float": float}.get(_kind(each.source), list))
            is_kept = pooled is None or self.chance.random() < 0.25
            args.append(self.change(each) if is_kept else self._near(each, pooled))
        return Call(tuple(args), call.kwargs, call.receiver)

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
            return Call(tuple(args), call.kwargs, call.receiver)
        place -= len(call.args)
        if place < len(call.kwargs):
            kwargs = list(call.kwargs)
            kwargs[place] = (kwargs[place][0], self.change(kwargs[place][1]))
            return Call(call.args, tuple(kwargs), call.receiver)
        if call.receiver is None:
            return call
        return Call(call.args, call.kwargs, self.change(call.receiver))

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
                text = self._text(data.decode("latin-1"))
                value = text.value if isinstance(text, ast.Constant) else ""
                return ast.Constant(str(value).encode("utf-8", "surrogatepass"))
            case ast.List(elts=items) | ast.Set(elts=items) | ast.Tuple(elts=items):
                return self._items(node, items)
            case ast.Dict():
                return self._mapping(node)
            case ast.UnaryOp(operand=ast.Constant(value=int() as whole)):
                return self._whole(-whole)
            case ast.UnaryOp():
                return self._float(node.operand)
        return node  # type: ignore[return-value]

    def _from_pool(self, kind: type) -> ast.expr | None:
        pool = self.pools.get(kind)
        return copy.deepcopy(self.chance.choice(pool)) if pool else None

    def _whole(self, value: int) -> ast.expr:
        pooled = self._from_pool(int)
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
        pooled = self._from_pool(float)
        if draw < 0.25 and pooled is not None:
            return pooled
        if draw < 0.4:
            return _parsed(self.chance.choice(_SPECIAL_FLOATS))
        if draw < 0.7 or not isinstance(node, ast.Constant):
            return _parsed(self.chance.choice(_FLOATS))
        value = float(node.value)  # type: ignore[arg-type]
        return ast.Constant(self.chance.choice((-value, value + 1.0, value / 3, value * 10, value - 0.1)))

    def _text(self, text: str) -> ast.expr:
        place = self.chance.randint(0, len(text))
        piece = self.chance.choice(_CHARACTERS)
        pooled = self._from_pool(str)
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
            lambda: text * self.chance.choice((2, 3, 40)),
        )
        return ast.Constant(self.chance.choice(options)())

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
            changed.insert(place, self._changed(copy.deepcopy(changed[place])))
        elif draw < 0.7:
            self.chance.shuffle(changed)
        elif draw < 0.78:
            changed.reverse()
        elif draw < 0.82:
            changed = []
        elif draw < 0.9 and isinstance(node, ast.List):
            rebuilt = _rebuilt(node, changed)
            return ast.BinOp(rebuilt, ast.Mult(), ast.Constant(self.chance.choice((2, 2, 3, 40))))
        else:
            return self._inner(node, changed)
        return _rebuilt(node, changed)

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


def _kind(source: str) -> str:
    """The type of a plain literal, or the form of a display."""
    try:
        node = ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    node = node.operand if isinstance(node, ast.UnaryOp) else node
    return type(node.value).__name__ if isinstance(node, ast.Constant) else type(node).__name__


def _with_argument(call: Call, place: int, argument: Expression) -> Call:
    return Call((*call.args[:place], argument, *call.args[place + 1 :]), call.kwargs, call.receiver)


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
