"""Loops that say in one line what they make, and loops over things instead of numbers."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.dreamers.refactor.refactoring import Place, has_comment, is_alone, last_line
from reverie.dreamers.rewriting.source import Edits
from reverie.syntax.nodes import names_in

_MOST_CHARACTERS = 72
"""Of a comprehension: a longer one is no clearer than its loop."""
_AWKWARD = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr, ast.Lambda, ast.ListComp,
            ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.IfExp)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Gathering:
    """A loop that only fills what was made empty just before."""

    empty: ast.stmt
    loop: ast.For
    name: str
    item: str
    condition: ast.expr | None
    ends: tuple[str, str]


def comprehension(place: Place) -> Iterator[Edits]:
    """`found = []`, then a loop that only fills it: one line."""
    for found in _gatherings(place):
        text = _written(place, found)
        if text is None:
            continue
        source = place.source
        indent = source.indent_of(found.loop)
        after = _returned(place, found)
        first, last = found.empty.lineno, last_line(after or found.loop)
        head = "return " if after else f"{_target(place, found)} = "
        line = f"{indent}{head}{text}"
        if len(line) > place.width or has_comment(place, first, last):
            continue
        yield Edits((source.relined(first, last, [f"{line}\n"]),))


def _target(place: Place, found: _Gathering) -> str:
    match found.empty:
        case ast.AnnAssign(target=target, annotation=annotation):
            return f"{place.source.of(target)}: {place.source.of(annotation)}"
    return found.name


def _returned(place: Place, found: _Gathering) -> ast.stmt | None:
    """The `return` of what was gathered, right behind the loop."""
    block = place.block_of(found.loop)
    rest = block[block.index(found.loop) + 1 :]
    match rest:
        case [ast.Return(value=ast.Name(id=name)) as node, *_] if name == found.name:
            is_annotated = isinstance(found.empty, ast.AnnAssign)
            return None if is_annotated or len(place.names(name)) != 3 else node
    return None


def _gatherings(place: Place) -> Iterator[_Gathering]:
    for node in place.statements():
        block = place.block_of(node)
        position = block.index(node)
        if not isinstance(node, ast.For) or not position or node.orelse or node.type_comment:
            continue
        found = _gathering(place, block[position - 1], node)
        if found is not None and is_alone(place, (found.empty, node)):
            yield found


def _gathering(place: Place, empty: ast.stmt, loop: ast.For) -> _Gathering | None:
    name, made = _emptied(empty)
    statement, condition = _only_step(loop)
    if name is None or statement is None or last_line(empty) != empty.lineno:
        return None
    source = place.source
    match made, statement:
        case "list", ast.Expr(
            value=ast.Call(
                func=ast.Attribute(value=ast.Name(id=owner), attr="append"),
                args=[item],
                keywords=[],
            )
        ):
            ends, text = ("[", "]"), source.of(item)
            if isinstance(item, ast.Starred):
                return None
        case "set", ast.Expr(
            value=ast.Call(
                func=ast.Attribute(value=ast.Name(id=owner), attr="add"), args=[item], keywords=[]
            )
        ):
            ends, text = ("{", "}"), source.of(item)
        case "dict", ast.Assign(
            targets=[ast.Subscript(value=ast.Name(id=owner), slice=key)], value=value
        ):
            ends, text = ("{", "}"), f"{source.of(key)}: {source.of(value)}"
        case _:
            return None
    if owner != name or not _is_plain(place, name, loop, statement):
        return None
    return _Gathering(empty, loop, name, text, condition, ends)


def _emptied(node: ast.stmt) -> tuple[str | None, str]:
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            pass
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            pass
        case _:
            return None, ""
    match value:
        case ast.List(elts=[]):
            return name, "list"
        case ast.Dict(keys=[]):
            return name, "dict"
        case ast.Call(func=ast.Name(id="set" | "list" | "dict" as made), args=[], keywords=[]):
            return name, made
    return None, ""


def _only_step(loop: ast.For) -> tuple[ast.stmt | None, ast.expr | None]:
    match loop.body:
        case [ast.If(test=test, body=[step], orelse=[])]:
            return step, test
        case [step]:
            return step, None
    return None, None


def _is_plain(place: Place, name: str, loop: ast.For, step: ast.stmt) -> bool:
    """Whether the loop reads what it fills nowhere, and what it binds is not used behind it."""
    if len(place.names(name, loop)) != 1 or place.names(name, loop.iter):
        return False
    if any(isinstance(each, _AWKWARD) for each in ast.walk(loop)):
        return False
    bound = names_in(loop.target)
    if any(isinstance(each, ast.Attribute | ast.Subscript) for each in ast.walk(loop.target)):
        return False
    outside = [each for n in bound for each in place.names(n) if not _inside(each, loop)]
    is_global = any(isinstance(each, ast.Global | ast.Nonlocal) for each in place.statements())
    return not outside and not is_global and step is not None


def _inside(node: ast.Name, loop: ast.For) -> bool:
    return loop.lineno <= node.lineno <= last_line(loop)


def _written(place: Place, found: _Gathering) -> str | None:
    source = place.source
    parts = [found.item, f"for {source.of(found.loop.target)} in {source.of(found.loop.iter)}"]
    if found.condition is not None:
        parts.append(f"if {source.of(found.condition)}")
    text = " ".join(parts)
    if "\n" in text or len(text) > _MOST_CHARACTERS:
        return None
    if isinstance(found.loop.iter, ast.Tuple) and not source.of(found.loop.iter).startswith("("):
        return None
    return f"{found.ends[0]}{text}{found.ends[1]}"


def direct_loop(place: Place) -> Iterator[Edits]:
    """`for i in range(len(xs))` where `i` only picks items of `xs`."""
    for node in place.statements():
        match node:
            case ast.For(
                target=ast.Name(id=index),
                iter=ast.Call(
                    func=ast.Name(id="range"),
                    args=[ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=things)])],
                    keywords=[],
                ),
            ):
                pass
            case _:
                continue
        picks = [
            each
            for each in ast.walk(node)
            if isinstance(each, ast.Subscript)
            and isinstance(each.value, ast.Name)
            and each.value.id == things
            and isinstance(each.slice, ast.Name)
            and each.slice.id == index
        ]
        item = _one_of(things)
        if item is None or not picks or place.names(item) or item in place.parameters:
            continue
        if place.changes(things, node, node.iter) or not _are_read(picks):
            continue
        uses = [each for each in place.names(index, node) if each is not node.target]
        outside = len(place.names(index)) - len(uses) - 1
        if outside or place.bindings(index) != [node.target]:
            continue
        yield _picked(place, node, picks, item, is_counted=len(uses) > len(picks))


def _are_read(picks: list[ast.Subscript]) -> bool:
    return all(isinstance(each.ctx, ast.Load) for each in picks)


def _one_of(things: str) -> str | None:
    """What one of some things is called: `names` holds a `name`."""
    if things.endswith("ies") and len(things) > 4:
        return things[:-3] + "y"
    if things.endswith("s") and not things.endswith(("ss", "us", "is")) and len(things) > 2:
        return things[:-1]
    return None


def _picked(
    place: Place, node: ast.For, picks: list[ast.Subscript], item: str, *, is_counted: bool
) -> Edits:
    source = place.source
    things = source.of(picks[0].value)
    target = f"{source.of(node.target)}, {item}" if is_counted else item
    over = f"enumerate({things})" if is_counted else things
    edits = [source.replaced(each, item) for each in picks]
    edits += [source.replaced(node.target, target), source.replaced(node.iter, over)]
    return Edits(tuple(dict.fromkeys(edits)))
