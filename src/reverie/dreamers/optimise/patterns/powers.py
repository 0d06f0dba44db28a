"""Powers of which only a remainder is wanted."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.repeats import kind_inside
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edits

_LEAST_EXPONENT = 16
"""Of an exponent that is a number: with smaller ones there is little to save."""


def modular_power(scene: Scene) -> Iterator[Edits]:
    """`a ** b % m`: `pow` never makes the whole number; a fraction or an error as before."""
    for node in ast.walk(scene.function):
        match node:
            case ast.BinOp(left=power, op=ast.Mod(), right=modulus):
                made = _made_before(scene, node, power)
                value = made.value if made is not None else power
                parts = _parts(value)
                if parts is None or not _are_whole(scene, (*parts, modulus)):
                    continue
                if _is_fallback(scene, node):
                    continue
                text = _text(scene, *parts, modulus)
                edit = scene.source.replaced(node, text)
                yield Edits((edit,) if made is None else (edit, scene.source.removed(made)))


def _parts(node: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    match node:
        case ast.BinOp(left=base, op=ast.Pow(), right=exponent):
            return base, exponent
        case ast.Call(func=ast.Name(id="pow"), args=[base, exponent], keywords=[]):
            return base, exponent
    return None


def _made_before(scene: Scene, node: ast.BinOp, power: ast.expr) -> ast.Assign | None:
    """The statement just in front that gives a power its name, where only this place uses it."""
    if not isinstance(power, ast.Name) or len(scene.names(power.id)) != 2:
        return None
    statement = scene.statement_of(node)
    if not isinstance(statement, ast.Assign | ast.Return | ast.Expr | ast.AugAssign):
        return None
    block = scene.block_of(statement)
    before = block[block.index(statement) - 1] if block.index(statement) else None
    match before:
        case ast.Assign(targets=[ast.Name(id=name)]) if name == power.id:
            calls = [each for each in ast.walk(statement) if isinstance(each, ast.Call)]
            return before if all(_is_mild(scene, each) for each in calls) else None
    return None


def _is_mild(scene: Scene, call: ast.Call) -> bool:
    """Whether a call around the place can come before or after the power alike."""
    is_append = isinstance(call.func, ast.Attribute) and call.func.attr == "append"
    return is_append or scene.is_pure_node(call, frozenset())


def _are_whole(scene: Scene, parts: tuple[ast.expr, ...]) -> bool:
    """Whether all are whole numbers that can be asked for twice."""
    allowed = (
        ast.Name | ast.Constant | ast.Attribute | ast.BinOp | ast.UnaryOp | ast.Subscript
        | ast.operator | ast.unaryop | ast.expr_context
    )  # fmt: skip
    for part in parts:
        kind = kind_inside(scene, part)
        is_plain = all(isinstance(each, allowed) for each in ast.walk(part))
        may_fail = any(_may_be_missing(scene, each) for each in ast.walk(part))
        is_fit = part is parts[0] or (is_plain and not may_fail)  # the base is asked for once
        if kind is None or not kind.is_whole_number or not is_fit:
            return False
    exponent = parts[1]
    is_small = isinstance(exponent, ast.Constant) and int(exponent.value) < _LEAST_EXPONENT  # type: ignore[arg-type]
    return not is_small


def _may_be_missing(scene: Scene, node: ast.AST) -> bool:
    """Whether it is an item of what may not have it."""
    if not isinstance(node, ast.Subscript):
        return False
    kind = kind_inside(scene, node.value)
    return kind is None or kind.name != "tuple" or len(kind.items) < 2


def _is_fallback(scene: Scene, node: ast.AST) -> bool:
    """Whether it is what is left for exponents and moduli that `pow` does not take."""
    parent = scene.parents[node]
    return isinstance(parent, ast.IfExp) and "pow(" in ast.unparse(parent.body)


def _text(scene: Scene, base: ast.expr, exponent: ast.expr, modulus: ast.expr) -> str:
    shown = [scene.source.of(each) for each in (base, exponent, modulus)]
    fast = f"pow({', '.join(shown)})"
    asked = []
    if not (isinstance(exponent, ast.Constant) and isinstance(exponent.value, int)):
        asked.append(f"{shown[1]} >= 0")
    if not (isinstance(modulus, ast.Constant) and modulus.value):
        asked.append(f"{shown[2]} != 0")
    if not asked:
        return fast
    slow = f"{_wrapped(base, shown[0])} ** {_wrapped(exponent, shown[1])}"
    return f"({fast} if {' and '.join(asked)} else {slow} % {_wrapped(modulus, shown[2])})"


def _wrapped(node: ast.expr, shown: str) -> str:
    is_plain = isinstance(node, ast.Name | ast.Constant | ast.Attribute | ast.Subscript | ast.Call)
    return shown if is_plain else f"({shown})"
