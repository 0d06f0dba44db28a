"""How many of those so far are smaller, counted one by one."""

import ast
from collections.abc import Iterator

from reverie.dreamers.optimise.patterns.membership import made_as_list, only_grows
from reverie.dreamers.rewriting.counts import Count, counts_of
from reverie.dreamers.rewriting.equalities import is_bound_elsewhere
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edit, Edits

_SIGNS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def counted_loop(scene: Scene) -> Iterator[Edits]:
    """`for x in xs: if x < y: count += 1`, with a nought in front of it or not: a sum of ones."""
    for walk in scene.statements():
        match walk:
            case ast.For(
                target=ast.Name(id=x) as target,
                iter=ast.Name(id=xs),
                body=[ast.If(test=test, body=[ast.AugAssign() | ast.Assign() as step], orelse=[])],
                orelse=[],
            ):
                count = _counter(step)
                kind = scene.kinds.get(count or "")
                if count is None or kind is None or not kind.is_whole_number:
                    continue
                if not _is_order(test) or scene.names(count, test) or count in (x, xs):
                    continue
                if x == xs or is_bound_elsewhere(scene, target, walk):
                    continue
                what = f"sum(1 for {x} in {xs} if {scene.source.of(test)})"
                yield _said(scene, walk, count, what)


def _said(scene: Scene, walk: ast.For, count: str, what: str) -> Edits:
    """The sum in the place of the walk, and of the nought in front of it."""
    block = scene.block_of(walk)
    before = block[block.index(walk) - 1] if block.index(walk) else walk
    is_nought = ast.unparse(before) == f"{count} = 0"
    begin, end = scene.source.span(before if is_nought else walk)[0], scene.source.span(walk)[1]
    return Edits((Edit(begin, end, f"{count} {'=' if is_nought else '+='} {what}"),))


def _counter(step: ast.AugAssign | ast.Assign) -> str | None:
    """The name that one is added to."""
    target = step.target if isinstance(step, ast.AugAssign) else step.targets[0]
    return target.id if isinstance(target, ast.Name) and _is_one(step, target.id) else None


def _is_one(step: ast.stmt, count: str) -> bool:
    return ast.unparse(step) in (f"{count} += 1", f"{count} = {count} + 1")


def _is_order(test: ast.expr) -> bool:
    """Whether it compares two plain things."""
    match test:
        case ast.Compare(ops=[sign]) if isinstance(sign, _SIGNS):
            return not any(isinstance(e, ast.Call | ast.NamedExpr) for e in ast.walk(test))
    return False


def growing_rank(scene: Scene) -> Iterator[Edits]:
    """A list in order grows beside the one whose values are counted."""
    by_list: dict[str, list[Count]] = {}
    for count in counts_of(scene):
        by_list.setdefault(count.things, []).append(count)
    for name, counts in by_list.items():
        made, appends = made_as_list(scene, name), scene.method_calls(name, "append")
        if made is None or not any(map(scene.loops_around, appends)):
            continue
        if not only_grows(scene, name):
            continue
        ordered, source = scene.fresh(f"{name}_ordered"), scene.source
        start = source.of(made.value) if made.value is not None else "[]"
        first = f"{ordered} = []" if start == "[]" else f"{ordered} = sorted({start})"
        edits = [source.after(made, first)]
        for call in appends:
            line = f"insort({ordered}, {source.of(call.args[0])})"
            edits.append(source.after(scene.statement_of(call), line))
        edits += [source.replaced(each.node, each.among(ordered)) for each in counts]
        which = {("bisect", each.which) for each in counts}
        yield Edits(tuple(edits), frozenset({("bisect", "insort"), *which}))
