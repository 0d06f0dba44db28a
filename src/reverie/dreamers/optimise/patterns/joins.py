"""Walks along rows for each key, or along pairs, that a table made once answers at once."""

import ast
from collections.abc import Iterator

from reverie.dreamers.optimise.rewrite import Rewrite
from reverie.dreamers.rewriting.bodies import working_body
from reverie.dreamers.rewriting.scene import Loop, Scene
from reverie.dreamers.rewriting.source import Edits


def _join(scene: Scene) -> Iterator[Edits]:
    """A helper walks along rows to the first with a key; the key's rows are indexed instead."""
    for node in ast.walk(scene.function):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        found = _first_match(scene, node.func.id)
        if found is None or len(node.args) != 2 or node.keywords:
            continue
        key, rows_at = found
        rows, wanted = node.args[rows_at], node.args[1 - rows_at]
        steady = scene.steady_loops(node, rows.id) if isinstance(rows, ast.Name) else []
        kind = scene.kind_of(wanted)
        if not steady or (kind is not None and not kind.is_hashable):
            continue
        yield _indexed(scene, node, (ast.unparse(rows), key, scene.source.of(wanted)), steady[-1])


def _indexed(scene: Scene, call: ast.Call, parts: tuple[str, str, str], loop: Loop) -> Edits:
    rows, key, wanted = parts
    table, row = scene.fresh(f"first_{rows}"), scene.fresh("row")
    lines = (
        f"{table} = {{}}",
        f"for {row} in {rows}:",
        f"    {table}.setdefault({key.format(row)}, {row})",
    )
    made = scene.source.before(scene.statement_of(loop), *lines)
    return Edits((made, scene.source.replaced(call, f"{table}.get({wanted})")))


def _first_match(scene: Scene, name: str) -> tuple[str, int] | None:
    """The key expression of `for row in rows: if row[key] == x: return row`, then `return None`."""
    function = scene.functions.get(name)
    if function is None or len(function.args.args) != 2 or function.decorator_list:
        return None
    body = working_body(function)
    match body:
        case [
            ast.For(
                target=ast.Name(id=row),
                iter=ast.Name(id=rows),
                body=[ast.If(test=test, body=[ast.Return(value=ast.Name(id=found))], orelse=[])],
                orelse=[],
            ),
            ast.Return(value=None | ast.Constant(value=None)),
        ] if found == row:
            names = [each.arg for each in function.args.args]
            wanted = names[1 - names.index(rows)] if rows in names else None
            key = _key_of(test, row, wanted)
            return None if key is None else (key, names.index(rows))
    return None


def _key_of(test: ast.expr, row: str, wanted: str | None) -> str | None:
    match test:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            for one, two in ((left, right), (right, left)):
                if isinstance(two, ast.Name) and two.id == wanted:
                    match one:
                        case ast.Subscript(
                            value=ast.Name(id=name), slice=ast.Constant() as key
                        ) if name == row:
                            return f"{{}}[{key.value!r}]"
                        case ast.Attribute(value=ast.Name(id=name), attr=attr) if name == row:
                            return f"{{}}.{attr}"
    return None


def _pairs(scene: Scene) -> Iterator[Edits]:
    """Counting pairs whose sum is a goal: what is missing to the goal was counted already."""
    for statement in scene.statements():
        match statement:
            case ast.For(
                target=ast.Name(id=i),
                iter=ast.Call(
                    func=ast.Name(id="range"),
                    args=[ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=xs)])],
                ),
                body=[
                    ast.For(
                        target=ast.Name(id=j),
                        iter=ast.Call(func=ast.Name(id="range"), args=[start, stop]),
                        body=[
                            ast.If(
                                test=ast.Compare(
                                    left=both, ops=[ast.Eq()], comparators=[ast.Name(id=goal)]
                                ),
                                body=[
                                    ast.AugAssign(
                                        target=ast.Name(id=total),
                                        op=ast.Add(),
                                        value=ast.Constant(value=1),
                                    )
                                ],
                                orelse=[],
                            )
                        ],
                    )
                ],
            ):
                shown = (ast.unparse(start), ast.unparse(stop), ast.unparse(both))
                sums = {f"{xs}[{i}] + {xs}[{j}]", f"{xs}[{j}] + {xs}[{i}]"}
                if shown[:2] != (f"{i} + 1", f"len({xs})") or shown[2] not in sums:
                    continue
                kind = scene.kinds.get(xs)
                if kind is None or kind.item is None or not kind.item.is_whole_number:
                    continue
                counts, value = scene.fresh("counts"), scene.fresh("value")
                indent = scene.source.indent_of(statement)
                lines = (
                    f"{counts} = {{}}",
                    f"{indent}for {value} in {xs}:",
                    f"{indent}    {total} += {counts}.get({goal} - {value}, 0)",
                    f"{indent}    {counts}[{value}] = {counts}.get({value}, 0) + 1",
                )
                yield Edits((scene.source.replaced(statement, "\n".join(lines)),))


REWRITES = (
    Rewrite(
        name="join_by_key",
        summary="Index the rows by their key instead of walking along them each time",
        precondition="the rows do not change in the loop, and the key is hashable",
        growth="n² → n",
        propose=_join,
        before=(
            "def find(rows: list[dict], sku: str):\n"
            "    for row in rows:\n"
            '        if row["sku"] == sku:\n'
            "            return row\n"
            "    return None\n"
            "\n"
            "def prices(lines: list[str], rows: list[dict]) -> list:\n"
            "    out = []\n"
            "    for line in lines:\n"
            "        out.append(find(rows, line))\n"
            "    return out\n"
        ),
        after=(
            "def find(rows: list[dict], sku: str):\n"
            "    for row in rows:\n"
            '        if row["sku"] == sku:\n'
            "            return row\n"
            "    return None\n"
            "\n"
            "def prices(lines: list[str], rows: list[dict]) -> list:\n"
            "    out = []\n"
            "    first_rows = {}\n"
            "    for row_2 in rows:\n"
            "        first_rows.setdefault(row_2['sku'], row_2)\n"
            "    for line in lines:\n"
            "        out.append(first_rows.get(line))\n"
            "    return out\n"
        ),
    ),
    Rewrite(
        name="pair_sums",
        summary="Count what is missing to the goal instead of trying all pairs",
        precondition="whole numbers, added up to a goal",
        growth="n² → n",
        propose=_pairs,
        before=(
            "def pairs(xs: list[int], goal: int) -> int:\n"
            "    total = 0\n"
            "    for i in range(len(xs)):\n"
            "        for j in range(i + 1, len(xs)):\n"
            "            if xs[i] + xs[j] == goal:\n"
            "                total += 1\n"
            "    return total\n"
        ),
        after=(
            "def pairs(xs: list[int], goal: int) -> int:\n"
            "    total = 0\n"
            "    counts = {}\n"
            "    for value in xs:\n"
            "        total += counts.get(goal - value, 0)\n"
            "        counts[value] = counts.get(value, 0) + 1\n"
            "    return total\n"
        ),
    ),
)
