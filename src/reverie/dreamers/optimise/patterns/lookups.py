"""Walks along a list that a table, made once, answers at once."""

import ast
from collections.abc import Iterator

from reverie.dreamers.optimise.rewrite import Rewrite
from reverie.dreamers.rewriting.scene import Loop, Scene
from reverie.dreamers.rewriting.source import Edits


def _calls_in_loops(scene: Scene, method: str) -> Iterator[tuple[ast.Call, str, Loop]]:
    """`things.method(x)` in loops that leave a hashable list alone; the outermost such loop."""
    for node in ast.walk(scene.function):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr=attr), args=[asked], keywords=[]
            ):
                kind, wanted = scene.kinds.get(name), scene.kind_of(asked)
                if attr != method or kind is None or not kind.is_list or kind.item is None:
                    continue
                if not kind.item.is_hashable or (wanted is not None and not wanted.is_hashable):
                    continue
                steady = _steady_loops(scene, node, name)
                if steady:
                    yield node, name, steady[-1]


def _steady_loops(scene: Scene, node: ast.AST, name: str) -> list[Loop]:
    found = []
    for loop in scene.loops_around(node):
        if scene.changes(name, loop):
            break
        found.append(loop)
    return found


def _count(scene: Scene) -> Iterator[Edits]:
    for call, name, loop in _calls_in_loops(scene, "count"):
        counts, source = scene.fresh(f"{name}_counts"), scene.source
        made = source.before(scene.statement_of(loop), f"{counts} = Counter({name})")
        asked = source.of(call.args[0])
        yield Edits(
            (made, source.replaced(call, f"{counts}[{asked}]")),
            frozenset({("collections", "Counter")}),
        )


def _index(scene: Scene) -> Iterator[Edits]:
    """All places of one list at once; what is not in the list stays an error of `index`."""
    by_list: dict[tuple[str, Loop], list[ast.Call]] = {}
    for call, name, loop in _calls_in_loops(scene, "index"):
        by_list.setdefault((name, loop), []).append(call)
    for (name, loop), calls in by_list.items():
        places, source = scene.fresh(f"{name}_places"), scene.source
        each, number = scene.fresh("thing"), scene.fresh("place")
        lines = (
            f"{places} = {{}}",
            f"for {number}, {each} in enumerate({name}):",
            f"    {places}.setdefault({each}, {number})",
        )
        edits = [source.before(scene.statement_of(loop), *lines)]
        for call in calls:
            asked = source.of(call.args[0])
            safe = f"{places}[{asked}] if {asked} in {places} else {name}.index({asked})"
            text = f"{places}[{asked}]" if _is_surely_in(scene, call, name) else f"({safe})"
            edits.append(source.replaced(call, text))
        edits += [
            source.replaced(things, places)
            for test, things in _memberships(scene, name)
            if loop in scene.loops_around(test)
        ]
        yield Edits(tuple(edits))


def _memberships(scene: Scene, name: str) -> Iterator[tuple[ast.Compare, ast.Name]]:
    for node in ast.walk(scene.function):
        match node:
            case ast.Compare(
                ops=[ast.In() | ast.NotIn()], comparators=[ast.Name(id=asked) as things]
            ):
                if asked == name:
                    yield node, things


def _is_surely_in(scene: Scene, call: ast.Call, name: str) -> bool:
    """Whether the value asked for comes from the list itself, or was found to be in it."""
    if not isinstance(call.args[0], ast.Name):
        return False
    asked, node = call.args[0].id, scene.statement_of(call)
    while node is not scene.function:
        parent = scene.parents[node]
        match parent:
            case ast.For(target=ast.Name(id=target), iter=ast.Name(id=things)):
                if (target, things) == (asked, name):
                    return True
            case ast.If(
                test=ast.Compare(
                    left=ast.Name(id=left), ops=[ast.In()], comparators=[ast.Name(id=right)]
                ),
                body=body,
            ):
                if node in body and (left, right) == (asked, name):
                    return True
        node = parent  # type: ignore[assignment]
    return False


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
        steady = _steady_loops(scene, node, rows.id) if isinstance(rows, ast.Name) else []
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
    body = [each for each in function.body if not _is_docstring(each)]
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


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


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
        name="list_count",
        summary="Count everything once instead of one thing at a time",
        precondition="the list does not change in the loop, and what it holds is surely hashable",
        growth="n² → n",
        propose=_count,
        before=(
            "def common(xs: list[str]) -> list[str]:\n"
            "    found = []\n"
            "    for x in xs:\n"
            "        if xs.count(x) > 1:\n"
            "            found.append(x)\n"
            "    return found\n"
        ),
        after=(
            "from collections import Counter\n"
            "def common(xs: list[str]) -> list[str]:\n"
            "    found = []\n"
            "    xs_counts = Counter(xs)\n"
            "    for x in xs:\n"
            "        if xs_counts[x] > 1:\n"
            "            found.append(x)\n"
            "    return found\n"
        ),
    ),
    Rewrite(
        name="list_index",
        summary="Note the place of everything once instead of looking for one thing at a time",
        precondition="the list does not change in the loop, and what it holds is surely hashable",
        growth="n² → n",
        propose=_index,
        before=(
            "def places(xs: list[str]) -> list[int]:\n"
            "    found = []\n"
            "    for x in xs:\n"
            "        found.append(xs.index(x))\n"
            "    return found\n"
        ),
        after=(
            "def places(xs: list[str]) -> list[int]:\n"
            "    found = []\n"
            "    xs_places = {}\n"
            "    for place, thing in enumerate(xs):\n"
            "        xs_places.setdefault(thing, place)\n"
            "    for x in xs:\n"
            "        found.append(xs_places[x])\n"
            "    return found\n"
        ),
    ),
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
