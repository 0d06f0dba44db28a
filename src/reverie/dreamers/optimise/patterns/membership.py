"""`x in things`, asked again and again of a list."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.scene import Loop, Scene
from reverie.dreamers.rewriting.source import Edit, Edits


def tests_of(scene: Scene) -> Iterator[tuple[ast.Compare, ast.Name]]:
    """Every `x in name` and `x not in name` inside a loop or a comprehension."""
    for node in ast.walk(scene.function):
        match node:
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[ast.Name() as things]):
                yield node, things


def list_to_set(scene: Scene) -> Iterator[Edits]:
    for test, things in tests_of(scene):
        loops = scene.loops_around(test) or _comprehensions(scene, test)
        kind, asked = scene.kinds.get(things.id), scene.kind_of(test.left)
        if not loops or kind is None or not kind.is_list:
            continue
        held = kind.item is not None and kind.item.is_hashable
        if not held or (asked is not None and not asked.is_hashable):
            continue
        outer = _outermost_unchanged(scene, things.id, loops)
        if outer is None:
            continue
        name = scene.fresh(f"{things.id}_set")
        made = scene.source.before(scene.statement_of(outer), f"{name} = set({things.id})")
        yield Edits((made, scene.source.replaced(things, name)))


def _comprehensions(scene: Scene, node: ast.AST) -> list[ast.AST]:
    """The comprehension that repeats it, unless it is only evaluated once there."""
    while not isinstance(node, ast.stmt):
        parent = scene.parents[node]
        if isinstance(parent, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            return [parent]
        if isinstance(parent, ast.comprehension) and node is parent.iter:
            return []
        node = parent
    return []


def _outermost_unchanged(
    scene: Scene, name: str, loops: list[Loop] | list[ast.AST]
) -> ast.AST | None:
    found = None
    for loop in loops:
        if scene.changes(name, loop):
            break
        found = loop
    return found


def growing_list_with_set(scene: Scene) -> Iterator[Edits]:
    """The list grows by `append` alone, and a set grows beside it."""
    for name in {things.id for _, things in tests_of(scene)}:
        made = made_as_list(scene, name)
        appends = [scene.statement_of(call) for call in scene.method_calls(name, "append")]
        if made is None or not appends or not only_grows(scene, name):
            continue
        kind = scene.kinds.get(name)
        if kind is None or kind.item is None or not kind.item.is_hashable:
            continue
        seen, source = scene.fresh(f"{name}_seen"), scene.source
        value = made.value
        start = source.of(value) if isinstance(value, ast.List) and value.elts else None
        first = f"{seen} = set()" if start is None else f"{seen} = set({start})"
        edits: list[Edit] = [source.after(made, first)]
        edits += [
            source.after(scene.statement_of(call), f"{seen}.add({source.of(call.args[0])})")
            for call in scene.method_calls(name, "append")
        ]
        edits += [source.replaced(each, seen) for _, each in tests_of(scene) if each.id == name]
        yield Edits(tuple(edits))


def made_as_list(scene: Scene, name: str) -> ast.Assign | ast.AnnAssign | None:
    """The one statement that binds a name, when it binds a list display."""
    found = [scene.statement_of(each) for each in scene.bindings(name)]
    if len(found) != 1 or name in scene.parameters:
        return None
    made = found[0]
    is_list = isinstance(made, ast.Assign | ast.AnnAssign) and isinstance(made.value, ast.List)
    return made if is_list else None  # type: ignore[return-value]


def only_grows(scene: Scene, name: str) -> bool:
    """Whether nothing but `append` of a plain name or constant changes it."""
    for each in scene.names(name):
        parent = scene.parents[each]
        if isinstance(parent, ast.Attribute):
            call = scene.parents[parent]
            plain = isinstance(call, ast.Call) and call.args and _is_plain(call.args[0])
            if parent.attr != "append" or not plain:
                return False
        elif isinstance(parent, ast.AugAssign | ast.Subscript) or (
            isinstance(each.ctx, ast.Load)
            and not isinstance(parent, ast.Return)
            and scene.is_change(each)
        ):
            return False
    return True


def _is_plain(node: ast.expr) -> bool:
    if isinstance(node, ast.Tuple):
        return all(_is_plain(each) for each in node.elts)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name | ast.Constant):
        return isinstance(node.value, ast.Name)
    return isinstance(node, ast.Name | ast.Constant)


def keys_membership(scene: Scene) -> Iterator[Edits]:
    """`x in list(d.keys())`, `x in d.keys()`, `x in list(d)`."""
    for node in ast.walk(scene.function):
        match node:
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[ast.Call() as call]):
                inner = _keys_of(scene, call)
                if inner is not None:
                    yield Edits((scene.source.replaced(call, scene.source.of(inner)),))


def _keys_of(scene: Scene, call: ast.Call) -> ast.expr | None:
    match call:
        case ast.Call(func=ast.Attribute(value=value, attr="keys"), args=[], keywords=[]):
            return value if _is_dictionary(scene, value) else None
        case ast.Call(func=ast.Name(id="list" | "tuple"), args=[ast.Call() as inner]):
            return _keys_of(scene, inner)
        case ast.Call(func=ast.Name(id="list" | "tuple"), args=[ast.Name() as name]):
            kind = scene.kinds.get(name.id)
            return name if kind is not None and kind.name in ("dict", "set", "frozenset") else None
    return None


def _is_dictionary(scene: Scene, value: ast.expr) -> bool:
    """Whether it surely is one: others may have keys and hold something else."""
    kind = scene.kind_of(value)
    if kind is not None or not isinstance(value, ast.Name) or value.id in scene.parameters:
        return kind is not None and kind.name == "dict"
    made = [scene.statement_of(each) for each in scene.bindings(value.id)]
    return bool(made) and all(map(_is_display, made))


def _is_display(made: ast.stmt) -> bool:
    match made:
        case ast.Assign(targets=[ast.Name()], value=ast.Dict() | ast.DictComp()):
            return True
    return False


def constant_membership(scene: Scene) -> Iterator[Edits]:
    """`x == 1 or x == 2 or x == 3` and `x in [1, 2, 3]`."""
    for node in ast.walk(scene.function):
        match node:
            case ast.Compare(
                ops=[ast.In() | ast.NotIn()], comparators=[ast.List(elts=elts) as shown]
            ):
                asked = scene.kind_of(node.left)
                if len(elts) > 2 and all(map(_is_constant, elts)) and asked and asked.is_hashable:
                    texts = ", ".join(scene.source.of(each) for each in elts)
                    yield Edits((scene.source.replaced(shown, f"{{{texts}}}"),))
            case ast.BoolOp(op=ast.Or(), values=values) if len(values) > 2:
                yield from _chain(scene, node, values)


def _chain(scene: Scene, node: ast.BoolOp, values: list[ast.expr]) -> Iterator[Edits]:
    subjects, texts = set(), []
    for value in values:
        match value:
            case ast.Compare(
                left=ast.Name(id=name), ops=[ast.Eq()], comparators=[ast.Constant() as right]
            ):
                subjects.add(name)
                texts.append(scene.source.of(right))
            case _:
                return
    kind = scene.kinds.get(next(iter(subjects)))
    if len(subjects) == 1 and kind is not None and kind.is_hashable:
        yield Edits((scene.source.replaced(node, f"{subjects.pop()} in {{{', '.join(texts)}}}"),))


def _is_constant(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | int | bytes)
