"""Other names under which something may be changed: what a look at one name alone would miss."""

import ast
from collections.abc import Callable, Iterable, Iterator

from reverie.dreamers.rewriting.known import known_calls

Names = dict[str, frozenset[str]]
_Inner = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def second_names(function: ast.AST, tree: ast.Module) -> Names:
    """By name: others for the same object, and objects of the module's classes that were given it.

    An alias goes both ways: a change under either name is one of the other.
    """
    classes = frozenset(each.name for each in tree.body if isinstance(each, ast.ClassDef))
    pairs = list(_pairs(function, classes))
    return _gathered([*pairs, *((new, old) for old, new in pairs)])


def hands(function: ast.AST, is_change: Callable[[ast.Name], bool]) -> Names:
    """By name: those by whose use alone it may change, wherever they are used.

    A method bound to a name, a list that holds the object, a function inside that changes it.
    """
    return _gathered(_hands(function, is_change))


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


def _pairs(function: ast.AST, classes: frozenset[str]) -> Iterator[tuple[str, str]]:
    for node in ast.walk(function):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=new)], value=value)
                | ast.AnnAssign(target=ast.Name(id=new), value=value)
                | ast.NamedExpr(target=ast.Name(id=new), value=value)
            ) if value is not None:
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
