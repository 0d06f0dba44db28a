"""Small costs in hot places: calls of helpers, powers of which only a remainder is wanted."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.purity import working_body
from reverie.dreamers.rewriting.repeats import kind_inside, repeats_around
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edits
from reverie.syntax.nodes import Function, names_in
from reverie.syntax.parsing import fresh_expression
from reverie.syntax.unparsing import unparse


def _top(scene: Scene) -> ast.stmt | None:
    """The statement of the module that the function belongs to."""
    for node in scene.source.tree.body:
        if isinstance(node, Function | ast.ClassDef) and scene.function in ast.walk(node):
            return node
    return None


def constant_table(scene: Scene) -> Iterator[Edits]:
    """A dictionary or set of constants that every call makes again, and only reads."""
    for node in scene.statements():
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)], value=(ast.Dict() | ast.Set() | ast.List()) as value
            ):
                home, held = _top(scene), list(ast.walk(value))[1:]
                plain = all(
                    isinstance(each, ast.Constant | ast.Load | ast.UnaryOp | ast.USub)
                    for each in held
                )
                size = len(getattr(value, "elts", None) or getattr(value, "keys", []))
                if home is None or not plain or size < 3 or len(scene.bindings(name)) != 1:
                    continue
                if any(
                    not _is_lookup(scene, each)
                    for each in scene.names(name)
                    if isinstance(each.ctx, ast.Load)
                ):
                    continue
                shared, source = scene.fresh(f"_{name.upper()}"), scene.source
                made = source.before(home, f"{shared} = {source.of(value)}", "", "")
                yield Edits((made, source.replaced(value, shared)))


def _is_lookup(scene: Scene, each: ast.Name) -> bool:
    match scene.parents[each]:
        case ast.Subscript(ctx=ast.Load(), value=value):
            return value is each
        case ast.Compare(ops=[ast.In() | ast.NotIn()]):
            return True
        case ast.Attribute(attr="get"):
            return True
    return False


def bound_method(scene: Scene) -> Iterator[Edits]:
    """`out.append(x)` in a loop: the method is looked up once."""
    for node in scene.statements():
        match node:
            case ast.For() | ast.While():
                for name in _appended_in(scene, node):
                    calls = scene.method_calls(name, "append", node)
                    bound, source = scene.fresh(f"add_to_{name}"), scene.source
                    first = source.before(node, f"{bound} = {name}.append")
                    edits = [source.replaced(call.func, bound) for call in calls]
                    yield Edits((first, *edits))


def _appended_in(scene: Scene, loop: ast.stmt) -> set[str]:
    found = set()
    for name, kind in scene.kinds.items():
        steady = kind is not None and kind.name == "list" and not scene.bindings(name, loop)
        if steady and scene.method_calls(name, "append", loop) and not scene.loops_around(loop):
            found.add(name)
    return found


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
    return isinstance(parent, ast.IfExp) and "pow(" in unparse(parent.body)


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
                    yield Edits((scene.source.replaced(node, unparse(answer)),))


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
    free = names_in(helper) - bound - parameters
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
            given = names_in(call)
            return name not in given and isinstance(scene.parents[outer], ast.Expr)
    return False


def _with(node: ast.expr, given: dict[str, ast.expr]) -> str:
    class Put(ast.NodeTransformer):
        def visit_Name(self, name: ast.Name) -> ast.expr:
            return given.get(name.id, name)

    return unparse(Put().visit(fresh_expression(unparse(node))))
