"""An annotation of the result, as a condition that every result has to meet."""

import ast
from collections.abc import Iterator

from reverie.dreamers.fuzz.claims.refusals import own_variables
from reverie.dreamers.fuzz.claims.subjects import Subject
from reverie.dreamers.fuzz.law import Law, LawKind

_PLAIN = {
    "int": "isinstance({0}, int)", "str": "isinstance({0}, str)", "bool": "isinstance({0}, bool)",
    "float": "isinstance({0}, (int, float))", "bytes": "isinstance({0}, bytes)",
    "list": "isinstance({0}, list)", "dict": "isinstance({0}, dict)", "set": "isinstance({0}, set)",
    "tuple": "isinstance({0}, tuple)", "frozenset": "isinstance({0}, frozenset)",
    "None": "{0} is None", "complex": "isinstance({0}, (int, float, complex))",
}  # fmt: skip


def result_laws(subject: Subject) -> Iterator[Law]:
    """That results are of the type that the annotation says."""
    node = subject.node.returns
    if (
        node is None
        or not subject.is_plain
        or subject.is_lazy
        or (isinstance(node, ast.Constant) and node.value is None)
    ):
        return
    check = type_check(node, "result")
    if check is None:
        return
    yield Law(
        LawKind.RESULT_TYPE,
        subject.qualname,
        f"{subject.name} returns {ast.unparse(node)}",
        check,
        own_variables(subject),
        setup=(f"result = {subject.call()}",),
    )


def type_check(node: ast.expr, value: str, depth: int = 0) -> str | None:
    """The condition that a value is of an annotated type; None for what is not understood."""
    match node:
        case ast.Constant(None):
            return f"{value} is None"
        case ast.Constant(str() as text):
            return _of_text(text, value, depth)
        case ast.Name(name):
            return _PLAIN[name].format(value) if name in _PLAIN else None
        case ast.BinOp(left, ast.BitOr(), right):
            parts = [type_check(each, value, depth) for each in (left, right)]
            return None if None in parts else f"({parts[0]} or {parts[1]})"
        case ast.Subscript(ast.Name("Optional"), inner):
            part = type_check(inner, value, depth)
            return None if part is None else f"({value} is None or {part})"
        case ast.Subscript(ast.Name(name), inner) if name in _PLAIN and depth < 2:
            return _container(name, inner, value, depth)
    return None


def _of_text(text: str, value: str, depth: int) -> str | None:
    try:
        return type_check(ast.parse(text, mode="eval").body, value, depth)
    except SyntaxError:
        return None


def _container(name: str, inner: ast.expr, value: str, depth: int) -> str | None:
    whole = _PLAIN[name].format(value)
    item = f"each_{depth}"
    match name, inner:
        case "tuple", ast.Tuple(elts=[first, ast.Constant(value=last)]) if last is Ellipsis:
            part = type_check(first, item, depth + 1)
        case "tuple", ast.Tuple(elts=elements):
            parts = [
                type_check(each, f"{value}[{at}]", depth + 1) for at, each in enumerate(elements)
            ]
            known = "".join(f" and {each}" for each in parts if each is not None)
            return f"({whole} and len({value}) == {len(elements)}{known})"
        case "dict", _:
            return whole
        case _:
            part = type_check(inner, item, depth + 1)
    return whole if part is None else f"({whole} and all({part} for {item} in {value}))"
