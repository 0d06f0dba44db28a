"""Order that is made by hand, the smallest of the rest to the front each time."""

import ast
from collections.abc import Iterator

from reverie.dreamers.optimise.patterns.arrangements import is_swap
from reverie.dreamers.rewriting.comparisons import comparison, length_names
from reverie.dreamers.rewriting.linear import Linear, linear, named
from reverie.dreamers.rewriting.repeats import leaves_no_names
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edits


def selection_sort(scene: Scene) -> Iterator[Edits]:
    """The smallest of the rest is looked for and exchanged; equal values cannot be told apart."""
    for loop in scene.statements():
        match loop:
            case ast.For(
                target=ast.Name(id=i),
                iter=ast.Call(func=ast.Name(id="range"), args=[*start, stop], keywords=[]),
                body=body,
                orelse=[],
            ) if [ast.unparse(each) for each in start] in ([], ["0"]):
                for things in _plain_lists(scene, loop):
                    last = linear(stop, length_names(scene, things, loop))
                    if last not in (named(f"len({things})"), named(f"len({things})", -1)):
                        continue
                    sign = _selected(scene, loop, body, (things, i)) or _exchanged(
                        scene, loop, body, (things, i)
                    )
                    if sign in ("<", ">") and leaves_no_names(scene, loop):
                        how = "" if sign == "<" else "reverse=True"
                        yield Edits((scene.source.replaced(loop, f"{things}.sort({how})"),))


def _plain_lists(scene: Scene, loop: ast.For) -> list[str]:
    """Lists of values that have an order, where equal ones are the same."""
    names = dict.fromkeys(each.id for each in ast.walk(loop) if isinstance(each, ast.Name))
    kinds = {name: scene.kinds.get(name) for name in names}
    return [
        name
        for name, kind in kinds.items()
        if kind is not None and kind.name == "list" and kind.item and kind.item.is_ordered
    ]


def _selected(
    scene: Scene, loop: ast.For, body: list[ast.stmt], names: tuple[str, str]
) -> str | None:
    """`least = i`, a walk that finds the place of the smallest, and an exchange."""
    things, i = names
    match body:
        case [
            ast.Assign(targets=[ast.Name(id=least)], value=ast.Name(id=first)),
            ast.For(
                target=ast.Name(id=j),
                iter=rest,
                body=[ast.If(test=test, body=[kept], orelse=[])],
                orelse=[],
            ),
            *swap,
        ] if first == i and ast.unparse(kept) == f"{least} = {j}":
            match swap:
                case [ast.If(test=other, body=inner, orelse=[])]:
                    unequal = (f"{least} != {i}", f"{i} != {least}")
                    swap = inner if ast.unparse(other) in unequal else []
            found, there = f"{things}[{least}]", f"{things}[{i}]"
            compared = comparison(scene, test, f"{things}[{j}]", found)
            if _is_rest(scene, loop, rest, names) and is_swap(scene, swap, there, found):
                return compared.sign if compared and compared.key is None else None
    return None


def _exchanged(
    scene: Scene, loop: ast.For, body: list[ast.stmt], names: tuple[str, str]
) -> str | None:
    """A walk along the rest that exchanges whatever is smaller."""
    things, i = names
    match body:
        case [
            ast.For(
                target=ast.Name(id=j),
                iter=rest,
                body=[ast.If(test=test, body=swap, orelse=[])],
                orelse=[],
            )
        ]:
            here, there = f"{things}[{j}]", f"{things}[{i}]"
            compared = comparison(scene, test, here, there)
            if _is_rest(scene, loop, rest, names) and is_swap(scene, swap, here, there):
                return compared.sign if compared and compared.key is None else None
    return None


def _is_rest(scene: Scene, loop: ast.For, rest: ast.expr, names: tuple[str, str]) -> bool:
    """`range(i + 1, len(xs))`."""
    things, i = names
    match rest:
        case ast.Call(func=ast.Name(id="range"), args=[low, high], keywords=[]):
            stop = linear(high, length_names(scene, things, loop))
            after: tuple[Linear, ...] = (named(i, 1), named(i))
            return linear(low) in after and stop == named(f"len({things})")
    return False
