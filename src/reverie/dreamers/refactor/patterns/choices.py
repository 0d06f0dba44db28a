"""Chains of choices that are a table, and handlers that catch more than can happen."""

import ast
from collections.abc import Iterator

from reverie.dreamers.refactor.layout import has_comment, is_alone, last_line
from reverie.dreamers.refactor.refactoring import Place
from reverie.dreamers.rewriting.kinds import Kind
from reverie.dreamers.rewriting.source import Edits

_LEAST_ARMS = 4


def table(place: Place) -> Iterator[Edits]:
    """`if x == a: return 1`, `elif x == b: return 2`, and so on, to the end of the function."""
    body = place.function.body
    start = next((n for n, each in enumerate(body) if isinstance(each, ast.If)), None)
    if start is None:
        return
    arms, otherwise = _arms(body[start:])
    if len(arms) < _LEAST_ARMS or not isinstance(otherwise, ast.Constant):
        return
    subjects = {ast.dump(left) for left, _, _ in arms}
    keys = [key.value for _, key, _ in arms]
    subject = arms[0][0]
    kind = place.kind_of(subject)
    if len(subjects) != 1 or len(set(keys)) != len(keys) or kind not in (Kind("str"), Kind("int")):
        return
    if {type(key).__name__ for key in keys} != {kind.name}:
        return
    first, last = body[start].lineno, last_line(body[-1])
    if not is_alone(place, body[start:]) or has_comment(place, first, last):
        return
    yield _as_table(place, arms, otherwise, (first, last))


_Arm = tuple[ast.expr, ast.Constant, ast.Constant]


def _arms(rest: list[ast.stmt]) -> tuple[list[_Arm], ast.expr | None]:
    """Every choice with its answer, and the answer for all else; nothing else may be there."""
    found: list[_Arm] = []
    while rest:
        match rest[0]:
            case ast.If(
                test=ast.Compare(left=left, ops=[ast.Eq()], comparators=[ast.Constant() as key]),
                body=[ast.Return(value=ast.Constant() as answer)],
                orelse=orelse,
            ) if isinstance(left, ast.Name):
                found.append((left, key, answer))
                if orelse and len(rest) > 1:
                    return [], None
                rest = orelse or rest[1:]
            case ast.Return(value=value) if len(rest) == 1:
                return found, value
            case _:
                return [], None
    return [], None


def _as_table(
    place: Place, arms: list[_Arm], otherwise: ast.Constant, lines: tuple[int, int]
) -> Edits:
    source = place.source
    name = place.fresh(f"_{place.function.name.strip('_').upper()}")
    rows = [f"{place.step}{source.of(key)}: {source.of(answer)},\n" for _, key, answer in arms]
    made = [f"{name} = {{\n", *rows, "}\n", "\n", "\n"]
    top = _top_statement(place)
    asked = source.of(arms[0][0])
    is_none = otherwise.value is None
    get = f"{name}.get({asked})" if is_none else f"{name}.get({asked}, {source.of(otherwise)})"
    indent = source.indent_of(place.function.body[0])
    return Edits(
        (source.relined(top, top - 1, made), source.relined(*lines, [f"{indent}return {get}\n"]))
    )


def _top_statement(place: Place) -> int:
    """The line of the definition at the top of the module that the function belongs to."""
    outer = place.owner or place.function
    for node in place.source.tree.body:
        if any(each is outer for each in ast.walk(node)):
            outer = node  # type: ignore[assignment]
    decorators = [each.lineno for each in outer.decorator_list]
    return min([outer.lineno, *decorators])
