"""Reads names that code puts together: f-strings, `+`, `%`, `format` and `join`."""

import ast
import re
from collections.abc import Mapping

from reverie.index.orphans.mention import HOLE, OWN_NAME, OWN_PACKAGE

_FORMAT_FIELD = re.compile(r"\{[^{}]*\}")
_PERCENT_FIELD = re.compile(r"%(?:\(\w+\))?[sdr]")
_NAME_LIKE = re.compile(r"\.{0,2}(?:[A-Za-z_]\w*|\{\}|<package>|<name>)(?:[.\w]|\{\}|:)*")
_OWN = {"__package__": OWN_PACKAGE, "__name__": OWN_NAME}


def composed_name(node: ast.expr, constants: Mapping[str, str]) -> str | None:
    """The dotted name that an expression puts together, unknown parts as holes; else None."""
    if isinstance(node, ast.Constant | ast.Name):
        return None
    text = _text(node, constants)
    if text is None or text.strip("{}.") == "" or "." not in text:
        return None
    return text if _NAME_LIKE.fullmatch(text) else None


def _text(node: ast.expr, constants: Mapping[str, str]) -> str | None:
    match node:
        case ast.JoinedStr(values=values):
            return "".join(_part(value, constants) for value in values)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _part(left, constants) + _part(right, constants)
        case ast.BinOp(left=ast.Constant(value=str(form)), op=ast.Mod()):
            return _PERCENT_FIELD.sub(HOLE, form)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(form)), attr="format")):
            return _FORMAT_FIELD.sub(HOLE, form)
        case ast.Call(
            func=ast.Attribute(value=ast.Constant(value="."), attr="join"),
            args=[ast.List(elts=parts) | ast.Tuple(elts=parts)],
        ):
            return ".".join(_part(part, constants) for part in parts)
    return None


def _part(node: ast.expr, constants: Mapping[str, str]) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.FormattedValue(value=value):
            return _part(value, constants)
        case ast.Name(id=name) if name in _OWN:
            return _OWN[name]
        case ast.Name(id=name) if name in constants:
            return constants[name]
    inner = None if isinstance(node, ast.Name) else _text(node, constants)
    return HOLE if inner is None else inner
