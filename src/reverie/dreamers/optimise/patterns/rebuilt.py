"""Dictionaries and sets that are made anew for every item that they get."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.ownership import Grown, grown, is_read_only
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edit, Edits


def rebuilt_table(scene: Scene) -> Iterator[Edits]:
    """`d = {**d, key: value}` in a loop, of a dictionary of the function's own."""
    for name in _bound_in_loops(scene):
        found = grown(scene, name, _new_table, lambda each, n=name: _put(scene, each, n))  # type: ignore[misc]
        if found is None or not all(is_read_only(scene, each, found) for each in found.seen):
            continue
        yield Edits(tuple(_edit(scene, each, text) for each, text in found.steps))


def rebuilt_set(scene: Scene) -> Iterator[Edits]:
    """`s = s | {x}` in a loop, of a set of the function's own whose order nobody sees."""
    for name in _bound_in_loops(scene):
        found = grown(scene, name, _new_set, lambda each, n=name: _added(scene, each, n))  # type: ignore[misc]
        if found is None or not all(_is_orderless(scene, each, found) for each in found.every):
            continue
        yield Edits(tuple(_edit(scene, each, text) for each, text in found.steps))


def copied_table(scene: Scene) -> Iterator[Edits]:
    """`new = dict(d)`, `new[key] = value`, `d = new` in a loop: `d` itself is changed."""
    for last in scene.statements():
        match last:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=copy)) if (
                copy != name and scene.loops_around(last)
            ):
                block = scene.block_of(last)
                part = _since_copy(block[: block.index(last)], name, copy)
                if not part or len(scene.names(copy)) != len(_names(part, copy)) + 1:
                    continue
                if any(_names([each], name) for each in part[2:]):
                    continue  # what it was before the first change is still asked for
                found = grown(scene, name, _new_table, lambda each, end=last: _end(each, end))  # type: ignore[misc]
                if found is None or not all(
                    is_read_only(scene, each, found) for each in found.seen
                ):
                    continue
                if all(_is_change(each, copy) for each in part[1:]) and not found.is_tried:
                    source = scene.source
                    edits = [source.replaced(each, name) for each in _names(part[1:], copy)]
                    yield Edits((source.removed(part[0]), *edits, source.removed(last)))


def _since_copy(block: list[ast.stmt], name: str, copy: str) -> list[ast.stmt]:
    """The statements from the copy on; none when there is no copy, or nothing behind it."""
    copies = (f"{copy} = dict({name})", f"{copy} = {name}.copy()")
    for at, each in enumerate(block):
        if ast.unparse(each) in copies:
            return block[at:] if len(block) > at + 1 else []
    return []


def _names(part: list[ast.stmt], name: str) -> list[ast.Name]:
    nodes = [node for each in part for node in ast.walk(each)]
    return [node for node in nodes if isinstance(node, ast.Name) and node.id == name]


def _end(statement: ast.stmt, last: ast.stmt) -> str | None:
    return "" if statement is last else None


def _is_change(statement: ast.stmt, copy: str) -> bool:
    """`copy[key] = value`, where the value is nothing of the copy that somebody could keep."""
    match statement:
        case (
            ast.Assign(targets=[ast.Subscript(value=ast.Name(id=owner))], value=value)
            | ast.AugAssign(target=ast.Subscript(value=ast.Name(id=owner)), value=value)
        ) if owner == copy:
            return not any(
                isinstance(each, ast.Name) and each.id == copy for each in ast.walk(value)
            )
    return False


def _bound_in_loops(scene: Scene) -> list[str]:
    bound = [
        each.targets[0].id
        for each in scene.statements()
        if isinstance(each, ast.Assign)
        and isinstance(each.targets[0], ast.Name)
        and scene.loops_around(each)
    ]
    return list(dict.fromkeys(bound))


def _edit(scene: Scene, statement: ast.stmt, text: str) -> Edit:
    return scene.source.replaced(statement, text) if text else scene.source.removed(statement)


def _new_table(value: ast.expr) -> bool:
    is_made = isinstance(value, ast.Call) and ast.unparse(value.func) == "dict"
    return is_made or isinstance(value, ast.Dict | ast.DictComp)


def _new_set(value: ast.expr) -> bool:
    is_made = isinstance(value, ast.Call) and ast.unparse(value.func) == "set"
    return is_made or isinstance(value, ast.Set | ast.SetComp)


