"""Parameters and private attributes that only one version has and nothing reads: taken out.

    old, new = without_unread(fresh_module(before), fresh_module(after))

Parameters only of private functions, each of whose mentions in the module is a call that gives a
name or a constant for it: then nobody can tell whether it is there. Setting a private attribute
that nothing reads is no behaviour.
"""

import ast
from copy import deepcopy

from reverie.instruments.equivalence.proven.scopes import occurrences, parameters
from reverie.syntax.nodes import Function, names_in

_ROUNDS = 6
UNREAD = "a parameter that nobody reads"


def without_unread(old: ast.Module, new: ast.Module) -> tuple[ast.Module, ast.Module]:
    """Both modules; copies where something is taken out. Whoever hands one on may drop it next."""
    found = old, new
    for _ in range(_ROUNDS):
        before = found
        for name in _called_otherwise(*found):
            found = _without(name, *found)
        if found == before:
            break
    return found


def _called_otherwise(old: ast.Module, new: ast.Module) -> list[str]:
    mine, others = dict(occurrences(old)), dict(occurrences(new))
    return [
        name
        for name in mine.keys() & others.keys()
        if _is_private(name)
        and len(mine[name]) == len(others[name]) == 1
        and parameters(mine[name][0]) != parameters(others[name][0])
    ]


def _without(name: str, old: ast.Module, new: ast.Module) -> tuple[ast.Module, ast.Module]:
    (mine,), (other,) = dict(occurrences(old))[name], dict(occurrences(new))[name]
    extra = _extra(mine, other), _extra(other, mine)
    if extra[0] is None or extra[1] is None:
        return old, new
    first, second = _Dropping(name, {*extra[0]}).of(old), _Dropping(name, {*extra[1]}).of(new)
    return (old, new) if first is None or second is None else (first, second)


def _is_private(name: str) -> bool:
    last = name.rpartition(".")[2]
    return last.startswith("_") and not last.endswith("__")


def _extra(mine: Function, other: Function) -> list[str] | None:
    """Parameters that the other does not have; None where one of them is read."""
    found = [each for each in parameters(mine) if each not in parameters(other)]
    read = {name for part in mine.body for name in names_in(part)}
    plain = {each.arg for each in mine.args.args}
    is_unread = not read & {*found} and {*found} <= plain and not mine.args.defaults
    return found if is_unread else None


class _Dropping:
    """Takes parameters out of one function and of every call of it."""

    def __init__(self, name: str, gone: set[str]) -> None:
        self.name = name
        self.gone = gone

    def of(self, tree: ast.Module) -> ast.Module | None:
        """The module without them; None where a mention is more than a call that says what."""
        if not self.gone:
            return tree
        made = deepcopy(tree)
        (node,) = dict(occurrences(made))[self.name]
        places = [number for number, each in enumerate(node.args.args) if each.arg in self.gone]
        bound = int("." in self.name and not node.decorator_list)
        last = self.name.rpartition(".")[2]
        node.args.args = [each for each in node.args.args if each.arg not in self.gone]
        calls = [each for each in ast.walk(made) if isinstance(each, ast.Call)]
        calls = [each for each in calls if _named(each.func) == last]
        mentions = sum(_named(each) == last for each in ast.walk(made))
        is_clear = mentions == len(calls) and all(self._drop(e, places, bound) for e in calls)
        return made if is_clear else None

    def _drop(self, call: ast.Call, places: list[int], bound: int) -> bool:
        if any(isinstance(each, ast.Starred) for each in call.args):
            return False
        offset = bound if isinstance(call.func, ast.Attribute) else 0
        given = [n - offset for n in places if n - offset < len(call.args)]
        named = [each for each in call.keywords if each.arg in self.gone]
        dropped = [*(call.args[n] for n in given), *(each.value for each in named)]
        is_known = len(dropped) == len(places) and all(each.arg for each in call.keywords)
        call.args = [each for n, each in enumerate(call.args) if n not in given]
        call.keywords = [each for each in call.keywords if each not in named]
        return is_known and all(isinstance(each, ast.Name | ast.Constant) for each in dropped)


def _named(node: ast.AST) -> str | None:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return None


UNREAD_ATTRIBUTE = "a private attribute that nothing reads"


def without_unread_attributes(old: ast.Module, new: ast.Module) -> tuple[ast.Module, ast.Module]:
    """Both modules without such assignments; copies where something is taken out."""
    first, second = _set_only(old), _set_only(new)
    gone = {
        each
        for each in first ^ second
        if not (_named_attributes(old) | _named_attributes(new)) & {each}
    }
    return _without_attributes(old, gone & first), _without_attributes(new, gone & second)


def _set_only(tree: ast.Module) -> set[str]:
    """Private attributes that are set to something plain wherever they are named."""
    return {
        target.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and _is_plain(node)
        for target in node.targets
        if isinstance(target, ast.Attribute) and _is_private(target.attr)
    }


def _named_attributes(tree: ast.Module) -> set[str]:
    """Words that may stand for an attribute, other than where it is set to something plain."""
    plain = {
        id(node.targets[0])
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and _is_plain(node)
    }
    found = {
        each.attr
        for each in ast.walk(tree)
        if isinstance(each, ast.Attribute) and id(each) not in plain
    }
    return found | {
        each.value
        for each in ast.walk(tree)
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    }


def _is_plain(node: ast.Assign) -> bool:
    """`x._y = z`, where nothing is computed and nothing else is set."""
    match node:
        case ast.Assign(targets=[ast.Attribute(value=ast.Name())], value=value):
            return isinstance(value, ast.Constant | ast.Name)
    return False


def _without_attributes(tree: ast.Module, names: set[str]) -> ast.Module:
    return _DroppingAttributes(names).visit(deepcopy(tree)) if names else tree


class _DroppingAttributes(ast.NodeTransformer):
    def __init__(self, names: set[str]) -> None:
        self.names = names

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        """Nothing in place of an assignment to one of them."""
        target = node.targets[0]
        is_gone = _is_plain(node) and isinstance(target, ast.Attribute)
        return ast.Pass() if is_gone and getattr(target, "attr", "") in self.names else node
