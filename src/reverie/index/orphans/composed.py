"""Reads names and paths that code puts together: f-strings, `+`, `%`, `/`, `format` and `join`."""

import ast
import re
from collections.abc import Iterable, Iterator
from itertools import islice, product

from reverie.index.orphans.bindings import Bindings
from reverie.index.orphans.mention import HOLE, OWN_NAME, OWN_PACKAGE

_FORMAT_FIELD = re.compile(r"\{([^{}!:]*)[^{}]*\}")
_PERCENT_FIELD = re.compile(r"%(?:\((\w+)\))?[sdr]")
_NAME_LIKE = re.compile(r"\.{0,2}(?:[A-Za-z_]\w*|\{\}|<package>|<name>)(?:[.\w]|\{\}|:)*")
_OWN = {"__package__": OWN_PACKAGE, "__name__": OWN_NAME}
_MOST_TEXTS = 400


def composed_texts(node: ast.expr, bindings: Bindings) -> tuple[str, ...]:
    """The texts that an expression puts together, unknown parts as holes; often none."""
    if isinstance(node, ast.Constant | ast.Name | ast.Subscript):
        return ()
    found = dict.fromkeys(islice(_texts(node, bindings) or (), _MOST_TEXTS))
    return tuple(text for text in found if text.strip("{}. ") != "")


def is_name_like(text: str) -> bool:
    """Whether a text, perhaps with holes, is a dotted name."""
    return "." in text and not text.endswith(".py") and bool(_NAME_LIKE.fullmatch(text))


def _texts(node: ast.expr, bindings: Bindings) -> Iterator[str] | None:
    match node:
        case ast.JoinedStr(values=parts):
            return _joined("", parts, bindings)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _joined("", [left, right], bindings)
        case ast.BinOp(left=ast.Constant(value=str(form)), op=ast.Mod(), right=given):
            return _filled(_PERCENT_FIELD, form, _positions(given), _keys(given), bindings)
        case ast.Call(
            func=ast.Attribute(value=ast.Constant(value=str(form)), attr="format"),
            args=given,
            keywords=keywords,
        ):
            named = {each.arg: each.value for each in keywords if each.arg is not None}
            return _filled(_FORMAT_FIELD, form, given, named, bindings)
        case ast.Call(
            func=ast.Attribute(value=ast.Constant(value="."), attr="join"),
            args=[ast.List(elts=parts) | ast.Tuple(elts=parts)],
        ):
            return _joined(".", parts, bindings)
        case ast.BinOp(op=ast.Div()) | ast.Call(func=ast.Attribute(attr="join" | "joinpath")):
            return _joined("/", _path_parts(node), bindings)
    return None


def _joined(between: str, parts: Iterable[ast.expr], bindings: Bindings) -> Iterator[str]:
    return (between.join(each) for each in product(*(_part(part, bindings) for part in parts)))


def _path_parts(node: ast.expr) -> list[ast.expr]:
    """What follows the folder that a path begins with, which is mostly that of the file."""
    match node:
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return [*_path_parts(left), right]
        case ast.Call(func=ast.Attribute(value=start, attr="joinpath"), args=parts):
            return [*_path_parts(start), *parts]
        case ast.Call(func=ast.Attribute(attr="join"), args=[_, *parts]):
            return parts
    return []


def _positions(given: ast.expr) -> list[ast.expr]:
    return given.elts if isinstance(given, ast.Tuple) else [given]


def _keys(given: ast.expr) -> dict[str, ast.expr]:
    if not isinstance(given, ast.Dict):
        return {}
    pairs = zip(given.keys, given.values, strict=True)
    return {str(key.value): value for key, value in pairs if isinstance(key, ast.Constant)}


def _filled(
    field: re.Pattern[str],
    form: str,
    given: list[ast.expr],
    named: dict[str, ast.expr],
    bindings: Bindings,
) -> Iterator[str]:
    """A form with its fields filled in, by place, by number or by name."""
    parts: list[tuple[str, ...]] = []
    end = 0
    for at, found in enumerate(field.finditer(form)):
        key = found[1] or str(at)
        value = given[int(key)] if key.isdigit() and int(key) < len(given) else named.get(key)
        parts += [(form[end : found.start()],), _part(value, bindings)]
        end = found.end()
    return ("".join(each) for each in product(*parts, (form[end:],)))


def _part(node: ast.expr | None, bindings: Bindings) -> tuple[str, ...]:
    match node:
        case None:
            return (HOLE,)
        case ast.FormattedValue(value=value):
            return _part(value, bindings)
        case ast.Name(id=name) if name in _OWN:
            return (_OWN[name],)
    if known := bindings.texts_of(node):
        return known
    inner = _texts(node, bindings)
    return (HOLE,) if inner is None else tuple(islice(inner, _MOST_TEXTS))
