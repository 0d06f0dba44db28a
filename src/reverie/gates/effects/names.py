"""Text that code makes of constants: which names of attributes it may stand for."""

import ast
import re
from collections.abc import Iterator
from string import Formatter

_BY_LOCALE = re.compile(r"^(?:.?[<>=^])?[-+ ]?z?#?0?\d*(?:\.\d+)?n$|%[-_0^#]?[aAbBcpxX]")
"""Numbers by `n`, and words of dates."""
_MOST = 64
"""Texts that one expression may stand for; more are as good as unknown."""


class Texts:
    """What expressions of a file stand for, where that can be read."""

    def __init__(self, tree: ast.AST) -> None:
        self._bound: dict[str, list[ast.expr | None]] = {}
        self._items: dict[str, list[ast.expr]] = {}
        for node in ast.walk(tree):
            self._bind(node)

    def _bind(self, node: ast.AST) -> None:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._bound.setdefault(name, []).append(value)
            case (
                ast.For(target=ast.Name(id=name), iter=items)
                | ast.comprehension(target=ast.Name(id=name), iter=items)
            ):
                self._items.setdefault(name, []).append(items)
            case (
                ast.AnnAssign(target=ast.Name(id=name), value=value)
                | ast.NamedExpr(target=ast.Name(id=name), value=value)
            ):
                self._bound.setdefault(name, []).append(value)
            case ast.AugAssign(target=ast.Name(id=name)) | ast.arg(arg=name):
                self._bound.setdefault(name, []).append(None)

    def of(self, node: ast.AST | None, depth: int = 4) -> frozenset[str] | None:
        """Every text that an expression may be; None where that is not to be read."""
        if depth == 0 or node is None:
            return None
        match node:
            case ast.Constant(value=str(text)):
                return frozenset({text})
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return _joined(self.of(left, depth), self.of(right, depth))
            case ast.JoinedStr(values=values):
                return self._of_parts(values, depth)
            case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
                return self.of(value, depth)
            case ast.IfExp(body=body, orelse=other):
                return _either(self.of(body, depth), self.of(other, depth))
            case ast.Name(id=name):
                return self._of_name(name, depth - 1)
        return self._of_call(node, depth)

    def _of_call(self, node: ast.AST, depth: int) -> frozenset[str] | None:
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Constant(value=""), attr="join"),
                args=[ast.List(elts=parts) | ast.Tuple(elts=parts)],
            ):
                return self._of_parts(parts, depth)
            case ast.Subscript(value=value, slice=ast.Slice() as part):
                return _sliced(self.of(value, depth), part)
        return None

    def _of_parts(self, parts: list[ast.expr], depth: int) -> frozenset[str] | None:
        found: frozenset[str] | None = frozenset({""})
        for part in parts:
            found = _joined(found, self.of(part, depth))
        return found

    def _of_name(self, name: str, depth: int) -> frozenset[str] | None:
        found: frozenset[str] | None = frozenset()
        for value in self._bound.get(name, ()):
            found = _either(found, self.of(value, depth))
        for items in self._items.get(name, ()):
            found = _either(found, self._of_items(items, depth))
        return found or None

    def _of_items(self, items: ast.expr, depth: int) -> frozenset[str] | None:
        if isinstance(items, ast.Name) and depth:
            values = self._bound.get(items.id, [])
            items = values[0] if len(values) == 1 and values[0] is not None else items
        if not isinstance(items, ast.Tuple | ast.List | ast.Set) or not items.elts:
            return None
        found: frozenset[str] | None = frozenset()
        for item in items.elts:
            found = _either(found, self.of(item, depth))
        return found


def _joined(one: frozenset[str] | None, two: frozenset[str] | None) -> frozenset[str] | None:
    if one is None or two is None or len(one) * len(two) > _MOST:
        return None
    return frozenset(first + second for first in one for second in two)


def _either(one: frozenset[str] | None, two: frozenset[str] | None) -> frozenset[str] | None:
    return None if one is None or two is None else one | two


def _sliced(texts: frozenset[str] | None, part: ast.Slice) -> frozenset[str] | None:
    bounds = []
    for each in (part.lower, part.upper, part.step):
        try:
            bounds.append(None if each is None else ast.literal_eval(each))
        except (ValueError, TypeError):
            return None
    if texts is None or not all(each is None or isinstance(each, int) for each in bounds):
        return None
    return None if bounds[2] == 0 else frozenset(text[slice(*bounds)] for text in texts)


def specs_of(template: str) -> Iterator[str]:
    """How a template for `format` has its fields written."""
    try:
        yield from (spec for _, _, spec, _ in Formatter().parse(template) if spec)
    except ValueError:
        return


def follows_locale(spec: str) -> bool:
    """Whether a value that is formatted so looks otherwise under another locale."""
    return _BY_LOCALE.search(spec) is not None


def fields_of(template: str) -> Iterator[str]:
    """Names of attributes and keys that a template for `format` would look up."""
    try:
        found = [field for _, field, _, _ in Formatter().parse(template) if field]
    except ValueError:
        return
    for field in found:
        parts = field.replace("]", "").replace("[", ".").split(".")
        yield from (part for part in parts[1:] if part)
