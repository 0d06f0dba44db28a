"""Sums and powers that are made by counting."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edits


def counted_total(scene: Scene) -> Iterator[Edits]:
    """`for i in range(n): total += i` and `sum(i for i in range(a, b))`."""
    for node in ast.walk(scene.function):
        match node:
            case ast.For(
                target=ast.Name(id=i),
                iter=ast.Call(func=ast.Name(id="range"), args=args),
                body=[
                    ast.AugAssign(target=ast.Name(id=total), op=ast.Add(), value=ast.Name(id=added))
                ],
                orelse=[],
            ) if added == i and len(scene.names(i)) == 2:
                text = _range_total(scene, args)
                if text is not None:
                    yield Edits((scene.source.replaced(node, f"{total} += {text}"),))
            case ast.Call(
                func=ast.Name(id="sum"),
                args=[
                    ast.GeneratorExp(
                        elt=ast.Name(id=added),
                        generators=[
                            ast.comprehension(
                                target=ast.Name(id=i),
                                iter=ast.Call(func=ast.Name(id="range"), args=args),
                                ifs=[],
                            )
                        ],
                    )
                ],
                keywords=[],
            ) if added == i:
                text = _range_total(scene, args)
                if text is not None:
                    yield Edits((scene.source.replaced(node, text),))


def _range_total(scene: Scene, args: list[ast.expr]) -> str | None:
    """The sum of `range(stop)` or `range(start, stop)` of names and numbers."""
    if not 1 <= len(args) <= 2 or not all(_is_number(scene, each) for each in args):
        return None
    shown = f"range({', '.join(scene.source.of(each) for each in args)})"
    return f"len({shown}) * ({shown}[0] + {shown}[-1]) // 2 if {shown} else 0".join("()")


def _is_number(scene: Scene, node: ast.expr) -> bool:
    kind = scene.kind_of(node)
    plain = all(
        isinstance(each, ast.Name | ast.Constant | ast.BinOp | ast.operator | ast.Load)
        for each in ast.walk(node)
    )
    return plain and kind is not None and kind.name == "int"


def closed_form(scene: Scene) -> Iterator[Edits]:
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


def power(scene: Scene) -> Iterator[Edits]:
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
