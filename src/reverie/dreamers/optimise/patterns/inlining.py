"""Helpers put where they are called, so that other rewrites see what happens there."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.bodies import working_body
from reverie.dreamers.rewriting.repeats import repeats_around
from reverie.dreamers.rewriting.scene import Function, Scene
from reverie.dreamers.rewriting.source import Edits


def inlined_helper(scene: Scene) -> Iterator[Edits]:
    """Straight-line helpers of the module, called in a loop with plain arguments."""
    for node in ast.walk(scene.function):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.keywords:
            continue
        helper = scene.functions.get(node.func.id)
        if helper is None or helper is scene.function or not repeats_around(scene, node):
            continue
        body = _straight(helper)
        if body is not None and len(node.args) == len(helper.args.args):
            edits = _placed(scene, node, helper, body)
            if edits is not None:
                yield edits


def inlined_method(scene: Scene) -> Iterator[Edits]:
    """`self.other()` that only returns an expression of `self`."""
    methods = _methods_beside(scene)
    for node in ast.walk(scene.function):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="self"), attr=name), args=[], keywords=[]
            ) if name in methods and methods[name] is not scene.function:
                body = _straight(methods[name])
                if body is not None and len(body) == 1 and len(methods[name].args.args) == 1:
                    answer = body[0].value  # type: ignore[attr-defined]
                    yield Edits((scene.source.replaced(node, ast.unparse(answer)),))


def _methods_beside(scene: Scene) -> dict[str, Function]:
    for node in ast.walk(scene.source.tree):
        if isinstance(node, ast.ClassDef) and scene.function in node.body:
            return {each.name: each for each in node.body if isinstance(each, Function)}
    return {}


def _straight(helper: Function) -> list[ast.stmt] | None:
    """Assignments and a final return, without decorators or odd parameters."""
    given = helper.args
    odd = (given.posonlyargs, given.kwonlyargs, given.vararg, given.kwarg, given.defaults)
    if any(odd) or helper.decorator_list or isinstance(helper, ast.AsyncFunctionDef):
        return None
    body = working_body(helper)
    if not body or not isinstance(body[-1], ast.Return) or body[-1].value is None:
        return None
    return _at_once(body) if all(map(_is_line, body[:-1])) else None


def _is_line(statement: ast.stmt) -> bool:
    """Whether it binds one name, or calls a method."""
    match statement:
        case ast.Assign(targets=[ast.Name()]):
            return True
        case ast.Expr(value=ast.Call(func=ast.Attribute())):
            return True
    return False


def _at_once(body: list[ast.stmt]) -> list[ast.stmt]:
    """`x = …` and `return x` as one."""
    match body:
        case [*others, ast.Assign(targets=[ast.Name(id=name)], value=value), ast.Return() as last]:
            if isinstance(last.value, ast.Name) and last.value.id == name:
                return [*others, ast.copy_location(ast.Return(value), last)]
    return body


def _placed(scene: Scene, call: ast.Call, helper: Function, body: list[ast.stmt]) -> Edits | None:
    names = [each.arg for each in helper.args.args]
    given: dict[str, ast.expr] = dict(zip(names, call.args, strict=True))
    if not all(_is_simple(each) for each in call.args):
        return None
    lines = body[:-1]
    own = [each.targets[0].id for each in lines if isinstance(each, ast.Assign)]  # type: ignore[attr-defined]
    if len(set(own)) != len(own) or set(own) & set(names) or _means_another(scene, call, helper):
        return None
    if lines and not _is_first(scene, call):
        return None
    if lines and not scene.is_pure(helper.name) and not _is_alone(scene, call):
        return None
    renamed: dict[str, ast.expr] = dict(given)
    texts = []
    for each in lines:
        value = _with(each.value, renamed)  # type: ignore[attr-defined]
        if isinstance(each, ast.Assign):
            name = scene.fresh(each.targets[0].id)  # type: ignore[attr-defined]
            renamed[each.targets[0].id] = ast.Name(name, ast.Load())  # type: ignore[attr-defined]
            value = f"{name} = {value}"
        texts.append(value)
    source = scene.source
    answer = _with(body[-1].value, renamed)  # type: ignore[attr-defined]
    edits = [source.replaced(call, f"({answer})")]
    if texts:
        edits.append(source.before(scene.statement_of(call), *texts))
    return Edits(tuple(edits))


def _means_another(scene: Scene, call: ast.Call, helper: Function) -> bool:
    """Whether a name would stand for something else there than it does in the helper."""
    parameters = {each.arg for each in helper.args.args}
    bound = {e.id for e in ast.walk(helper) if isinstance(e, ast.Name) and _is_bound(e)}
    free = {e.id for e in ast.walk(helper) if isinstance(e, ast.Name)} - bound - parameters
    mine = {e.id for e in ast.walk(scene.function) if isinstance(e, ast.Name) and _is_bound(e)}
    mine |= {each.arg for each in ast.walk(scene.function) if isinstance(each, ast.arg)}
    given = {e.id for each in call.args for e in ast.walk(each) if isinstance(e, ast.Name)}
    return bool(free & mine or {*_bound_inside(helper)} & (given | parameters))


def _is_bound(name: ast.Name) -> bool:
    return not isinstance(name.ctx, ast.Load)


def _bound_inside(helper: Function) -> Iterator[str]:
    """Names that comprehensions and lambdas of the helper bind for themselves."""
    for node in ast.walk(helper):
        if isinstance(node, ast.comprehension):
            yield from (each.id for each in ast.walk(node.target) if isinstance(each, ast.Name))
        elif isinstance(node, ast.Lambda):
            yield from (each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg))


def _is_simple(node: ast.expr) -> bool:
    """Evaluating it twice, or later, changes nothing."""
    return isinstance(node, ast.Name | ast.Constant) or (
        isinstance(node, ast.Subscript) and _is_simple(node.value) and _is_simple(node.slice)
    )


def _is_first(scene: Scene, call: ast.Call) -> bool:
    """Whether the call is what its statement evaluates first and always."""
    statement = scene.statement_of(call)
    if isinstance(statement, ast.While | ast.For):
        return False
    node: ast.AST = call
    while node is not statement:
        parent = scene.parents[node]
        if isinstance(
            parent, ast.BoolOp | ast.IfExp | ast.Lambda | ast.comprehension | ast.ListComp
        ):
            return False
        node = parent
    return True


def _is_alone(scene: Scene, call: ast.Call) -> bool:
    """Whether its statement evaluates nothing before it that it might change."""
    match scene.parents[call]:
        case ast.Assign(targets=[ast.Name()]) | ast.Return() | ast.Expr():
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append")) as outer:
            given = {each.id for each in ast.walk(call) if isinstance(each, ast.Name)}
            return name not in given and isinstance(scene.parents[outer], ast.Expr)
    return False


def _with(node: ast.expr, given: dict[str, ast.expr]) -> str:
    class Put(ast.NodeTransformer):
        def visit_Name(self, name: ast.Name) -> ast.expr:
            return given.get(name.id, name)

    return ast.unparse(Put().visit(ast.parse(ast.unparse(node), mode="eval")))
