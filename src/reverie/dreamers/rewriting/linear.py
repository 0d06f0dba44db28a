"""Whole numbers that are made of names by adding and taking away."""

import ast
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass


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
            return Linear(frozenset({(ast.unparse(node), 1)}))
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
