"""Sums that are made again from the start."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.repeats import steady_repeats
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edit, Edits

_ACCUMULATE = frozenset({("itertools", "accumulate")})


def _steady(scene: Scene, node: ast.AST, name: str) -> ast.AST | None:
    """The outermost repetition around a node in which a list of whole numbers does not change."""
    kind = scene.kinds.get(name)
    if kind is None or not kind.is_list or kind.item is None or not kind.item.is_whole_number:
        return None
    steady = steady_repeats(scene, node, name)
    return steady[-1] if steady else None


def _is_fallback(scene: Scene, node: ast.AST) -> bool:
    """Whether it is what is left for bounds that running totals do not answer."""
    parent = scene.parents[node]
    return isinstance(parent, ast.If | ast.IfExp) and "_totals" in ast.unparse(parent.test)


def sliced_sum(scene: Scene) -> Iterator[Edits]:
    """`sum(xs[a:b])` in a loop: the difference of two running totals."""
    for node in ast.walk(scene.function):
        match node:
            case ast.Call(
                func=ast.Name(id="sum"),
                args=[
                    ast.Subscript(
                        value=ast.Name(id=name), slice=ast.Slice(lower=low, upper=high, step=None)
                    )
                ],
                keywords=[],
            ) if high is not None:
                loop = _steady(scene, node, name)
                if loop is None or _is_fallback(scene, node):
                    continue
                totals, source = scene.fresh(f"{name}_totals"), scene.source
                start = "0" if low is None else source.of(low)
                stop = source.of(high)
                text = (
                    f"({totals}[{stop}] - {totals}[{start}] "
                    f"if 0 <= {start} <= {stop} < len({totals}) else {source.of(node)})"
                )
                yield Edits(
                    (_totals(scene, loop, name, totals), source.replaced(node, text)), _ACCUMULATE
                )


def window_sum(scene: Scene) -> Iterator[Edits]:
    """`window = xs[a:b]` that is only added up and measured: both without making it."""
    for node in scene.statements():
        match node:
            case ast.Assign(
                targets=[ast.Name(id=window)],
                value=ast.Subscript(
                    value=ast.Name(id=name), slice=ast.Slice(lower=low, upper=high, step=None)
                ) as cut,
            ) if low is not None and high is not None and len(scene.bindings(window)) == 1:
                loop = _steady(scene, node, name)
                used = [each for each in scene.names(window) if isinstance(each.ctx, ast.Load)]
                calls = [scene.parents[each] for each in used]
                shown = {ast.unparse(each) for each in calls}
                if loop is None or shown != {f"sum({window})", f"len({window})"}:
                    continue
                totals, source = scene.fresh(f"{name}_totals"), scene.source
                start, stop = scene.fresh("start"), scene.fresh("stop")
                made = source.of(cut.slice).partition(":")
                bounds = f"{start}, {stop}, _ = slice({made[0].strip()}, {made[2].strip()})"
                indices = f"{bounds}.indices(len({name}))"
                edits = [_totals(scene, loop, name, totals), source.replaced(node, indices)]
                size = f"max({stop} - {start}, 0)"
                added = f"({totals}[max({stop}, {start})] - {totals}[{start}])"
                for call in calls:
                    is_sum = ast.unparse(call) == f"sum({window})"
                    edits.append(source.replaced(call, added if is_sum else size))
                yield Edits(tuple(edits), _ACCUMULATE)


def _totals(scene: Scene, loop: ast.AST, name: str, totals: str) -> Edit:
    line = f"{totals} = list(accumulate({name}, initial=0))"
    return scene.source.before(scene.statement_of(loop), line)


def ranged_sum(scene: Scene) -> Iterator[Edits]:
    """`total = 0`, then `for i in range(a, b): total += xs[i]`, inside another loop."""
    for statement in scene.statements():
        match statement:
            case ast.For(
                target=ast.Name(id=i),
                iter=ast.Call(func=ast.Name(id="range"), args=[low, high]),
                body=[
                    ast.AugAssign(
                        target=ast.Name(id=total),
                        op=ast.Add(),
                        value=ast.Subscript(value=ast.Name(id=name), slice=ast.Name(id=index)),
                    )
                ],
                orelse=[],
            ) if index == i and len(scene.names(i)) == 2:
                loop = _steady(scene, statement, name)
                if loop is None or _is_fallback(scene, statement):
                    continue
                totals, source = scene.fresh(f"{name}_totals"), scene.source
                start, stop = source.of(low), source.of(high)
                indent = source.indent_of(statement)
                text = (
                    f"if 0 <= {start} <= {stop} < len({totals}):\n"
                    f"{indent}    {total} += {totals}[{stop}] - {totals}[{start}]\n"
                    f"{indent}else:\n"
                    f"{indent}    for {i} in range({start}, {stop}):\n"
                    f"{indent}        {total} += {name}[{i}]"
                )
                yield Edits(
                    (_totals(scene, loop, name, totals), source.replaced(statement, text)),
                    _ACCUMULATE,
                )


def prefix_sums(scene: Scene) -> Iterator[Edits]:
    """`[sum(xs[:i + 1]) for i in range(len(xs))]`."""
    for node in ast.walk(scene.function):
        match node:
            case ast.ListComp(
                elt=ast.Call(
                    func=ast.Name(id="sum"),
                    args=[ast.Subscript(value=ast.Name(id=name), slice=cut)],
                    keywords=[],
                ),
                generators=[
                    ast.comprehension(target=ast.Name(id=i), iter=walk, ifs=[], is_async=0)
                ],
            ):
                kind = scene.kinds.get(name)
                whole = kind is not None and kind.item is not None and kind.item.is_whole_number
                shown = (ast.unparse(cut), ast.unparse(walk))
                if whole and shown == (f":{i} + 1", f"range(len({name}))"):
                    yield Edits(
                        (scene.source.replaced(node, f"list(accumulate({name}))"),), _ACCUMULATE
                    )
