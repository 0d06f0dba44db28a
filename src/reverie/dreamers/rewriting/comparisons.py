"""Two things compared by the same part of both: the sort key; and sums of names as numbers."""

import ast
import copy
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from reverie.dreamers.rewriting.scene import Scene
from reverie.syntax.unparsing import unparse


@dataclass(frozen=True, slots=True)
class Linear:
    """`2 * a - len(b) + 1` as how often each name is added, and a number beside them."""

    terms: frozenset[tuple[str, int]]
    number: int = 0

    @property
    def names(self) -> frozenset[str]:
        """What it is made of."""
        return frozenset(name for name, _ in self.terms)

    @property
    def text(self) -> str:
        """As it would be written, what is added first."""
        ordered = sorted(self.terms, key=lambda term: (term[1] < 0, term[0]))
        parts = [(count, name if abs(count) == 1 else f"{abs(count)} * {name}")
                 for name, count in ordered]  # fmt: skip
        if self.number or not parts:
            parts.append((self.number, str(abs(self.number))))
        first, *others = parts
        start = f"-{first[1]}" if first[0] < 0 else first[1]
        return start + "".join(f" {'-' if sign < 0 else '+'} {part}" for sign, part in others)

    def plus(self, other: "Linear", times: int = 1) -> "Linear":
        """Both added up, the other one as often as told."""
        counts = Counter(dict(self.terms))
        for name, count in other.terms:
            counts[name] += count * times
        kept = frozenset((name, count) for name, count in counts.items() if count)
        return Linear(kept, self.number + other.number * times)


def linear(node: ast.expr | None, aliases: Mapping[str, str] | None = None) -> Linear | None:
    """An expression as a sum of names, of lengths and of numbers; None when it is another one."""
    match node:
        case ast.Constant(value=int(number)) if not isinstance(number, bool):
            return Linear(frozenset(), number)
        case ast.Name(id=name):
            return Linear(frozenset({((aliases or {}).get(name, name), 1)}))
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name()], keywords=[]):
            return Linear(frozenset({(unparse(node), 1)}))
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            value = linear(inner, aliases)
            return None if value is None else Linear(frozenset()).plus(value, -1)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as sign, right=right):
            one, other = linear(left, aliases), linear(right, aliases)
            if one is None or other is None:
                return None
            return one.plus(other, 1 if isinstance(sign, ast.Add) else -1)
    return None


def named(name: str, number: int = 0) -> Linear:
    """A name and a number added up."""
    return Linear(frozenset({(name, 1)}), number)


_EACH = "each"
_SIGNS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", ">"),
    ast.Gt: (">", "<"),
    ast.LtE: ("<=", ">="),
    ast.GtE: (">=", "<="),
}
"""By operator: as it reads from the left, and from the right."""
_TEXT_KEYS = ("lower", "upper", "casefold", "strip", "title", "swapcase", "capitalize")


@dataclass(frozen=True, slots=True)
class Comparison:
    """One thing before another: by its sign, by a part of both that has an order."""

    sign: str
    key: str | None
    """What is compared, of `each`; None for the things themselves."""
    may_fail: bool
    """Whether the part may be missing, so that asking one more thing may raise."""

    @property
    def arguments(self) -> tuple[str, ...]:
        """The key as `sort` wants it."""
        return () if self.key is None else (f"key=lambda {_EACH}: {self.key}",)


def comparison(scene: Scene, test: ast.expr, first: str, second: str) -> Comparison | None:
    """How a test compares two things, given as they are written; None when it does otherwise."""
    match test:
        case ast.Compare(left=left, ops=[sign], comparators=[right]) if type(sign) in _SIGNS:
            straight, turned = _SIGNS[type(sign)]
            for one, other, shown in ((left, right, straight), (right, left, turned)):
                key = _key(one, first)
                if key is None or key != _key(other, second):
                    continue
                for side, spot in ((one, first), (other, second)):
                    kind = scene.kind_of(side)
                    if kind is not None and kind.is_ordered and _is_pure(scene, side):
                        may_fail = not _is_safe(scene, side, spot)
                        return Comparison(shown, None if key == _EACH else key, may_fail)
    return None


class _Replaced(ast.NodeTransformer):
    """Puts a name in the place of what is compared."""

    def __init__(self, spot: str, name: str) -> None:
        self.spot, self.name, self.count = spot, name, 0

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.expr) and unparse(node) == self.spot:
            self.count += 1
            return ast.Name(self.name, ast.Load())
        return self.generic_visit(node)


def renamed(node: ast.expr, spot: str, name: str) -> ast.expr:
    """An expression in which a name stands for what was written as `spot`."""
    return cast("ast.expr", _Replaced(spot, name).visit(copy.deepcopy(node)))


def _key(node: ast.expr, spot: str) -> str | None:
    """What is taken of a thing; None when anything besides it is asked."""
    replaced = _Replaced(spot, _EACH)
    new = replaced.visit(copy.deepcopy(node))
    names = [each for each in ast.walk(new) if isinstance(each, ast.Name) and each.id != _EACH]
    called = [each.func for each in ast.walk(new) if isinstance(each, ast.Call)]
    had = any(isinstance(each, ast.Name) and each.id == _EACH for each in ast.walk(node))
    is_other = any(each not in called for each in names)
    return None if not replaced.count or had or is_other else unparse(new)


def _is_pure(scene: Scene, node: ast.expr) -> bool:
    return all(scene.is_pure_node(each, frozenset()) for each in ast.walk(node))


def _is_safe(scene: Scene, node: ast.expr, spot: str) -> bool:
    """Whether taking the key of a thing of its kind never raises."""
    if unparse(node) == spot:
        return True
    kind = scene.kind_of(node)
    match node:
        case ast.Constant():
            return True
        case ast.Subscript(value=value, slice=ast.Constant(value=int())):
            owner = scene.kind_of(value)
            is_pair = owner is not None and owner.name == "tuple" and len(owner.items) > 1
            return is_pair and kind is not None and _is_safe(scene, value, spot)
        case ast.Attribute(value=value) | ast.UnaryOp(op=ast.USub(), operand=value):
            return kind is not None and _is_safe(scene, value, spot)
        case ast.Call(func=ast.Name(id="len"), args=[value], keywords=[]):
            owner = scene.kind_of(value)
            sized = owner is not None and owner.name in ("str", "list", "tuple", "dict", "set")
            return sized and _is_safe(scene, value, spot)
        case ast.Call(func=ast.Attribute(value=value, attr=attr), args=[], keywords=[]):
            owner = scene.kind_of(value)
            is_text = owner is not None and owner.name == "str" and attr in _TEXT_KEYS
            return is_text and _is_safe(scene, value, spot)
        case ast.Tuple(elts=parts):
            return all(_is_safe(scene, each, spot) for each in parts)
    return False


def length_names(scene: Scene, things: str, loop: ast.stmt) -> dict[str, str]:
    """Names that stand for the length of a list where a loop begins: `n = len(xs)`."""
    block = scene.block_of(loop)
    found = {}
    for at, made in enumerate(block[: block.index(loop)]):
        match made:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                between = block[at + 1 : block.index(loop)]
                is_same = not any(scene.changes(things, each) for each in between)
                is_length = linear(value) == named(f"len({things})")
                if is_length and is_same and len(scene.bindings(name)) == 1:
                    found[name] = f"len({things})"
    return found
