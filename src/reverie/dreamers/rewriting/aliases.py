"""Other names under which something may be changed: what a look at one name alone would miss."""

import ast
from collections.abc import Callable, Iterable, Iterator

from reverie.dreamers.rewriting.kinds import known_calls, parameter_kinds
from reverie.syntax.nodes import Function
from reverie.syntax.unparsing import unparse

Names = dict[str, frozenset[str]]
_MAKERS = ("list", "set", "dict", "sorted")
_Inner = Function | ast.Lambda


def second_names(function: ast.AST, tree: ast.Module) -> Names:
    """By name: others for the same object, and objects of the module's classes that were given it.

    An alias goes both ways: a change under either name is one of the other.
    """
    classes = frozenset(each.name for each in tree.body if isinstance(each, ast.ClassDef))
    near = _both_ways(_pairs(function, classes))
    same = same_objects(function)
    return {
        name: frozenset().union(*(near.get(each, frozenset()) for each in others)) - {name}
        for name, others in ((name, same.get(name, frozenset()) | {name}) for name in near)
    }


def same_objects(function: ast.AST) -> Names:
    """By name: all that plain assignments, one after another, make names of one object."""
    found = _both_ways(_pairs(function, frozenset(), is_plain=True))
    for _ in found:
        wider = {n: o.union(*(found[each] for each in o)) for n, o in found.items()}
        if wider == found:
            break
        found = wider
    return found


def _both_ways(pairs: Iterable[tuple[str, str]]) -> Names:
    every = list(pairs)
    return _gathered([*every, *((new, old) for old, new in every)])


def hands(function: ast.AST, is_change: Callable[[ast.Name], bool]) -> Names:
    """By name: those by whose use alone it may change, wherever they are used.

    A method bound to a name, a list that holds the object, a function inside that changes it.
    """
    found, same = _gathered(_hands(function, is_change)), same_objects(function)
    names = found.keys() | same.keys()
    return {
        name: frozenset().union(
            *(found.get(each, frozenset()) for each in same.get(name, frozenset()) | {name})
        )
        for name in names
    }


def fresh_names(function: ast.AST) -> frozenset[str]:
    """Names that only ever stand for lists, sets and dictionaries made in the function itself."""
    found: dict[str, bool] = {}
    for node in ast.walk(function):
        match node:
            case ast.arg(arg=name):
                found[name] = False
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=value)
            ) if _is_made(value):
                found.setdefault(name, True)
            case ast.Assign(targets=targets):
                found |= {name: False for each in targets for name in _stored(each)}
            case (
                ast.For(target=target)
                | ast.comprehension(target=target)
                | ast.AnnAssign(target=target)
                | ast.NamedExpr(target=target)
                | ast.withitem(optional_vars=ast.expr() as target)
            ):
                found |= dict.fromkeys(_stored(target), False)
    return frozenset(name for name, is_fresh in found.items() if is_fresh)


def _is_made(value: ast.expr | None) -> bool:
    is_call = isinstance(value, ast.Call) and unparse(value.func) in _MAKERS
    shown = ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp
    return is_call or isinstance(value, shown)


def _stored(target: ast.expr) -> list[str]:
    names = [each for each in ast.walk(target) if isinstance(each, ast.Name)]
    return [each.id for each in names if isinstance(each.ctx, ast.Store)]


def is_own_change(node: ast.AST, fresh: frozenset[str]) -> bool:
    """Whether a node only changes what the function made itself."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)):
            return name in fresh and attr in known_calls()["changing"]
        case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
            return name in fresh
    return False


def grows_given(function: ast.FunctionDef) -> bool:
    """Whether `+=` may change what a parameter stands for: of a plain value it makes another."""
    plain = {name for name, kind in parameter_kinds(function).items() if kind and kind.is_hashable}
    given = {each.arg for each in ast.walk(function) if isinstance(each, ast.arg)} - plain
    return any(
        isinstance(node, ast.AugAssign) and given & set(_stored(node.target))
        for node in ast.walk(function)
    )


def is_object_change(
    parent: ast.AST, each: ast.Name, is_change: Callable[[ast.Name], bool]
) -> bool:
    """Whether the object is changed there, which binding its name anew does not."""
    match parent:
        case ast.AugAssign(target=target):
            return target is each
        case ast.Assign() | ast.Return():
            return False
    return isinstance(each.ctx, ast.Load) and is_change(each)


def _gathered(pairs: Iterable[tuple[str, str]]) -> Names:
    found: dict[str, set[str]] = {}
    for name, other in pairs:
        if name != other:
            found.setdefault(name, set()).add(other)
    return {name: frozenset(others) for name, others in found.items()}


def _pairs(
    function: ast.AST, classes: frozenset[str], *, is_plain: bool = False
) -> Iterator[tuple[str, str]]:
    for node in ast.walk(function):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=new)], value=value)
                | ast.AnnAssign(target=ast.Name(id=new), value=value)
                | ast.NamedExpr(target=ast.Name(id=new), value=value)
            ) if value is not None and (isinstance(value, ast.Name) or not is_plain):
                yield from ((old, new) for old in _stands_for(value, classes))


def _stands_for(value: ast.expr, classes: frozenset[str]) -> Iterator[str]:
    """The names whose object, or a part of it, a value is or keeps."""
    match value:
        case ast.Name(id=old):
            yield old
        case ast.Attribute(value=ast.Name(id=old), attr=attr):
            if attr not in known_calls()["changing"]:
                yield old
        case ast.IfExp(body=body, orelse=orelse):
            yield from _stands_for(body, classes)
            yield from _stands_for(orelse, classes)
        case ast.Call(func=ast.Name(id=made), args=args, keywords=keywords) if made in classes:
            given = (*args, *(keyword.value for keyword in keywords))
            yield from (each.id for each in given if isinstance(each, ast.Name))


def _hands(function: ast.AST, is_change: Callable[[ast.Name], bool]) -> Iterator[tuple[str, str]]:
    for node in ast.walk(function):
        match node:
            case ast.Assign(
                targets=[ast.Name(id=new)], value=ast.Attribute(value=ast.Name(id=old), attr=attr)
            ) if attr in known_calls()["changing"]:
                yield old, new
            case ast.Assign(
                targets=[ast.Name(id=new)],
                value=ast.List() | ast.Tuple() | ast.Set() | ast.Dict() as shown,
            ):
                held = ast.iter_child_nodes(shown)
                yield from ((each.id, new) for each in held if isinstance(each, ast.Name))
            case ast.FunctionDef(name=new) | ast.AsyncFunctionDef(name=new) if node is not function:
                yield from ((old, new) for old in _changed_in(node, is_change))
            case ast.Assign(targets=[ast.Name(id=new)], value=ast.Lambda() as inner):
                yield from ((old, new) for old in _changed_in(inner, is_change))


def _changed_in(inner: _Inner, is_change: Callable[[ast.Name], bool]) -> set[str]:
    return {
        each.id
        for each in ast.walk(inner)
        if isinstance(each, ast.Name) and (not isinstance(each.ctx, ast.Load) or is_change(each))
    }
