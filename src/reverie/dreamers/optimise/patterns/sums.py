"""Sums that are made again from the start."""

import ast
from collections.abc import Iterator

from reverie.dreamers.optimise.rewrite import Rewrite
from reverie.dreamers.rewriting.scene import Loop, Scene
from reverie.dreamers.rewriting.source import Edit, Edits

_ACCUMULATE = frozenset({("itertools", "accumulate")})


def _steady(scene: Scene, node: ast.AST, name: str) -> Loop | None:
    """The outermost loop around a node in which a list of whole numbers does not change."""
    kind = scene.kinds.get(name)
    if kind is None or not kind.is_list or kind.item is None or not kind.item.is_whole_number:
        return None
    found = None
    for loop in scene.loops_around(node):
        if scene.changes(name, loop):
            break
        found = loop
    return found


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
                if loop is None:
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


def _totals(scene: Scene, loop: Loop, name: str, totals: str) -> Edit:
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
                if loop is None:
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


def _closed_form(scene: Scene) -> Iterator[Edits]:
    """`sum(range(n))`."""
    for node in ast.walk(scene.function):
        match node:
            case ast.Call(
                func=ast.Name(id="sum"),
                args=[ast.Call(func=ast.Name(id="range"), args=[ast.Name(id=n)])],
                keywords=[],
            ):
                kind = scene.kinds.get(n)
                if kind is not None and kind.name == "int":
                    text = f"({n} * ({n} - 1) // 2 if {n} > 0 else 0)"
                    yield Edits((scene.source.replaced(node, text),))


def _power(scene: Scene) -> Iterator[Edits]:
    """`for _ in range(n): r = r * b % m`, from 1."""
    for statement in scene.statements():
        match statement:
            case ast.For(
                target=ast.Name(id=count),
                iter=ast.Call(func=ast.Name(id="range"), args=[ast.Name(id=n)]),
                body=[
                    ast.Assign(
                        targets=[ast.Name(id=out)],
                        value=ast.BinOp(
                            left=ast.BinOp(
                                left=ast.Name(id=result), op=ast.Mult(), right=ast.Name(id=base)
                            ),
                            op=ast.Mod(),
                            right=ast.Name(id=modulus),
                        ),
                    )
                ],
                orelse=[],
            ) if out == result and len(scene.names(count)) == 1:
                kinds = [scene.kinds.get(name) for name in (n, base, modulus)]
                if any(kind is None or kind.name != "int" for kind in kinds):
                    continue
                text = f"{out} = {out} * pow({base}, {n}, {modulus}) % {modulus}"
                indent = scene.source.indent_of(statement)
                guarded = f"if {n} > 0:\n{indent}    {text}"
                yield Edits((scene.source.replaced(statement, guarded),))


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
    Rewrite(
        name="closed_form",
        summary="Compute the sum of a range instead of adding it up",
        precondition="a whole number",
        growth="n → 1",
        propose=_closed_form,
        before="def pairs(n: int) -> int:\n    return sum(range(n))\n",
        after="def pairs(n: int) -> int:\n    return (n * (n - 1) // 2 if n > 0 else 0)\n",
    ),
    Rewrite(
        name="power",
        summary="Raise to the power at once",
        precondition="whole numbers, multiplied and reduced in a loop",
        growth="n → log n",
        propose=_power,
        before=(
            "def raised(base: int, n: int, m: int) -> int:\n"
            "    result = 1\n"
            "    for _ in range(n):\n"
            "        result = result * base % m\n"
            "    return result\n"
        ),
        after=(
            "def raised(base: int, n: int, m: int) -> int:\n"
            "    result = 1\n"
            "    if n > 0:\n"
            "        result = result * pow(base, n, m) % m\n"
            "    return result\n"
        ),
    ),
)
