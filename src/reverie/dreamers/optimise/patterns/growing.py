"""Dictionaries, sets, tuples and texts that are made anew for every item that they get."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.purity import Grown, grown, is_read_only
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edit, Edits
from reverie.syntax.unparsing import unparse


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
        if unparse(each) in copies:
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
    is_made = isinstance(value, ast.Call) and unparse(value.func) == "dict"
    return is_made or isinstance(value, ast.Dict | ast.DictComp)


def _new_set(value: ast.expr) -> bool:
    is_made = isinstance(value, ast.Call) and unparse(value.func) == "set"
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
        case ast.Assign(value=value) if unparse(value) == f"{name}.copy()":
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


def grown_tuple(scene: Scene) -> Iterator[Edits]:
    """`t = t + (x,)` in a loop: a list that becomes a tuple behind it."""
    for made in scene.statements():
        match made:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=value)
            ) if isinstance(value, ast.Tuple) or unparse(made).endswith(" = tuple()"):
                edits = _as_list(scene, made, name)
                if edits is not None:
                    yield edits


def _as_list(scene: Scene, made: ast.stmt, name: str) -> Edits | None:
    source, parts = scene.source, scene.fresh(f"{name}_parts")
    found = grown(
        scene,
        name,
        lambda value: isinstance(value, ast.Tuple) or unparse(value) == "tuple()",
        lambda each: _extended(scene, each, name, parts),
    )
    if found is None or found.start is not made or found.loop not in scene.block_of(made):
        return None
    if found.is_tried or any(each not in found.inside for each in found.seen):
        return None
    start = found.start_value
    shown = ", ".join(source.of(each) for each in getattr(start, "elts", ()))
    edits = [source.replaced(made, f"{parts} = [{shown}]")]
    edits += [source.replaced(each, text) for each, text in found.steps]
    edits.append(source.after(found.loop, f"{name} = tuple({parts})"))
    for each in found.inside:
        match scene.parents[each]:
            case ast.Return():
                edits.append(source.replaced(each, f"tuple({parts})"))
            case _ if _is_like_list(scene, each, found):
                edits.append(source.replaced(each, parts))
            case _:
                return None
    return Edits(tuple(edits))


def _extended(scene: Scene, statement: ast.stmt, name: str, parts: str) -> str | None:
    of = scene.source.of
    match statement:
        case (
            ast.Assign(value=ast.BinOp(left=ast.Name(id=first), op=ast.Add(), right=right))
            | ast.AugAssign(target=ast.Name(id=first), op=ast.Add(), value=right)
        ) if first == name and not scene.names(name, right):
            if isinstance(right, ast.Tuple):
                return _with_items(scene, parts, right.elts)
            kind = scene.kind_of(right)
            is_tuple = kind is not None and kind.name == "tuple"
            return f"{parts}.extend({of(right)})" if is_tuple else None
        case ast.Assign(value=ast.Tuple(elts=[ast.Starred(value=ast.Name(id=first)), *more])) if (
            first == name and not any(scene.names(name, each) for each in more)
        ):
            return _with_items(scene, parts, more)
    return None


def _with_items(scene: Scene, parts: str, items: list[ast.expr]) -> str | None:
    match items:
        case []:
            return None
        case [one] if not isinstance(one, ast.Starred):
            return f"{parts}.append({scene.source.of(one)})"
    return f"{parts}.extend(({', '.join(scene.source.of(each) for each in items)},))"


def _is_like_list(scene: Scene, each: ast.Name, found: Grown) -> bool:
    """Whether a use means the same for a list."""
    match scene.parents[each]:
        case ast.Compare(ops=ops, left=left):
            return left is not each and all(isinstance(op, ast.In | ast.NotIn) for op in ops)
        case ast.Subscript(slice=ast.Slice()):
            return False
        case ast.Attribute() | ast.FormattedValue():
            return False
        case ast.Call(func=ast.Name(id="str" | "repr" | "print")):
            return False
    return is_read_only(scene, each, found)


def joined_text(scene: Scene) -> Iterator[Edits]:
    """A text that begins empty and only grows in one loop, at one end."""
    for made in scene.statements():
        match made:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value="")):
                edits = _built(scene, made, name)
                if edits is not None:
                    yield edits


def _built(scene: Scene, made: ast.stmt, name: str) -> Edits | None:
    block = scene.block_of(made)
    loops = [
        each for each in block[block.index(made) + 1 :] if isinstance(each, ast.For | ast.While)
    ]
    grown = [each for each in loops if scene.names(name, each)]
    if len(grown) != 1:
        return None
    additions = _additions(scene, grown[0], name)
    if not additions or len({front for _, _, front in additions}) != 1:
        return None
    if sum(len(scene.names(name, statement)) for statement, _, _ in additions) != len(
        scene.names(name, grown[0])
    ):
        return None  # it is looked at while it grows
    parts, source = scene.fresh(f"{name}_parts"), scene.source
    joined = f"reversed({parts})" if additions[0][2] else parts
    edits = [source.replaced(made, f"{parts} = []")]
    edits += [source.replaced(each, f"{parts}.append({text})") for each, text, _ in additions]
    edits.append(source.after(grown[0], f'{name} = "".join({joined})'))
    return Edits(tuple(edits))


def _additions(scene: Scene, loop: ast.stmt, name: str) -> list[tuple[ast.stmt, str, bool]]:
    """Statements that add to the text, what they add, and whether in front."""
    found: list[tuple[ast.stmt, str, bool]] = []
    for node in ast.walk(loop):
        match node:
            case ast.AugAssign(target=ast.Name(id=target), op=ast.Add(), value=value) if (
                target == name
            ):
                if not scene.names(name, value):
                    found.append((node, scene.source.of(value), False))
            case ast.Assign(targets=[ast.Name(id=target)], value=ast.BinOp(op=ast.Add()) as total):
                split = _split(scene, total, name) if target == name else None
                if split is not None:
                    found.append((node, *split))
    return found


def _split(scene: Scene, total: ast.BinOp, name: str) -> tuple[str, bool] | None:
    """What is added by `name + rest` or `rest + name`, and whether in front."""
    terms = _terms(total)
    whole = [isinstance(each, ast.Name) and each.id == name for each in terms]
    if whole.count(True) != 1 or sum(len(scene.names(name, each)) for each in terms) != 1:
        return None
    texts = [scene.source.of(each) for each in terms]
    if whole[-1]:
        return " + ".join(texts[:-1]), True
    return (" + ".join(texts[1:]), False) if whole[0] else None


def _terms(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return [*_terms(node.left), node.right]
    return [node]
