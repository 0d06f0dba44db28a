"""What can be searched for in one file, with annotated types in the normal form of shapes."""

import ast
import re
from collections.abc import Iterator

from reverie.index.reading import FileFacts
from reverie.index.search.ranking import ALIASES, ANY, Shape, joined, words_of_name, words_of_text
from reverie.model.repository.code import Class, Function, ParameterKind
from reverie.model.repository.symbol import SymbolRecord
from reverie.syntax.parsing import NOT_PYTHON, parse_expression
from reverie.syntax.unparsing import unparse

_PREFIX = r"\b(?:typing|typing_extensions|t|collections\.abc|abc|builtins)\."


def normal_type(annotation: str | None) -> str:
    """A type in normal form: no `typing.`, `Optional[X]` as `X | None`, sorted unions."""
    if annotation is None or annotation.strip() in ("", ANY, "?"):
        return ANY
    text = re.sub(_PREFIX, "", annotation.strip().strip("'\""))
    try:
        return _normal(parse_expression(text))
    except NOT_PYTHON:
        return text.replace(";", ",").replace(" ", "")


def _normal(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return ALIASES.get(node.id, node.id)
    if isinstance(node, ast.Constant):
        return normal_type(node.value) if isinstance(node.value, str) else str(node.value)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _union([_normal(node.left), _normal(node.right)])
    if isinstance(node, ast.Subscript):
        return _normal_subscript(node)
    if isinstance(node, ast.Tuple | ast.List):
        return ",".join(_normal(each) for each in node.elts)
    return unparse(node).replace(" ", "").replace(";", ",")


def _normal_subscript(node: ast.Subscript) -> str:
    base, inner = _normal(node.value), node.slice
    if base == "Optional":
        return _union([_normal(inner), "None"])
    if base == "Union":
        members = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        return _union([_normal(each) for each in members])
    if base == "Annotated" and isinstance(inner, ast.Tuple):
        return _normal(inner.elts[0])
    return f"{base}[{_normal(inner)}]"


def _union(members: list[str]) -> str:
    kinds = {kind for member in members for kind in member.split("|")}
    return "|".join(sorted(kinds))


_LONGEST_SUMMARY = 200
_LONGEST_SIGNATURE = 500


def symbols_of(facts: FileFacts) -> tuple[SymbolRecord, ...]:
    """The functions, methods and classes of a file, in the order of the file."""
    found = [*_functions(facts), *_classes(facts)]
    return tuple(sorted(found, key=lambda each: each.line))


def _functions(facts: FileFacts) -> Iterator[SymbolRecord]:
    for function in facts.functions:
        yield _function_symbol(function, "function")


def _classes(facts: FileFacts) -> Iterator[SymbolRecord]:
    for each in facts.classes:
        yield _class_symbol(each)
        for method in each.methods:
            yield _function_symbol(method, "method")


def _function_symbol(function: Function, kind: str) -> SymbolRecord:
    return SymbolRecord(
        qualname=function.qualname,
        line=function.line,
        kind=kind,
        signature=function.signature[:_LONGEST_SIGNATURE],
        summary=_summary(function.docstring),
        words=_words(function.name, function.qualname, function.docstring),
        shape=_shape(function, is_method=kind == "method"),
    )


def _class_symbol(each: Class) -> SymbolRecord:
    bases = f"({', '.join(each.bases)})" if each.bases else ""
    return SymbolRecord(
        qualname=each.qualname,
        line=each.line,
        kind="class",
        signature=bases[:_LONGEST_SIGNATURE],
        summary=_summary(each.docstring),
        words=_words(each.name, each.qualname, each.docstring),
        shape="",
    )


def _shape(function: Function, *, is_method: bool) -> str:
    """The shape of a function as stored; empty when nothing of it is annotated."""
    parameters = function.parameters
    if is_method and parameters and "staticmethod" not in function.decorators:
        parameters = parameters[1:]
    if function.returns is None and all(each.annotation is None for each in parameters):
        return ""
    types = tuple(
        normal_type(each.annotation)
        for each in parameters
        if each.kind not in (ParameterKind.VAR_KEYWORD, ParameterKind.VAR_POSITIONAL)
    )
    return Shape(types, normal_type(function.returns)).text


def _summary(docstring: str | None) -> str:
    text = (docstring or "").strip()
    return text.partition("\n")[0][:_LONGEST_SUMMARY]


def _words(name: str, qualname: str, docstring: str | None) -> str:
    """`name, its parts | parts of what is around it | words of the docstring`."""
    own = dict.fromkeys([name.lower(), *words_of_name(name)])
    around = qualname.removesuffix(name).replace("<locals>", "")
    said = words_of_text(docstring) if docstring else []
    return "|".join((joined(own), joined(words_of_name(around)), joined(said)))
