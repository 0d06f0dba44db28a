"""Parameters that only one version has and that it never reads: gone, with what callers give.

    old, new = without_unread(ast.parse(before), ast.parse(after))

Only of private functions, each of whose mentions in the module is a call that gives a name or a
constant for it: then nobody can tell whether it is there.
"""

import ast
from copy import deepcopy

from reverie.instruments.equivalence.proven.scopes import Function, parameters
from reverie.instruments.equivalence.proven.spelling import occurrences

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
    read = {each.id for part in mine.body for each in ast.walk(part) if isinstance(each, ast.Name)}
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
