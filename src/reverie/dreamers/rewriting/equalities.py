"""What a walk looks for: the one value that its test accepts, whole or part by part."""

import ast

from reverie.dreamers.rewriting.kinds import Kind
from reverie.dreamers.rewriting.repeats import kind_inside
from reverie.dreamers.rewriting.scene import Scene

_TEXTS = ("str", "bytes", "bytearray")


def looked_for(scene: Scene, test: ast.expr, target: ast.expr, things: ast.expr) -> str | None:
    """The `x` for which `x in things` says what the test finds; None where it may say otherwise.

    A text holds more than its characters, a NaN is in its list and equals nothing, and a list
    is not the tuple that it is compared with part by part.
    """
    kind = kind_inside(scene, things)
    if kind is None or kind.name in _TEXTS or (kind.item is not None and kind.item.has_floats):
        return None
    if isinstance(target, ast.Name):
        wanted = _other_side(test, target.id)
        if wanted is not None:
            asked = kind_inside(scene, wanted)
            may_differ = asked is not None and asked.has_floats
            return None if may_differ else scene.source.of(wanted)
    size = _size(kind.item)
    parts = _parts(scene, test, target) if size else None
    if parts is None or sorted(parts) != list(range(size)):
        return None
    return f"({', '.join(parts[place] for place in range(size))})"


def names_in(node: ast.AST) -> set[str]:
    """Every name that stands in a node."""
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def is_bound_elsewhere(scene: Scene, target: ast.expr, walk: ast.AST) -> bool:
    """Whether names of a walk's target stand outside of it, so that what it leaves may be read."""
    return any(len(scene.names(name)) != len(scene.names(name, walk)) for name in names_in(target))


def _size(item: Kind | None) -> int:
    """How many parts the tuples have that are walked along; 0 where they may be anything else."""
    is_tuple = item is not None and item.name == "tuple" and item.is_exact
    return len(item.items) if is_tuple and item is not None and len(item.items) > 1 else 0


def _other_side(test: ast.expr, name: str) -> ast.expr | None:
    """The other side of `name == x`, in either order, when it does not use the name."""
    match test:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            for one, two in ((left, right), (right, left)):
                if isinstance(one, ast.Name) and one.id == name and name not in names_in(two):
                    return two
    return None


def _parts(scene: Scene, test: ast.expr, target: ast.expr) -> dict[int, str] | None:
    """By its place in the tuple, what each part has to equal; each is asked for once."""
    asked = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
    found: dict[int, str] = {}
    for left, right in (pair for each in asked for pair in _pairs(each)):
        for part, wanted in ((left, right), (right, left)):
            place = place_in(part, target)
            if place is None or place in found or names_in(wanted) & names_in(target):
                continue
            kind = kind_inside(scene, wanted)
            if kind is None or not kind.is_exact or not _is_plain(wanted):
                return None
            found[place] = scene.source.of(wanted)
            break
        else:
            return None
    return found or None


def _pairs(test: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """The two sides of an equality; of tuples, those of each part."""
    match test:
        case ast.Compare(
            left=ast.Tuple(elts=left), ops=[ast.Eq()], comparators=[ast.Tuple(elts=right)]
        ) if len(left) == len(right):
            return list(zip(left, right, strict=True))
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            return [(left, right)]
    return [(test, test)]


def place_in(part: ast.expr, target: ast.expr) -> int | None:
    """Which part of the walked tuple it is: a name of the target, or `target[0]`."""
    match target, part:
        case ast.Tuple(elts=elts), ast.Name(id=name):
            names = [each.id if isinstance(each, ast.Name) else "" for each in elts]
            return names.index(name) if names.count(name) == 1 and "" not in names else None
        case ast.Name(id=row), ast.Subscript(
            value=ast.Name(id=name), slice=ast.Constant(value=int(place))
        ) if name == row and place >= 0:
            return place
    return None


def _is_plain(node: ast.expr) -> bool:
    """Whether it may be read although nothing is there to be compared with."""
    match node:
        case ast.Name() | ast.Constant():
            return True
        case (
            ast.Subscript(value=ast.Name(), slice=ast.Constant()) | ast.Attribute(value=ast.Name())
        ):
            return True
    return False
