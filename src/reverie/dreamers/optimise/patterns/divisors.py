"""Divisors that are looked for one by one."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edits

_ISQRT = frozenset({("math", "isqrt")})


def _is_whole(scene: Scene, *names: str) -> bool:
    kinds = [scene.kinds.get(name) for name in names]
    return all(kind is not None and kind.name == "int" for kind in kinds)


def trial_division(scene: Scene) -> Iterator[Edits]:
    """A look for divisors in `range(2, n)`: the smallest is at most the root."""
    for node in ast.walk(scene.function):
        match node:
            case ast.Call(
                func=ast.Name(id="all" | "any"),
                args=[
                    ast.GeneratorExp(
                        elt=test,
                        generators=[
                            ast.comprehension(target=ast.Name(id=d), iter=walk, ifs=[], is_async=0)
                        ],
                    )
                ],
            ):
                yield from _to_root(scene, walk, test, d)
            case ast.For(
                target=ast.Name(id=d),
                iter=walk,
                body=[ast.If(test=test, body=[ast.Return(value=ast.Constant())], orelse=[])],
                orelse=[],
            ) if len(scene.names(d)) == 2:
                yield from _to_root(scene, walk, test, d)


def _to_root(scene: Scene, walk: ast.expr, test: ast.expr, d: str) -> Iterator[Edits]:
    match walk:
        case ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=2), stop]):
            shown = ast.unparse(test)
            n = shown.partition(" % ")[0].removeprefix("not ")
            asked = {f"{n} % {d}", f"not {n} % {d}", f"{n} % {d} == 0", f"{n} % {d} != 0"}
            stops = {n, f"{n} // 2 + 1", f"int({n} / 2) + 1"}
            if shown in asked and ast.unparse(stop) in stops and _is_whole(scene, n):
                text = f"isqrt(max({n}, 0)) + 1"
                yield Edits((scene.source.replaced(stop, text),), _ISQRT)


def common_divisor(scene: Scene) -> Iterator[Edits]:
    """`for d in range(min(a, b), 0, -1): if a % d == 0 and b % d == 0: return d`."""
    for node in scene.statements():
        match node:
            case ast.For(
                target=ast.Name(id=d),
                iter=walk,
                body=[ast.If(test=test, body=[ast.Return(value=found)], orelse=[])],
                orelse=[],
            ) if isinstance(found, ast.Name) and found.id == d:
                match ast.unparse(walk).split("("):
                    case ["range", "min", rest] if rest.endswith("), 0, -1)"):
                        a, _, b = rest.removesuffix("), 0, -1)").partition(", ")
                        shown = {f"{x} % {d} == 0 and {y} % {d} == 0" for x, y in ((a, b), (b, a))}
                        if ast.unparse(test) in shown and _is_whole(scene, a, b):
                            indent = scene.source.indent_of(node)
                            text = f"if {a} > 0 and {b} > 0:\n{indent}    return gcd({a}, {b})"
                            yield Edits(
                                (scene.source.replaced(node, text),), frozenset({("math", "gcd")})
                            )


def divisors(scene: Scene) -> Iterator[Edits]:
    """`[d for d in range(1, n + 1) if n % d == 0]`: each small one has a large partner."""
    for node in ast.walk(scene.function):
        match node:
            case ast.ListComp(
                elt=ast.Name(id=d),
                generators=[
                    ast.comprehension(target=ast.Name(id=target), iter=walk, ifs=[test], is_async=0)
                ],
            ) if d == target:
                n = ast.unparse(test).partition(" % ")[0].removeprefix("not ")
                tests = (f"{n} % {d} == 0", f"not {n} % {d}")
                walks = ast.unparse(walk) == f"range(1, {n} + 1)"
                if walks and ast.unparse(test) in tests and _is_whole(scene, n):
                    small, source = scene.fresh("small_divisors"), scene.source
                    made = source.before(
                        scene.statement_of(node),
                        f"{small} = [{d} for {d} in range(1, isqrt(max({n}, 0)) + 1) "
                        f"if {n} % {d} == 0]",
                    )
                    text = (
                        f"{small} + [{n} // {d} for {d} in reversed({small}) if {d} * {d} != {n}]"
                    )
                    is_whole = isinstance(scene.parents[node], ast.Return | ast.Assign)
                    text = text if is_whole else f"({text})"
                    yield Edits((made, source.replaced(node, text)), _ISQRT)
