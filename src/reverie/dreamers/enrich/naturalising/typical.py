"""Values by type and by what a parameter is called, where nobody has shown any."""

import ast
from collections.abc import Iterator, Sequence

from reverie.inputs.roles import range_for, texts_for
from reverie.inputs.values.catalogue import CATALOGUE

_TEXTS = ("hello world", "spam", "eggs", "The quick brown fox", "Ada Lovelace", "2024-02-29", "42")
_ITEMS = ("apple", "pear", "plum")
_PLAIN = {
    "str": tuple(map(repr, _TEXTS)),
    "int": ("1", "2", "3", "0", "5", "10", "100", "1000", "999", "1000000", "-1"),
    "float": ("1.5", "2.0", "0.5", "0.0", "10.0", "100.0", "-1.5"),
    "bool": ("True", "False"),
    "bytes": ("b'hello world'", "b'spam'"),
    "None": ("None",),
}
_LISTS = ("list", "List", "Sequence", "Iterable", "Collection", "MutableSequence", "Container")
_DICTS = ("dict", "Dict", "Mapping", "MutableMapping")
_SETS = {
    "set": "{{{}}}",
    "Set": "{{{}}}",
    "frozenset": "frozenset({{{}}})",
    "AbstractSet": "{{{}}}",
}
_MODULES = ("datetime", "decimal", "fractions", "pathlib", "uuid", "re", "io", "collections")
_DEEPEST = 3


def typical_values(annotation: str, name: str) -> list[str]:
    """Sources of values for an annotation as it is written; none where that says nothing."""
    try:
        node = ast.parse(annotation, mode="eval").body if annotation else None
    except SyntaxError:
        return []
    return list(dict.fromkeys(_values(node, name, 0))) if node is not None else []


def _values(node: ast.expr, name: str, depth: int) -> Iterator[str]:
    if depth > _DEEPEST:
        return
    match node:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            yield from _values(left, name, depth)
            yield from _values(right, name, depth)
        case ast.Subscript(value=held, slice=inner):
            several = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            yield from _of_generic(_last(held), several, name, depth)
        case ast.Constant(value=None):
            yield "None"
        case ast.Constant(value=str(text)):
            yield from typical_values(text, name)
        case ast.Name() | ast.Attribute():
            yield from _of_name(_last(node), name, depth)


def _of_name(kind: str, name: str, depth: int) -> Iterator[str]:
    if kind == "int" and (limits := range_for(name)) is not None:
        first, last = limits
        yield from (str(each) for each in (max(first, 1), 2, 3, (first + last) // 2, last, 0))
        return
    if kind == "str":
        yield from (repr(each) for each in texts_for(name) or (_ITEMS if depth else ()))
        if texts_for(name):
            return
    yield from _PLAIN.get(kind, ())
    if kind in (*_LISTS, *_DICTS):
        inner = [ast.Name("str"), ast.Name("int")] if kind in _DICTS else [ast.Name("int")]
        yield from _of_generic(kind, inner, name, depth)
    for module in _MODULES:
        entry = CATALOGUE.get(f"{module}.{kind}")
        yield from entry.typical if entry is not None else ()


def _of_generic(kind: str, inner: Sequence[ast.expr], name: str, depth: int) -> Iterator[str]:
    if kind == "Optional":
        yield from _values(inner[0], name, depth)
        yield "None"
    elif kind == "Union":
        for each in inner:
            yield from _values(each, name, depth)
    elif kind in _LISTS or kind in _SETS:
        form = _SETS.get(kind, "[{}]")
        items = [*dict.fromkeys(_values(inner[0], name.removesuffix("s"), depth + 1))]
        for many in (3, 2, 1):
            if len(items) >= many:
                yield form.format(", ".join(items[:many]))
        if form == "[{}]":
            yield "[]"
    elif kind in _DICTS and len(inner) > 1:
        keys = [*dict.fromkeys(_values(inner[0], "", depth + 1))]
        values = [*dict.fromkeys(_values(inner[1], "", depth + 1))]
        pairs = [f"{key}: {value}" for key, value in zip(keys[:2], values[:2], strict=False)]
        if pairs:
            yield f"{{{', '.join(pairs)}}}"
            yield f"{{{pairs[0]}}}"
        yield "{}"
    elif kind in ("tuple", "Tuple"):
        is_open = len(inner) == 2 and isinstance(inner[1], ast.Constant)
        several = [inner[0]] * 2 if is_open else inner
        parts = [next(_values(each, name, depth + 1), None) for each in several]
        if None not in parts:
            yield f"({', '.join(map(str, parts))},)"


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
