"""Items that are taken out of a list one by one, each time with a move of all behind it."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.comparisons import renamed
from reverie.dreamers.rewriting.repeats import leaves_no_names
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edit, Edits

_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt,
}  # fmt: skip
_HOLDERS = ("dict", "frozenset", "list", "set", "tuple")
_ASKED = frozenset({"startswith", "endswith", "isdigit", "isalpha", "isspace", "isupper", "islower",
                    "strip", "lower", "upper", "casefold"})  # fmt: skip


def weeded_list(scene: Scene) -> Iterator[Edits]:
    """What is kept is collected once, and put in the place of all."""
    for loop in scene.statements():
        found = _by_value(scene, loop) or _from_behind(scene, loop) or _step_by_step(scene, loop)
        if found is None or not (isinstance(loop, ast.While) or leaves_no_names(scene, loop)):
            continue
        things, test, spot = found
        kind = scene.kinds.get(things)
        is_list = kind is not None and kind.name == "list" and kind.item is not None
        each = spot if spot.isidentifier() else scene.fresh("each")
        asked = renamed(test, spot, each)
        others = {node.id for node in ast.walk(asked) if isinstance(node, ast.Name)} - {each}
        is_own = things not in others and not others & _bound(loop)
        if is_list and is_own and _is_mild(scene, test, spot):
            text = f"{things}[:] = [{each} for {each} in {things} if {_opposite(asked)}]"
            yield Edits((scene.source.replaced(loop, text), *_without_start(scene, loop)))


def _bound(loop: ast.AST) -> set[str]:
    names = [each for each in ast.walk(loop) if isinstance(each, ast.Name)]
    return {each.id for each in names if not isinstance(each.ctx, ast.Load)}


def _by_value(scene: Scene, loop: ast.stmt) -> tuple[str, ast.expr, str] | None:
    """`for x in list(xs): if test: xs.remove(x)`, where equal values are tested alike."""
    match loop:
        case ast.For(
            target=ast.Name(id=x),
            iter=walk,
            body=[ast.If(test=test, body=[ast.Expr(value=call)], orelse=[])],
            orelse=[],
        ):
            things = ast.unparse(call).removesuffix(f".remove({x})")
            copies = (f"list({things})", f"{things}[:]", f"{things}.copy()", f"tuple({things})")
            kind = scene.kinds.get(things)
            exact = kind is not None and kind.item is not None and kind.item.is_exact
            if exact and things.isidentifier() and ast.unparse(walk) in copies:
                return things, test, x
    return None


def _from_behind(scene: Scene, loop: ast.stmt) -> tuple[str, ast.expr, str] | None:
    """`for i in range(len(xs) - 1, -1, -1): if test: del xs[i]`."""
    match loop:
        case ast.For(
            target=ast.Name(id=i),
            iter=walk,
            body=[ast.If(test=test, body=[removal], orelse=[])],
            orelse=[],
        ):
            things = _removed_from(removal, i)
            walks = (f"range(len({things}) - 1, -1, -1)", f"reversed(range(len({things})))")
            if things is not None and ast.unparse(walk) in walks:
                return things, test, f"{things}[{i}]"
    return None


def _step_by_step(scene: Scene, loop: ast.stmt) -> tuple[str, ast.expr, str] | None:
    """`i = 0`, then `while i < len(xs): if test: del xs[i]`, else one further."""
    match loop:
        case ast.While(
            test=ast.Compare(left=ast.Name(id=i)) as bound,
            body=[ast.If(test=test, body=[removal], orelse=[step])],
            orelse=[],
        ) if ast.unparse(step) in (f"{i} += 1", f"{i} = {i} + 1"):
            things = _removed_from(removal, i)
            block = scene.block_of(loop)
            at = block.index(loop)
            before = ast.unparse(block[at - 1]) if at else ""
            is_alone = len(scene.names(i)) == len(scene.names(i, loop)) + 1
            is_whole = things is not None and ast.unparse(bound) == f"{i} < len({things})"
            if things is not None and is_whole and is_alone and before == f"{i} = 0":
                return things, test, f"{things}[{i}]"
    return None


def _removed_from(removal: ast.stmt, i: str) -> str | None:
    text = ast.unparse(removal)
    for front, back in (("del ", f"[{i}]"), ("", f".pop({i})")):
        things = text.removeprefix(front).removesuffix(back)
        if things.isidentifier() and text == f"{front}{things}{back}":
            return things
    return None


def _without_start(scene: Scene, loop: ast.stmt) -> list[Edit]:
    """`i = 0` in front of a loop is of no use without it."""
    block = scene.block_of(loop)
    is_started = isinstance(loop, ast.While)
    return [scene.source.removed(block[block.index(loop) - 1])] if is_started else []


def _opposite(test: ast.expr) -> str:
    match test:
        case ast.Compare(left=left, ops=[sign], comparators=[right]):
            new = ast.Compare(left, [_OPPOSITE[type(sign)]()], [right])
            return ast.unparse(new) if type(sign) in _OPPOSITE else f"not ({ast.unparse(test)})"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return ast.unparse(operand)
        case ast.Name():
            return f"not {ast.unparse(test)}"
    return f"not ({ast.unparse(test)})"


def _is_mild(scene: Scene, node: ast.expr, spot: str) -> bool:
    """Whether asking it of any item only computes and never raises."""
    kind = scene.kind_of(node)
    if ast.unparse(node) == spot or isinstance(node, ast.Constant):
        return kind is not None and kind.is_hashable
    match node:
        case ast.Name():
            return kind is not None and (kind.is_hashable or kind.name in _HOLDERS)
        case ast.Compare(left=left, ops=[sign], comparators=[right]):
            mild = _is_mild(scene, left, spot) and _is_mild(scene, right, spot)
            return mild and _is_comparable(scene, sign, left, right)
        case ast.BoolOp(values=values):
            return all(_is_mild(scene, each, spot) for each in values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _is_mild(scene, operand, spot)
        case ast.BinOp(op=ast.Mod(), left=left, right=ast.Constant(value=int(number))):
            return number != 0 and kind is not None and _is_mild(scene, left, spot)
        case ast.BinOp(op=ast.Add() | ast.Sub(), left=left, right=right):
            whole = kind is not None and kind.name == "int"
            return whole and _is_mild(scene, left, spot) and _is_mild(scene, right, spot)
        case ast.Call(func=ast.Attribute(value=owner, attr=attr), args=args, keywords=[]):
            of = scene.kind_of(owner)
            texts = all(isinstance(each, ast.Constant | ast.Name) for each in args)
            are_texts = texts and all(_is_text(scene, each) for each in args)
            is_text = of is not None and of.name == "str" and attr in _ASKED
            return is_text and are_texts and _is_mild(scene, owner, spot)
        case ast.Call(func=ast.Name(id="len"), args=[owner], keywords=[]):
            return _is_text(scene, owner) and _is_mild(scene, owner, spot)
    return False


def _is_text(scene: Scene, node: ast.expr) -> bool:
    kind = scene.kind_of(node)
    return kind is not None and kind.name == "str"


def _is_comparable(scene: Scene, sign: ast.cmpop, left: ast.expr, right: ast.expr) -> bool:
    one, other = scene.kind_of(left), scene.kind_of(right)
    if one is None or other is None:
        return False
    if isinstance(sign, ast.In | ast.NotIn):
        in_text = one.name == other.name == "str"
        return one.is_hashable and (in_text or other.name in _HOLDERS)
    if isinstance(sign, ast.Eq | ast.NotEq):
        return one.is_hashable and other.is_hashable
    return type(sign) in _OPPOSITE and one == other and one.is_ordered
