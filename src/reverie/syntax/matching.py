"""Source with holes, and where it fits a tree.

`$x` stands for any expression, target or name; the same hole twice stands for the same source.
`$...xs` stands for any number of arguments, items or statements, and `$_` for anything at all.
A comparison fits whichever way round it is written: `$a < $b` is found in `limit > x`.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from reverie.syntax.parsing import fresh_module
from reverie.syntax.unparsing import unparse

Bound = str | ast.AST | tuple[ast.AST, ...]
"""What a hole stands for: a part of a tree, several in a row, or words."""
Holes = Mapping[str, Bound]

_WRITTEN = re.compile(r"\$(\.\.\.)?(?:\{([a-z_]\w*)\}|([a-z_]\w*))")
ENCODED = re.compile(r"_(hole|many)__([a-z_]\w*?)__")
"""How holes are written where Python has to parse them."""
_IGNORED = frozenset({"ctx", "kind", "type_comment"})
_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.Eq, ast.NotEq: ast.NotEq, ast.Lt: ast.Gt, ast.Gt: ast.Lt,
    ast.LtE: ast.GtE, ast.GtE: ast.LtE,
}  # fmt: skip


def encoded(text: str) -> str:
    """Text with holes as Python can parse it."""
    return _WRITTEN.sub(
        lambda found: f"_{'many' if found[1] else 'hole'}__{found[2] or found[3]}__", text
    )


def hole_of(text: str | None, kind: str = "hole") -> str | None:
    """The name of a hole that an identifier is; None when it is an ordinary one."""
    found = ENCODED.fullmatch(text) if text else None
    return found[2] if found is not None and found[1] == kind else None


def many_of(node: ast.AST) -> str | None:
    """The name of a hole for several that a node is; None when it is anything else."""
    match node:
        case ast.Name(id=name) | ast.Expr(value=ast.Name(id=name)):
            return hole_of(name, "many")
        case ast.keyword(arg=None, value=ast.Name(id=name)):
            return hole_of(name, "many")
    return None


def holes_in(text: str) -> frozenset[str]:
    """The names of all holes of a text."""
    return frozenset(found[2] or found[3] for found in _WRITTEN.finditer(text))


@lru_cache(maxsize=2048)
def parsed(text: str) -> ast.Module:
    """The tree of a text with holes."""
    return fresh_module(encoded(text).strip("\n"))


@dataclass(frozen=True, slots=True)
class Match:
    """One place where a pattern fits."""

    nodes: tuple[ast.AST, ...]
    """The expression, or the statements in a row."""
    holes: Holes
    spots: tuple[tuple[str, ast.AST], ...]
    """Every node that a hole stands for, at each of its places."""


@dataclass(frozen=True)
class Pattern:
    """What is looked for: one expression, or statements in a row."""

    text: str

    @cached_property
    def wanted(self) -> tuple[ast.AST, ...]:
        """The trees that have to fit."""
        body = parsed(self.text).body
        match body:
            case [ast.Expr(value=value)]:
                return (value,)
        return tuple(body)

    @property
    def is_expression(self) -> bool:
        """Whether an expression is looked for, and no statements."""
        return isinstance(self.wanted[0], ast.expr)

    def match(self, nodes: Sequence[ast.AST], known: Holes | None = None) -> Match | None:
        """How it fits exactly these nodes, where some holes may be known already."""
        fitting = _Fitting(dict(known or {}))
        if len(nodes) == len(self.wanted) and all(
            fitting.fits(want, seen) for want, seen in zip(self.wanted, nodes, strict=True)
        ):
            return Match(tuple(nodes), fitting.holes, tuple(fitting.spots))
        return None

    def windows(self, block: Sequence[ast.stmt], at: int) -> Iterator[Match]:
        """How it fits the statements of a block from a place on."""
        window = block[at : at + len(self.wanted)]
        found = self.match(window) if isinstance(window[0], type(self.wanted[0])) else None
        if found is not None:
            yield found


class _Fitting:
    """One attempt to fit a pattern, with what its holes stand for so far."""

    def __init__(self, holes: dict[str, Bound]) -> None:
        self.holes = holes
        self.spots: list[tuple[str, ast.AST]] = []

    def fits(self, want: ast.AST, seen: object) -> bool:
        """Whether a part of the pattern fits a node."""
        name = hole_of(want.id) if isinstance(want, ast.Name) else None
        if name is not None and isinstance(seen, ast.AST):
            self.spots.append((name, seen))
            return self._is_bound(name, seen)
        if type(want) is not type(seen):
            return False
        if isinstance(want, ast.Compare) and isinstance(seen, ast.Compare):
            return self._compares(want, seen)
        return self._fields(want, seen)

    def _fields(self, want: ast.AST, seen: object) -> bool:
        return all(
            self._same(value, getattr(seen, field))
            for field, value in ast.iter_fields(want)
            if field not in _IGNORED
        )

    def _compares(self, want: ast.Compare, seen: ast.Compare) -> bool:
        holes, spots = dict(self.holes), list(self.spots)
        if self._fields(want, seen):
            return True
        turned = _TURNED.get(type(seen.ops[0])) if len(seen.ops) == 1 else None
        if turned is None:
            return False
        self.holes, self.spots = holes, spots
        return self._fields(want, ast.Compare(seen.comparators[0], [turned()], [seen.left]))

    def _same(self, want: object, seen: object) -> bool:
        if isinstance(want, list) and isinstance(seen, list):
            is_named = bool(want) and all(isinstance(each, ast.keyword) for each in want)
            return self._keywords(want, seen) if is_named else self._row(want, seen)
        if isinstance(want, ast.AST):
            return self.fits(want, seen)
        if isinstance(want, str) and isinstance(seen, str):
            name = hole_of(want)
            return want == seen if name is None else self._is_bound(name, seen)
        return type(want) is type(seen) and want == seen

    def _row(self, want: list[ast.AST], seen: list[ast.AST]) -> bool:
        several = [at for at, each in enumerate(want) if many_of(each) is not None]
        if not several:
            return len(want) == len(seen) and all(map(self._same, want, seen))
        at = several[0]
        behind = len(want) - at - 1
        if len(seen) < at + behind:
            return False
        end = len(seen) - behind
        name = many_of(want[at]) or ""
        return (
            all(map(self._same, want[:at], seen[:at]))
            and self._is_bound(name, tuple(seen[at:end]))
            and all(map(self._same, want[at + 1 :], seen[end:]))
        )

    def _keywords(self, want: list[ast.keyword], seen: list[ast.keyword]) -> bool:
        """Named arguments in any order."""
        left = {each.arg or f"**{at}": each for at, each in enumerate(seen)}
        several = [name for each in want if (name := many_of(each)) is not None]
        for each in want:
            if many_of(each) is None:
                given = left.pop(each.arg or "", None)
                if given is None or not self.fits(each.value, given.value):
                    return False
        if several:
            return self._is_bound(several[0], tuple(left.values()))
        return not left

    def _is_bound(self, name: str, seen: Bound) -> bool:
        if name == "_":
            return True
        known = self.holes.setdefault(name, seen)
        return known is seen or shown(known) == shown(seen)


def shown(bound: Bound) -> str:
    """What a hole stands for, as Python would write it: the same for the same source."""
    match bound:
        case str():
            return bound
        case ast.Name(id=name):
            return name
        case tuple():
            return ", ".join(map(shown, bound))
    return unparse(bound)
