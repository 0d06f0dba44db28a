"""Rows that are walked along for each key: grouped by the key once, and looked up."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.dreamers.rewriting.kinds import from_annotation
from reverie.dreamers.rewriting.repeats import (
    kind_inside,
    repeats_around,
    steady_repeats,
)
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edit, Edits
from reverie.syntax.nodes import Comprehension, Function, names_in
from reverie.syntax.unparsing import unparse


@dataclass(frozen=True, slots=True)
class Filter:
    """`for target in rows: if key == wanted [and rest]`, as a loop or in a comprehension."""

    target: ast.expr
    rows: ast.expr
    key: ast.expr
    wanted: ast.expr
    rest: tuple[ast.expr, ...]
    within: ast.AST
    """The loop, or the comprehension."""


def grouped_rows(scene: Scene) -> Iterator[Edits]:
    """`for row in rows: if row.key == x` in a loop: rows are grouped in front of it."""
    for found in (*_loops(scene), *_comprehensions(scene)):
        outer = _outermost(scene, found)
        if outer is None or not _can_be_key(scene, found):
            continue
        table, lines = table_of(scene, found, scene.source.of(found.rows))
        asked = f"{table}.get({scene.source.of(found.wanted)}, ())"
        edits = _narrowed(scene, found, asked)
        if edits is not None:
            yield Edits((*_made(scene, found, outer, table, lines), *edits))


def _made(
    scene: Scene, found: Filter, outer: ast.AST, table: str, lines: tuple[str, ...]
) -> tuple[Edit, ...]:
    """The table in front of the loop; at its first use where making it might raise."""
    source, first = scene.source, scene.statement_of(outer)
    place = scene.statement_of(found.within)
    may_raise = isinstance(found.key, ast.Subscript) and isinstance(found.target, ast.Name)
    if not may_raise or place is first or not isinstance(outer, ast.For | ast.While):
        return (source.before(first, *lines),)
    later = (f"if {table} is None:", *(f"    {line}" for line in lines))
    return source.before(first, f"{table} = None"), source.before(place, *later)


def _loops(scene: Scene) -> Iterator[Filter]:
    for node in ast.walk(scene.function):
        match node:
            case ast.For(target=target, iter=rows, body=[ast.If(test=test, orelse=[])]) if (
                repeats_around(scene, node)
            ):
                yield from split_filter(node, target, rows, [test])


def _comprehensions(scene: Scene) -> Iterator[Filter]:
    for node in ast.walk(scene.function):
        if isinstance(node, Comprehension) and repeats_around(scene, node):
            first = node.generators[0]
            if first.ifs and not first.is_async:
                yield from split_filter(node, first.target, first.iter, first.ifs)


def split_filter(
    within: ast.AST, target: ast.expr, rows: ast.expr, tests: list[ast.expr]
) -> Iterator[Filter]:
    """The first of what is asked has to be an equality with something that no row changes."""
    first, rest = tests[0], tests[1:]
    if isinstance(first, ast.BoolOp) and isinstance(first.op, ast.And):
        rest = [*first.values[1:], *rest]
        first = first.values[0]
    names = names_in(target)
    match first:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            for key, wanted in ((left, right), (right, left)):
                mine, theirs = names_in(key), names_in(wanted)
                if mine and mine <= names and not theirs & names and _is_place(key):
                    yield Filter(target, rows, key, wanted, tuple(rest), within)


def _is_place(node: ast.expr) -> bool:
    """A row, a field or an item of it: reading it does nothing."""
    match node:
        case ast.Name():
            return True
        case ast.Attribute(value=value) | ast.Subscript(value=value, slice=ast.Constant()):
            return _is_place(value)
    return False


def _is_simple(node: ast.expr) -> bool:
    """What is wanted may be asked for once instead of for each row."""
    match node:
        case ast.Constant():
            return True
        case ast.Tuple(elts=elts):
            return all(map(_is_simple, elts))
        case ast.BinOp(left=left, right=right):
            return _is_simple(left) and _is_simple(right)
        case ast.Subscript(value=value, slice=index):
            return _is_simple(value) and _is_simple(index)
    return _is_place(node)


def _outermost(scene: Scene, found: Filter) -> ast.AST | None:
    """The outermost repetition in which neither the rows nor their keys change."""
    root = _root(found.rows)
    if root is None or not _is_simple(found.wanted) or _sets_key(scene, found):
        return None
    steady = steady_repeats(scene, found.within, root)
    return steady[-1] if steady else None


def _root(rows: ast.expr) -> str | None:
    match rows:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=ast.Name(id=name)):
            return name
        case ast.Call(func=ast.Attribute(value=inner, attr="items" | "values"), args=[]):
            return _root(inner)
    return None


def _sets_key(scene: Scene, found: Filter) -> bool:
    """Whether the function writes fields or items of the name that the key is read from."""
    if isinstance(found.key, ast.Name):
        return False
    field = found.key.attr if isinstance(found.key, ast.Attribute) else None
    for node in ast.walk(scene.function):
        match node:
            case ast.Attribute(attr=attr, ctx=ast.Store()) if attr == field:
                return True
            case ast.Subscript(slice=index, ctx=ast.Store()) if field is None:
                if isinstance(found.key, ast.Subscript) and ast.dump(index) == ast.dump(
                    found.key.slice
                ):
                    return True
    return False


def _can_be_key(scene: Scene, found: Filter) -> bool:
    kinds = (kind_inside(scene, found.wanted), kind_inside(scene, found.key))
    return all(kind is None or kind.is_exact for kind in kinds)


def table_of(scene: Scene, found: Filter, rows: str) -> tuple[str, tuple[str, ...]]:
    """The name of a table of rows by their key, and the lines that make it."""
    key = scene.source.of(found.key)
    shown = rows.partition("(")[0].removesuffix(".items").removesuffix(".values")
    called = unparse(found.key).replace("'", "").rstrip("]").replace("[", ".")
    field = called.rpartition(".")[2]
    name = f"{shown.rpartition('.')[2]}_by_{field}" if field.isidentifier() else "rows_by_key"
    table = scene.fresh(name)
    own = next(iter(names_in(found.key)))
    row, renamed = _row(scene, found.target, own)
    return table, (
        f"{table} = {{}}",
        f"for {row} in {rows}:",
        f"    {table}.setdefault({renamed + key[len(own) :]}, []).append({_bundled(row)})",
    )


def _row(scene: Scene, target: ast.expr, own: str) -> tuple[str, str]:
    """Names for a row, taken apart as it was, and the one that the key is read from."""
    if not isinstance(target, ast.Tuple):
        each = scene.fresh("each")
        return each, each
    names = {each: scene.fresh(each) for each in sorted(names_in(target))}
    parts = [names[each.id] for each in target.elts if isinstance(each, ast.Name)]
    return ", ".join(parts), names[own]


def _bundled(row: str) -> str:
    return f"({row})" if "," in row else row


def _narrowed(scene: Scene, found: Filter, asked: str) -> tuple[Edit, ...] | None:
    """The walk along the group alone."""
    if not isinstance(found.target, ast.Name) and not _is_flat(found.target):
        return None
    source = scene.source
    if isinstance(found.within, ast.For):
        if is_used_after(scene, found.target, found.within):
            return None
        return (source.replaced(found.rows, asked), *_unasked(scene, found))
    first = found.within.generators[0]  # type: ignore[attr-defined]
    start, end = source.span(first.iter)[0], source.span(first.ifs[-1])[1]
    tests = "".join(f" if {source.of(each)}" for each in found.rest)
    return (Edit(start, end, asked + tests),)


def is_used_after(scene: Scene, target: ast.expr, loop: ast.For) -> bool:
    """Whether what the walk leaves in its names is read: of a group alone, it is another row."""
    end, names = loop.end_lineno or 0, names_in(target)
    late = [each for name in names for each in scene.names(name) if each.lineno > end]
    return any(isinstance(each.ctx, ast.Load) and not _is_anew(scene, each) for each in late)


def _is_anew(scene: Scene, each: ast.Name) -> bool:
    """Whether a loop or comprehension around it binds the name for itself."""
    around = repeats_around(scene, each)
    heads = [
        part.target
        for repeat in around
        for part in (repeat, *getattr(repeat, "generators", ()))
        if isinstance(part, ast.For | ast.comprehension)
    ]
    return any(each.id in names_in(head) for head in heads)


def _is_flat(target: ast.expr) -> bool:
    return isinstance(target, ast.Tuple) and all(isinstance(e, ast.Name) for e in target.elts)


def _unasked(scene: Scene, found: Filter) -> tuple[Edit, ...]:
    """The question answered by the table is not asked again, where its answer is plain."""
    test = found.within.body[0]  # type: ignore[attr-defined]
    source, sure = scene.source, kind_inside(scene, found.wanted) is not None
    if not sure:
        return ()
    if found.rest:
        return (source.replaced(test.test, " and ".join(map(source.of, found.rest))),)
    text = source.without_head(test, test.body)
    return () if text is None else (Edit(source.span(test)[0], source.span(test)[1], text),)


def bucketed_helper(scene: Scene) -> Iterator[Edits]:
    """A helper that looks through rows for one key: it is handed those rows alone."""
    for node in ast.walk(scene.function):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.keywords:
            continue
        helper = scene.functions.get(node.func.id)
        if helper is None or helper is scene.function or helper.decorator_list:
            continue
        names = [each.arg for each in helper.args.args]
        found = _only_filter(scene, helper)
        if found is None or len(names) != len(node.args):
            continue
        rows, wanted = (node.args[names.index(each)] for each in _parts(found))
        steady = steady_repeats(scene, node, rows.id) if isinstance(rows, ast.Name) else []
        if steady and all(scene.is_pure_node(e, frozenset()) for e in ast.walk(wanted)):
            yield _handed(scene, found, rows, wanted, steady[-1])


def _parts(found: Filter) -> tuple[str, str]:
    return unparse(found.rows), unparse(found.wanted)


def _only_filter(scene: Scene, helper: Function) -> Filter | None:
    """The one look through a parameter for rows whose key is another parameter."""
    given = {each.arg: from_annotation(each.annotation) for each in helper.args.args}
    for node in ast.walk(helper):
        for found in _filters_of(node):
            rows, wanted = _parts(found)
            kind, held = given.get(wanted), given.get(rows)
            listed = held is not None and held.is_list
            if listed and kind is not None and kind.is_exact and rows != wanted:
                uses = [len(scene.names(each, helper)) for each in (rows, wanted)]
                bound = [bool(scene.bindings(each, helper)) for each in (rows, wanted)]
                if uses[0] == 1 and not any(bound):
                    return found
    return None


def _filters_of(node: ast.AST) -> Iterator[Filter]:
    match node:
        case ast.For(target=target, iter=ast.Name() as rows, body=[ast.If(test=test, orelse=[])]):
            yield from split_filter(node, target, rows, [test])
        case _ if isinstance(node, Comprehension):
            first = node.generators[0]
            if first.ifs and isinstance(first.iter, ast.Name):
                yield from split_filter(node, first.target, first.iter, first.ifs)


def _handed(scene: Scene, found: Filter, rows: ast.expr, wanted: ast.expr, outer: ast.AST) -> Edits:
    source = scene.source
    table, lines = table_of(scene, found, source.of(rows))
    made = source.before(scene.statement_of(outer), *lines)
    asked = f"{table}.get({source.of(wanted)}, [])"
    return Edits((made, source.replaced(rows, asked)))


def group_walk(scene: Scene) -> Iterator[Edits]:
    """`for group in groups: if key(group[0]) == key(x): group.append(x); break`, else a new one."""
    for walk in ast.walk(scene.function):
        match walk:
            case ast.For(
                target=ast.Name(id=group),
                iter=ast.Name(id=groups),
                body=[
                    ast.If(
                        test=ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]),
                        body=[ast.Expr(value=added), ast.Break()],
                        orelse=[],
                    )
                ],
                orelse=[ast.Expr(value=opened)],
            ):
                found = _key_of(scene, (left, right), group, opened, groups)
                if found is None or unparse(added) != f"{group}.append({found[0]})":
                    continue
                if _is_own(scene, groups, walk):
                    yield _by_key(scene, walk, groups, *found)


def _key_of(
    scene: Scene, sides: tuple[ast.expr, ast.expr], group: str, opened: ast.expr, groups: str
) -> tuple[str, ast.expr] | None:
    """The name of what is put into groups, and its key, when both sides have the same one."""
    match opened:
        case ast.Call(args=[ast.List(elts=[ast.Name(id=x)])]) if (
            unparse(opened) == f"{groups}.append([{x}])"
        ):
            for mine, theirs in (sides, sides[::-1]):
                of_first = unparse(theirs).replace(f"{group}[0]", x)
                if unparse(mine) == of_first and not scene.names(group, mine):
                    return (x, mine) if _is_key(scene, mine) else None
    return None


def _is_key(scene: Scene, key: ast.expr) -> bool:
    """Whether it only computes, and gives something that can be a key, or a sorted list of such."""
    if not all(scene.is_pure_node(node, frozenset()) for node in ast.walk(key)):
        return False
    kind = scene.kind_of(key)
    if kind is not None and kind.name == "list":
        return kind.item is not None and kind.item.is_exact
    return kind is not None and kind.is_exact


def _is_own(scene: Scene, groups: str, walk: ast.For) -> bool:
    """Whether the list of groups begins empty, and nothing else in the loop touches it."""
    bindings = scene.bindings(groups)
    loops = scene.loops_around(walk)
    if len(bindings) != 1 or not loops or groups in scene.parameters:
        return False
    made = scene.statement_of(bindings[0])
    value = made.value if isinstance(made, ast.Assign | ast.AnnAssign) else None
    empty = isinstance(value, ast.List) and not value.elts
    return empty and len(scene.names(groups, loops[-1])) == 2


def _by_key(scene: Scene, walk: ast.For, groups: str, x: str, key: ast.expr) -> Edits:
    source, loop = scene.source, scene.loops_around(walk)[-1]
    table, name = scene.fresh(f"{groups}_by_key"), scene.fresh("key")
    kind, indent = scene.kind_of(key), source.indent_of(walk)
    shown = source.of(key)
    shown = f"tuple({shown})" if kind is not None and kind.name == "list" else shown
    text = (
        f"{name} = {shown}\n"
        f"{indent}if {name} in {table}:\n"
        f"{indent}    {table}[{name}].append({x})\n"
        f"{indent}else:\n"
        f"{indent}    {table}[{name}] = [{x}]\n"
        f"{indent}    {groups}.append({table}[{name}])"
    )
    made = source.before(scene.statement_of(loop), f"{table} = {{}}")
    return Edits((made, Edit(*source.span(walk), text)))
