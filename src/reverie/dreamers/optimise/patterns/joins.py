"""Walks along rows for each key, or along pairs, that a table made once answers at once."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.dreamers.rewriting.bodies import working_body
from reverie.dreamers.rewriting.scene import Loop, Scene
from reverie.dreamers.rewriting.source import Edits


@dataclass(frozen=True, slots=True)
class _Walk:
    """`for row in rows: if key == x: return answer`, and what is answered otherwise."""

    key: str
    answer: str
    rows_at: int
    otherwise: str | None


def join_by_key(scene: Scene) -> Iterator[Edits]:
    """A helper walks along rows to the first with a key; the key's rows are indexed instead."""
    for node in ast.walk(scene.function):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        found = _first_match(scene, node.func.id)
        if found is None or len(node.args) != 2 or node.keywords:
            continue
        rows, wanted = node.args[found.rows_at], node.args[1 - found.rows_at]
        steady = scene.steady_loops(node, rows.id) if isinstance(rows, ast.Name) else []
        kind = scene.kind_of(wanted)
        if not steady or (kind is not None and not kind.is_hashable):
            continue
        yield _indexed(scene, node, found, (ast.unparse(rows), scene.source.of(wanted)), steady[-1])


def _indexed(
    scene: Scene, call: ast.Call, found: _Walk, parts: tuple[str, str], loop: Loop
) -> Edits:
    """A nested function that walks on where the last walk ended, and no further than it has to."""
    rows, wanted = parts
    known, left = scene.fresh(f"known_{rows}"), scene.fresh(f"left_{rows}")
    find, row, key = scene.fresh(f"first_of_{rows}"), scene.fresh("row"), scene.fresh("wanted")
    otherwise = found.otherwise or f"{ast.unparse(call.func)}({_given(found, rows, key)})"
    lines = (
        f"{known}, {left} = {{}}, iter({rows})",
        "",
        f"def {find}({key}):",
        f"    if {key} in {known}:",
        f"        return {found.answer.format(f'{known}[{key}]')}",
        f"    for {row} in {left}:",
        f"        {known}.setdefault({found.key.format(row)}, {row})",
        f"        if {found.key.format(row)} == {key}:",
        f"            return {found.answer.format(row)}",
        f"    return {otherwise}",
        "",
    )
    made = scene.source.before(scene.statement_of(loop), *lines)
    return Edits((made, scene.source.replaced(call, f"{find}({wanted})")))


def _given(found: _Walk, rows: str, key: str) -> str:
    return f"{rows}, {key}" if found.rows_at == 0 else f"{key}, {rows}"


def _first_match(scene: Scene, name: str) -> _Walk | None:
    """The walk of a helper to the first row with a key, when it does nothing else."""
    function = scene.functions.get(name)
    if function is None or len(function.args.args) != 2 or function.decorator_list:
        return None
    body = working_body(function)
    match body:
        case [
            ast.For(
                target=ast.Name(id=row),
                iter=ast.Name(id=rows),
                body=[ast.If(test=test, body=[ast.Return(value=ast.expr() as found)], orelse=[])],
                orelse=[],
            ),
            *rest,
        ] if len(rest) < 2:
            names = [each.arg for each in function.args.args]
            wanted = names[1 - names.index(rows)] if rows in names else None
            key, answer = _key_of(test, row, wanted), _part_of(found, row)
            if key is None or answer is None:
                return None
            return _Walk(key, answer, names.index(rows), _otherwise(rest))
    return None


def _otherwise(rest: list[ast.stmt]) -> str | None:
    """What a walk answers that finds nothing; None where only the helper can say."""
    match rest:
        case []:
            return "None"
        case [ast.Return(value=None)]:
            return "None"
        case [ast.Return(value=ast.Constant() as constant)]:
            return ast.unparse(constant)
    return None


def _part_of(node: ast.expr, row: str) -> str | None:
    """A row, its field or its item, with `{}` in its place."""
    match node:
        case ast.Name(id=name) if name == row:
            return "{}"
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant() as key) if name == row:
            return f"{{}}[{key.value!r}]"
        case ast.Attribute(value=ast.Name(id=name), attr=attr) if name == row:
            return f"{{}}.{attr}"
    return None


def _key_of(test: ast.expr, row: str, wanted: str | None) -> str | None:
    match test:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            for one, two in ((left, right), (right, left)):
                if isinstance(two, ast.Name) and two.id == wanted:
                    return _part_of(one, row)
    return None
