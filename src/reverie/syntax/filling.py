"""Source that takes the place of what was found: holes filled, brackets only where they are needed.

Where the new tree has the shape of the old one, only the parts that differ are written anew, so
that comments and habits of the author stay.
"""

import ast
import copy
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from reverie.syntax.matching import (
    ENCODED,
    Bound,
    Holes,
    Match,
    Pattern,
    encoded,
    hole_of,
    many_of,
    parsed,
)
from reverie.syntax.parsing import fresh_expression, fresh_module
from reverie.syntax.unparsing import unparse

TextOf = Callable[[ast.AST], str]
"""The text of a node as it was written."""
KEPT = "\0"
"""Begins a line that keeps its own indentation, wherever it goes."""
BlockOf = Callable[[Sequence[ast.AST], str], str | None]
"""The text of statements at another indentation; None where they cannot be moved."""


def kept_lines(text: str) -> str:
    """A text of several lines that stay where they are: some may be inside of a string."""
    return text.replace("\n", f"\n{KEPT}")


@dataclass(frozen=True, slots=True)
class Writer:
    """How parts of the source are written where they go."""

    text_of: TextOf
    block_of: BlockOf

    def filled(self, text: str, holes: Holes) -> str | None:
        """A text with its holes filled; None where something in them cannot be moved."""
        plain = self._written(encoded(textwrap.dedent(text).strip("\n")), holes, brackets=False)
        if plain is None:
            return None
        meant = meaning(text, holes)
        if meant is None or meant == _unparsed(plain):
            return plain
        return self._written(encoded(textwrap.dedent(text).strip("\n")), holes, brackets=True)

    def _written(self, text: str, holes: Holes, *, brackets: bool) -> str | None:
        lines = []
        for line in text.split("\n"):
            whole = ENCODED.fullmatch(line.strip())
            if whole is not None and _is_block(holes.get(whole[2])):
                indent = line[: len(line) - len(line.lstrip())]
                block = self.block_of(holes[whole[2]], indent)  # type: ignore[arg-type]
                if block is None:
                    return None
                lines.append(indent + block)
            else:
                lines.append(self._line(line, holes, brackets=brackets))
        return "\n".join(lines)

    def _line(self, line: str, holes: Holes, *, brackets: bool) -> str:
        for found in ENCODED.finditer(line):
            if holes.get(found[2]) == ():  # nothing stands there: neither does its comma
                line = line.replace(f", {found[0]}", "").replace(f"{found[0]}, ", "")
        return ENCODED.sub(
            lambda found: self._part(holes.get(found[2], found[2]), brackets=brackets), line
        )

    def _part(self, bound: Bound, *, brackets: bool) -> str:
        match bound:
            case str():
                return bound
            case tuple():
                return ", ".join(map(self.text_of, bound))
            case (
                ast.BinOp()
                | ast.BoolOp()
                | ast.Compare()
                | ast.UnaryOp()
                | ast.IfExp()
                | (ast.Lambda())
                | ast.NamedExpr()
                | ast.Await()
                | ast.Tuple()
            ):
                text = self.text_of(bound)
                is_closed = isinstance(bound, ast.Tuple) and text.startswith("(")
                return f"({text})" if brackets and not is_closed else text
        return self.text_of(bound)


def _is_block(bound: Bound | None) -> bool:
    return isinstance(bound, tuple) and bool(bound) and isinstance(bound[0], ast.stmt)


def _unparsed(text: str) -> str | None:
    try:
        return unparse(fresh_module(text.replace(KEPT, "")))
    except (SyntaxError, ValueError):
        return None


def meaning(text: str, holes: Holes) -> str | None:
    """What a filled text has to say, by its tree; None where a hole holds no source of its own."""
    try:
        tree = copy.deepcopy(parsed(text))
        _Put(holes).generic_visit(tree)
        return unparse(ast.fix_missing_locations(tree))
    except (SyntaxError, ValueError, AttributeError, TypeError):
        return None


class _Put(ast.NodeTransformer):
    """Puts into a tree what its holes stand for."""

    def __init__(self, holes: Holes) -> None:
        self.holes = holes

    def visit(self, node: ast.AST) -> ast.AST | list[ast.AST]:
        several = self.holes.get(many_of(node) or "")
        if isinstance(several, tuple):
            return [copy.deepcopy(each) for each in several]
        if isinstance(node, ast.Name):
            name = hole_of(node.id)
            return node if name is None else _tree(self.holes.get(name, name))
        for field, value in ast.iter_fields(node):
            name = hole_of(value) if isinstance(value, str) else None
            if name is not None:
                setattr(node, field, self.holes.get(name, name))
        self.generic_visit(node)
        return node


def _tree(bound: Bound) -> ast.AST:
    if isinstance(bound, str):
        return fresh_expression(f"({bound.replace(KEPT, '')})")
    return copy.deepcopy(bound)  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class Part:
    """Nodes in a row that get another text, and the text with its holes."""

    nodes: tuple[ast.AST, ...]
    text: str


def differing(pattern: Pattern, template: str, match: Match) -> list[Part]:
    """The parts of a match that a template says otherwise; all of it where the shapes differ."""
    whole = [Part(match.nodes, template)]
    new = Pattern(template).wanted
    if len(new) != len(pattern.wanted) or Pattern(template).is_expression != pattern.is_expression:
        return whole
    text = encoded(template).strip("\n")
    found: list[Part] = []
    for want, put, seen in zip(pattern.wanted, new, match.nodes, strict=True):
        parts = list(_parts(want, put, seen, text))
        if any(each.text is None for each in parts) or (parts and parts[0].nodes == (seen,)):
            return whole
        found += parts
    return found


def _parts(want: ast.AST, put: ast.AST, seen: ast.AST, text: str) -> Iterator[Part]:
    if ast.dump(want) == ast.dump(put):
        return
    deeper = _deeper(want, put, seen, text)
    if deeper is None:
        yield Part((seen,), _segment(text, put))
    else:
        yield from deeper


def _segment(text: str, node: ast.AST) -> str:
    """The text of a part of a template, without the indentation that it has there."""
    first, *others = (ast.get_source_segment(text, node) or "").split("\n")
    margin = getattr(node, "col_offset", 0) if isinstance(node, ast.stmt) else 0
    return "\n".join([first, *(line[margin:] for line in others)])


def _deeper(want: ast.AST, put: ast.AST, seen: ast.AST, text: str) -> list[Part] | None:
    """The parts of the children; None where the node itself has to be written anew."""
    is_hole = isinstance(want, ast.Name) and hole_of(want.id) is not None
    if is_hole or type(want) is not type(put) or type(want) is not type(seen):
        return None
    found: list[Part] = []
    for field, value in ast.iter_fields(want):
        other, mine = getattr(put, field), getattr(seen, field)
        if isinstance(value, list) and isinstance(other, list):
            if [*map(ast.dump, value)] == [*map(ast.dump, other)]:
                continue
            if not len(value) == len(other) == len(mine):
                return None
            for one, two, three in zip(value, other, mine, strict=True):
                found += _parts(one, two, three, text)
        elif isinstance(value, ast.AST) and isinstance(other, ast.AST):
            if field != "ctx":
                found += _parts(value, other, mine, text)
        elif value != other:
            return None
    is_placed = all(hasattr(node, "lineno") for part in found for node in part.nodes)
    return found if is_placed and all(part.text for part in found) else None
