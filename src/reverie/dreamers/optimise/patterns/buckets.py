"""Helpers that look through all rows for those with a key: handed those rows alone."""

import ast
from collections.abc import Iterator

from reverie.dreamers.optimise.patterns.filters import Filter, split_filter, table_of
from reverie.dreamers.rewriting.kinds import from_annotation
from reverie.dreamers.rewriting.repeats import Comprehension, steady_repeats
from reverie.dreamers.rewriting.scene import Function, Scene
from reverie.dreamers.rewriting.source import Edits


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
    return ast.unparse(found.rows), ast.unparse(found.wanted)


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