def _put(scene: Scene, statement: ast.stmt, name: str) -> str | None:
    """The statement as a change of the dictionary itself; None when it is no such one."""
    of = scene.source.of
    match statement:
        case ast.Assign(value=ast.Dict(keys=[None, *keys], values=[ast.Name(id=first), *values])):
            return _stored(scene, name, keys, values) if first == name else None
        case ast.Assign(value=ast.BinOp(left=ast.Name(id=first), op=ast.BitOr(), right=right)) if (
            first == name
        ):
            if isinstance(right, ast.Dict):
                return _stored(scene, name, right.keys, right.values)
            kind = scene.kind_of(right)
            return f"{name}.update({of(right)})" if kind and kind.name == "dict" else None
        case ast.Assign(
            value=ast.Call(func=ast.Name(id="dict"), args=[ast.Name(id=first)], keywords=given)
        ) if first == name:
            match given:
                case [ast.keyword(arg=None, value=ast.Dict(keys=[ast.expr() as key], values=[x]))]:
                    kind = scene.kind_of(key)
                    if kind is not None and kind.name == "str":
                        return _stored(scene, name, [key], [x])
            return f"{name}.update({', '.join(of(each) for each in given)})" if given else ""
        case ast.Assign(value=value) if ast.unparse(value) == f"{name}.copy()":
            return ""
    return None


def _stored(
    scene: Scene, name: str, keys: list[ast.expr | None], values: list[ast.expr]
) -> str | None:
    """One pair is stored, where it is the same which of both is made first; others are added."""
    of = scene.source.of
    match keys, values:
        case [ast.expr() as key], [value] if isinstance(key, ast.Name | ast.Constant) or isinstance(
            value, ast.Name | ast.Constant
        ):
            return f"{name}[{of(key)}] = {of(value)}"
        case [None], [more]:
            kind = scene.kind_of(more)
            return f"{name}.update({of(more)})" if kind and kind.name == "dict" else None
        case [], []:
            return ""
    pairs = [
        f"**{of(value)}" if key is None else f"{of(key)}: {of(value)}"
        for key, value in zip(keys, values, strict=True)
    ]
    return f"{name}.update({{{', '.join(pairs)}}})"


def _added(scene: Scene, statement: ast.stmt, name: str) -> str | None:
    """The statement as a change of the set itself; None when it is no such one."""
    of = scene.source.of
    match statement:
        case ast.Assign(
            value=ast.BinOp(
                left=ast.Name(id=first), op=ast.BitOr() | ast.Sub() as sign, right=right
            )
        ) if first == name:
            is_more = isinstance(sign, ast.BitOr)
            match right:
                case ast.Set(elts=[one]) if not isinstance(one, ast.Starred):
                    return f"{name}.{'add' if is_more else 'discard'}({of(one)})"
            kind = scene.kind_of(right)
            is_set = isinstance(right, ast.Set) or (kind is not None and kind.name == "set")
            return f"{name} {'|' if is_more else '-'}= {of(right)}" if is_set else None
        case ast.Assign(value=ast.Set(elts=[ast.Starred(value=ast.Name(id=first)), *more])) if (
            first == name
        ):
            match more:
                case [one] if not isinstance(one, ast.Starred):
                    return f"{name}.add({of(one)})"
            return f"{name} |= {{{', '.join(of(each) for each in more)}}}" if more else ""
        case ast.Assign(
            value=ast.Call(
                func=ast.Attribute(value=ast.Name(id=first), attr="union" | "difference" as how),
                args=[ast.Set(elts=[one]) | ast.List(elts=[one]) | ast.Tuple(elts=[one])],
                keywords=[],
            )
        ) if first == name and not isinstance(one, ast.Starred):
            return f"{name}.{'add' if how == 'union' else 'discard'}({of(one)})"
    return None


def _is_orderless(scene: Scene, each: ast.Name, found: Grown) -> bool:
    """Whether a use asks nothing that depends on the order in which a set holds its items."""
    match scene.parents[each]:
        case ast.Compare() | ast.If() | ast.While() | ast.UnaryOp(op=ast.Not()):
            return is_read_only(scene, each, found)
        case ast.Call(func=ast.Name(id="len" | "bool")):
            return True
        case ast.Attribute(attr="add" | "discard" | "remove" | "isdisjoint" | "issubset"):
            return True
    return False
