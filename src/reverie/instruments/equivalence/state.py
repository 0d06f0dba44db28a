"""What outlives a call, read from the source: who changes it, and who can show it."""

import ast
from collections.abc import Iterable, Iterator

from reverie.instruments.equivalence.targets import Definition, find_definition

_CHANGING_METHODS = frozenset(
    ["append", "appendleft", "add", "update", "clear", "pop", "popleft", "popitem", "setdefault",
     "extend", "insert", "remove", "discard", "sort", "reverse", "write"]
)  # fmt: skip
_DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.Call)
_SHOWING = frozenset({"__contains__", "__getitem__", "__call__", "__eq__", "__bool__"})
"""Methods with a special name that show what an object holds; items and `repr` are read anyway."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def companions_of(old: ast.Module, new: ast.Module, entry: str) -> Iterator[str]:
    """Public functions in both whose calls the callable's own may depend on, or show in.

    Of a method, the other methods and properties of its class; of a function, those that touch
    data of the module which calls change.
    """
    yield from _siblings(old, new, entry)
    data, others = _top_level(old), _functions(new)
    changed = {name for tree in (old, new) for name in _changed_names(tree, data)}
    for name, node in _functions(old).items():
        is_public = not name.startswith("_") and name != entry
        if is_public and name in others and _touches(node, changed):
            yield name


def _siblings(old: ast.Module, new: ast.Module, entry: str) -> Iterator[str]:
    """Methods of the class that the callable is, or belongs to."""
    is_class = isinstance(find_definition(old, entry), ast.ClassDef)
    owner = entry if is_class else entry.rpartition(".")[0]
    before, after = (_methods(tree, owner) for tree in (old, new)) if owner else ({}, {})
    for name in before:
        if name in after and f"{owner}.{name}" != entry:
            yield f"{before[name]}.{name}"


def _methods(tree: ast.Module, owner: str) -> dict[str, str]:
    """Methods that anybody may call, with the class of the module that defines them."""
    node = find_definition(tree, owner)
    if not isinstance(node, ast.ClassDef):
        return {}
    found: dict[str, str] = {}
    for base in node.bases:
        if isinstance(base, ast.Name) and base.id != owner:
            found |= _methods(tree, base.id)
    return found | {
        each.name: owner
        for each in node.body
        if isinstance(each, Function)
        and (not each.name.startswith("_") or each.name in _SHOWING)
        and not any(isinstance(mark, ast.Attribute) for mark in each.decorator_list)
    }


def watched_of(old: ast.Module, new: ast.Module) -> Iterator[str]:
    """Public data of the module, in both, that calls could change."""
    before, after = _top_level(old), _top_level(new)
    changed = {name for tree in (old, new) for name in _changed_names(tree, {**before, **after})}
    for name in before:
        if name in after and name in changed and not name.startswith("_"):
            yield name


def keeps_state(tree: ast.Module) -> bool:
    """Whether something is kept between calls: a cache, a mutable default, data of the module."""
    return shares_state(tree) or any(
        "cache" in ast.unparse(mark)
        for node in ast.walk(tree)
        if isinstance(node, Function)
        for mark in node.decorator_list
    )


def shares_state(tree: ast.Module) -> bool:
    """Whether all callers, and so all threads, share something that a call changes."""
    data = _top_level(tree) | _class_level(tree)
    for node in ast.walk(tree):
        if isinstance(node, Function):
            defaults = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
            if any(isinstance(each, ast.List | ast.Dict | ast.Set | ast.Call) for each in defaults):
                return True
            if _changed_names(node, {**data, **_functions(tree)}):
                return True
    return False


def _top_level(tree: ast.Module) -> dict[str, ast.expr]:
    """Names that the module binds to data."""
    return _bound(tree.body)


def _class_level(tree: ast.Module) -> dict[str, ast.expr]:
    """Containers that classes hold for all of their instances, by attribute."""
    return {
        name: value
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for name, value in _bound(node.body).items()
        if isinstance(value, _DISPLAYS)
    }


def _bound(body: list[ast.stmt]) -> dict[str, ast.expr]:
    found: dict[str, ast.expr] = {}
    for node in body:
        if isinstance(node, ast.Assign):
            found |= {each.id: node.value for each in node.targets if isinstance(each, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            found[node.target.id] = node.value
    return found


def _changed_names(function: ast.AST, data: Iterable[str]) -> set[str]:
    """Which of the shared names a function changes."""
    known = set(data)
    changed: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Global):
            changed |= set(node.names)
        elif isinstance(node, ast.Subscript | ast.Attribute) and not isinstance(node.ctx, ast.Load):
            changed.add(_last_name(node.value))
        elif isinstance(node, ast.Call):
            changed.add(_changed_by_method(node.func))
    return changed & known


def _changed_by_method(called: ast.expr) -> str:
    if isinstance(called, ast.Attribute) and called.attr in _CHANGING_METHODS:
        return _last_name(called.value)
    return ""


def _last_name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _touches(function: Definition, names: set[str]) -> bool:
    return any(isinstance(node, ast.Name) and node.id in names for node in ast.walk(function))


def _functions(tree: ast.Module) -> dict[str, ast.FunctionDef]:
    return {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}
