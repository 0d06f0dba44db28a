"""What some statements take and give: whether they can live in a function of their own."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from reverie.dreamers.refactor.layout import last_line
from reverie.dreamers.refactor.refactoring import Place

_BOUND_TO_PLACE = (ast.Return, ast.Yield, ast.YieldFrom, ast.Await, ast.Nonlocal, ast.Global,
                   ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom,
                   ast.Lambda, ast.NamedExpr, ast.AsyncFor, ast.AsyncWith, ast.Delete)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Passage:
    """Statements of a function, with the names that they take from before and give to after."""

    takes: tuple[str, ...]
    gives: tuple[str, ...]


def passage(place: Place, block: Sequence[ast.stmt]) -> Passage | None:
    """None where they cannot be moved, or where that would not be plain."""
    nodes = [each for statement in block for each in ast.walk(statement)]
    if any(isinstance(each, _BOUND_TO_PLACE) for each in nodes) or _leaves_loop(block):
        return None
    names = [each for each in nodes if isinstance(each, ast.Name)]
    if any(each.id in ("super", "locals", "vars", "__class__") for each in names):
        return None
    bound = {each.id for each in names if isinstance(each.ctx, ast.Store)}
    bound |= {each.name for each in nodes if isinstance(each, ast.ExceptHandler) and each.name}
    own = _own_names(place)
    first, last = block[0].lineno, last_line(block[-1])
    reads = dict.fromkeys(each.id for each in names if isinstance(each.ctx, ast.Load))
    made = _made_first(block)
    takes = [
        name
        for name in reads
        if name in own - made and (name not in bound or _is_set(place, name, first))
    ]
    later = {name for name in bound if _is_read_behind(place, name, last)}
    in_loop = place.loops_around(block[0])
    if in_loop and any(_is_set(place, name, first) for name in bound - made):
        return None  # what one round leaves, the next one finds
    gives = [name for name in dict.fromkeys(e.id for e in names) if name in bound & later]
    return Passage(tuple(takes), tuple(gives))


def _made_first(block: Sequence[ast.stmt]) -> set[str]:
    """Names that the statements give a value before they read it, whatever happens."""
    found: set[str] = set()
    read: set[str] = set()
    for node in block:
        names = [each for each in ast.walk(node) if isinstance(each, ast.Name)]
        loads = {each.id for each in names if isinstance(each.ctx, ast.Load)}
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]) if name not in read | loads:
                found.add(name)
            case ast.For(target=ast.Name(id=name)) if name not in read:
                inside = {e.id for e in ast.walk(node.iter) if isinstance(e, ast.Name)}
                found |= {name} - inside
        read |= loads
    return found


def _is_read_behind(place: Place, name: str, line: int) -> bool:
    """Whether the value that a name has at a line is read behind it."""
    behind = [each for each in place.names(name) if each.lineno > line]
    if not any(isinstance(each.ctx, ast.Load) for each in behind):
        return False
    for node in place.function.body:
        if node.lineno <= line:
            continue
        uses = place.names(name, node)
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                return bool(place.names(name, value))
            case ast.For(target=ast.Name(id=target)) if target == name:
                inside = set(uses)
                return bool(place.names(name, node.iter)) or any(e not in inside for e in behind)
        if uses:
            return True
    return True


def _own_names(place: Place) -> set[str]:
    given = {each.arg for each in ast.walk(place.function.args) if isinstance(each, ast.arg)}
    return given | {
        each.id
        for each in ast.walk(place.function)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }


def _is_set(place: Place, name: str, line: int) -> bool:
    """Whether a name has a value before a line."""
    return name in place.parameters or any(e.lineno < line for e in place.bindings(name))


def _leaves_loop(block: Sequence[ast.stmt]) -> bool:
    inner = {
        id(each)
        for statement in block
        for loop in ast.walk(statement)
        if isinstance(loop, ast.For | ast.While)
        for each in ast.walk(loop)
    }
    return any(
        isinstance(each, ast.Break | ast.Continue) and id(each) not in inner
        for statement in block
        for each in ast.walk(statement)
    )
