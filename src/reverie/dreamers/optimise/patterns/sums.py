"""Sums that are made again from the start."""

import ast
from collections.abc import Iterator

from reverie.dreamers.optimise.rewrite import Rewrite
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


def _sliced_sum(scene: Scene) -> Iterator[Edits]:
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


def _window_sum(scene: Scene) -> Iterator[Edits]:
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


def _ranged_sum(scene: Scene) -> Iterator[Edits]:
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


def _prefix_sums(scene: Scene) -> Iterator[Edits]:
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


REWRITES = (
    Rewrite(
        name="sliced_sum",
        summary="Take sums of slices from running totals",
        precondition="whole numbers in a list that does not change in the loop",
        growth="n² → n",
        propose=_sliced_sum,
        before=(
            "def windows(xs: list[int], k: int) -> list[int]:\n"
            "    out = []\n"
            "    for i in range(len(xs)):\n"
            "        out.append(sum(xs[i:i + k]))\n"
            "    return out\n"
        ),
        after=(
            "from itertools import accumulate\n"
            "def windows(xs: list[int], k: int) -> list[int]:\n"
            "    out = []\n"
            "    xs_totals = list(accumulate(xs, initial=0))\n"
            "    for i in range(len(xs)):\n"
            "        out.append((xs_totals[i + k] - xs_totals[i] "
            "if 0 <= i <= i + k < len(xs_totals) else sum(xs[i:i + k])))\n"
            "    return out\n"
        ),
    ),
    Rewrite(
        name="window_sum",
        summary="Take the sum and the length of a window from running totals",
        precondition="whole numbers in a list that does not change in the loop",
        growth="n² → n",
        propose=_window_sum,
        before=(
            "def means(xs: list[int], k: int) -> list[float]:\n"
            "    out = []\n"
            "    for i in range(len(xs)):\n"
            "        part = xs[max(0, i - k):i + 1]\n"
            "        out.append(sum(part) / len(part))\n"
            "    return out\n"
        ),
        after=(
            "from itertools import accumulate\n"
            "def means(xs: list[int], k: int) -> list[float]:\n"
            "    out = []\n"
            "    xs_totals = list(accumulate(xs, initial=0))\n"
            "    for i in range(len(xs)):\n"
            "        start, stop, _ = slice(max(0, i - k), i + 1).indices(len(xs))\n"
            "        out.append((xs_totals[max(stop, start)] - xs_totals[start]) "
            "/ max(stop - start, 0))\n"
            "    return out\n"
        ),
    ),
    Rewrite(
        name="ranged_sum",
        summary="Take sums of ranges from running totals",
        precondition="whole numbers in a list that does not change in the loop",
        growth="n² → n",
        propose=_ranged_sum,
        before=(
            "def totals(xs: list[int], cuts: list[int]) -> list[int]:\n"
            "    out = []\n"
            "    for cut in cuts:\n"
            "        total = 0\n"
            "        for i in range(0, cut):\n"
            "            total += xs[i]\n"
            "        out.append(total)\n"
            "    return out\n"
        ),
        after=(
            "from itertools import accumulate\n"
            "def totals(xs: list[int], cuts: list[int]) -> list[int]:\n"
            "    out = []\n"
            "    xs_totals = list(accumulate(xs, initial=0))\n"
            "    for cut in cuts:\n"
            "        total = 0\n"
            "        if 0 <= 0 <= cut < len(xs_totals):\n"
            "            total += xs_totals[cut] - xs_totals[0]\n"
            "        else:\n"
            "            for i in range(0, cut):\n"
            "                total += xs[i]\n"
            "        out.append(total)\n"
            "    return out\n"
        ),
    ),
    Rewrite(
        name="prefix_sums",
        summary="Let `accumulate` carry the total along",
        precondition="whole numbers",
        growth="n² → n",
        propose=_prefix_sums,
        before=(
            "def running(xs: list[int]) -> list[int]:\n"
            "    return [sum(xs[: i + 1]) for i in range(len(xs))]\n"
        ),
        after=(
            "from itertools import accumulate\n"
            "def running(xs: list[int]) -> list[int]:\n"
            "    return list(accumulate(xs))\n"
        ),
    ),
)
