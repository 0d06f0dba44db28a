"""Where two versions of a function differ: the changed statements alone, as functions of names.

    pairs = changed_parts(old, new)     # None where the difference has no clear place

What stands before and after a changed part is the same text, so that both come to it with the same
locals, whatever these are. A part becomes a function of all names in it, which answers with those
that it may have bound and with how it was left. Two parts that take the same steps, and answer
alike, may stand for each other anywhere.
"""

import ast
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass

from reverie.instruments.equivalence.proven.scopes import (
    Scope,
    bound_names,
    free_names,
    looks_inside,
    parameters,
)
from reverie.syntax.nodes import Function, names_in

_RAN, _RETURNED, _BROKEN, _CONTINUED, _YES, _NO = range(6)
"""How a part was left."""
_LOOPS = ast.For | ast.AsyncFor | ast.While
_SCOPES = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.GeneratorExp | ast.ClassDef
_NOBODY = "__nobody"
_OWN_WORDS = frozenset({"super", "__class__"})
_HUSHING = frozenset({"suppress", "raises", "assertRaises"})


@dataclass(frozen=True, slots=True)
class Part:
    """Statements of either version that stand in each other's place."""

    old: list[ast.stmt]
    new: list[ast.stmt]
    is_repeated: bool
    """Whether a loop is around it."""
    ends: type[ast.stmt] | None = None
    """The statement that says what happens anyway after it: at the end of a loop or function."""


def changed_parts(old: Scope, new: Scope) -> list[tuple[Function, Function]] | None:
    """Every changed part with what stands in its place; None where there is no smaller one."""
    if not isinstance(old, Function) or not isinstance(new, Function):
        return None
    found: list[Part] = []
    if looks_inside(old) or looks_inside(new) or _is_local_in_one(old, new):
        return None
    _collect(old.body, new.body, False, ast.Return, found)
    is_whole = any(len(e.old) == len(old.body) and e.old[:1] == old.body[:1] for e in found)
    if is_whole or not found or any(_is_refused(old, new, each) for each in found):
        return None
    return [_as_functions(old, new, each) for each in found]


def _is_local_in_one(old: Function, new: Function) -> bool:
    """Whether a name is a local of one version, and names something else in the other."""
    own = [{*parameters(node), *_bound(node.body)} for node in (old, new)]
    named = [names_in(node) for node in (old, new)]
    return bool((own[0] - own[1]) & named[1] or (own[1] - own[0]) & named[0])


def _collect(
    old: Sequence[ast.stmt],
    new: Sequence[ast.stmt],
    is_repeated: bool,
    ends: type[ast.stmt] | None,
    found: list[Part],
) -> None:
    """Parts of two blocks that differ, as small as they come."""
    mine, other = list(old), list(new)
    while mine and other and ast.dump(mine[0]) == ast.dump(other[0]):
        mine, other = mine[1:], other[1:]
    while mine and other and ast.dump(mine[-1]) == ast.dump(other[-1]):
        mine, other, ends = mine[:-1], other[:-1], None
    match mine, other:
        case [], []:
            return
        case [ast.If() as first], [ast.If() as second]:
            if ast.dump(first.test) != ast.dump(second.test):
                found.append(Part(_decision(first.test), _decision(second.test), is_repeated))
            _collect(first.body, second.body, is_repeated, ends, found)
            _collect(first.orelse, second.orelse, is_repeated, ends, found)
        case [ast.For() | ast.While() | ast.With() as around], [
            ast.For() | ast.While() | ast.With() as other_around
        ] if _head(around) == _head(other_around):
            is_loop = isinstance(around, _LOOPS)
            inside = ast.Continue if is_loop else None
            _collect(around.body, other_around.body, is_repeated or is_loop, inside, found)
        case _:
            found.append(Part(mine, other, is_repeated, ends))


def _head(node: ast.For | ast.While | ast.With) -> str:
    """A statement without what it holds; with all of it where errors may be hushed there."""
    is_hushing = isinstance(node, ast.With) and _HUSHING & {
        name for each in node.items for name in names_in(each)
    }
    made = deepcopy(node)
    made.body = made.body if is_hushing else []
    return ast.dump(made)


def _decision(test: ast.expr) -> list[ast.stmt]:
    return [ast.If(test, [_left(_YES)], [_left(_NO)])]


def _left(how: int, *more: ast.expr) -> ast.Return:
    made = ast.Return(ast.Tuple([ast.Constant(how), *more], ast.Load()))
    made.is_left = True  # type: ignore[attr-defined]
    return made


def _is_refused(old: Function, new: Function, part: Part) -> bool:
    """Whether functions inside may see when its names are bound, or names are not its own."""
    stored = _bound(part.old) | _bound(part.new)
    named = _named(part.old) | _named(part.new) | stored
    for node in (old, new):
        for each in ast.walk(node):
            if isinstance(each, ast.Global | ast.Nonlocal) and named & {*each.names}:
                return True
            if isinstance(each, _SCOPES) and each is not node and stored & free_names(each):
                return True
    return bool(named & _OWN_WORDS)


def _as_functions(old: Function, new: Function, part: Part) -> tuple[Function, Function]:
    """Both parts, with all names that they have, answering with those that matter later."""
    stored = _bound(part.old) | _bound(part.new)
    own = {*parameters(old), *_bound(old.body), *_bound(new.body)}
    ranks = {name: number for number, name in enumerate(parameters(old))}
    names = (_named(part.old) | _named(part.new) | stored) & own
    given = sorted(names, key=lambda each: (ranks.get(each, len(ranks)), each))
    later = _outside(old, part.old) | _outside(new, part.new)
    if part.is_repeated:
        sides = (part.old, part.new)
        later |= {n for n in stored if not all(_is_bound_first(n, side) for side in sides)}
    kept = [name for name in given if name in stored & later]
    steady = {each.arg: each.annotation for each in old.args.args} if old.args.args else {}
    steady = {n: note for n, note in steady.items() if n not in _bound(old.body)}
    steady = {n: note for n, note in steady.items() if n not in _bound(new.body)}
    first = next(iter(parameters(old)), None)
    receiver = first if first in steady else _NOBODY  # whose methods are known
    arguments = [ast.arg(n, steady.get(n)) for n in (receiver, *given) if n != receiver]
    arguments.insert(0, ast.arg(receiver, steady.get(receiver)))
    made = [_as_function(each, arguments, kept, part.ends) for each in (part.old, part.new)]
    return made[0], made[1]


def _as_function(
    part: list[ast.stmt], given: list[ast.arg], kept: list[str], ends: type[ast.stmt] | None
) -> Function:
    answer = [ast.Name(name, ast.Load()) for name in kept]
    body: list[ast.AST] = [_Leaving(answer, ends).visit(deepcopy(each)) for each in part]
    plain = ast.arguments([], list(given), None, [], [], None, [])
    at_end = _left(_RETURNED, ast.Constant(None)) if ends is ast.Return else _left(_RAN, *answer)
    return ast.FunctionDef("part", plain, [*body, at_end], [])  # type: ignore[list-item]


class _Leaving(ast.NodeTransformer):
    """Makes of ways out of a part what it answers."""

    def __init__(self, answer: list[ast.Name], ends: type[ast.stmt] | None) -> None:
        self.answer = answer
        self.ends = ends
        self.loops = 0

    def visit(self, node: ast.AST) -> ast.AST:
        """Functions inside have ways out of their own, and so have loops."""
        if isinstance(node, _SCOPES):
            return node
        if isinstance(node, _LOOPS):
            self.loops += 1
            node.body = [self.visit(each) for each in node.body]  # type: ignore[misc]
            self.loops -= 1
            node.orelse = [self.visit(each) for each in node.orelse]  # type: ignore[misc]
            return node
        made = super().visit(node)
        assert isinstance(made, ast.AST)
        return made

    def visit_Return(self, node: ast.Return) -> ast.stmt:
        """With what is returned."""
        if hasattr(node, "is_left"):
            return node
        return _left(_RETURNED, node.value or ast.Constant(None))

    def visit_Break(self, node: ast.Break) -> ast.stmt:
        """Out of a loop around the part."""
        return node if self.loops else _left(_BROKEN, *self.answer)

    def visit_Continue(self, node: ast.Continue) -> ast.stmt:
        """On with a loop around the part."""
        how = _RAN if self.ends is ast.Continue else _CONTINUED
        return node if self.loops else _left(how, *self.answer)


def _bound(part: Sequence[ast.stmt]) -> set[str]:
    return set(bound_names(part))


def _named(part: Sequence[ast.stmt]) -> set[str]:
    return {name for each in part for name in names_in(each)}


def _outside(node: Function, part: list[ast.stmt]) -> set[str]:
    """Names in a function, other than in one part of it."""
    inside = {id(each) for statement in part for each in ast.walk(statement)}
    return {
        name
        for each in ast.walk(node)
        if id(each) not in inside
        for name in (getattr(each, "id", None), getattr(each, "name", None))
        if isinstance(name, str)
    }


def _is_bound_first(name: str, part: list[ast.stmt]) -> bool:
    """Whether a part says what a name is before it asks: it need not be known from before."""
    for statement in part:
        match statement:
            case ast.Assign(targets=[ast.Name(id=bound)], value=value) if bound == name:
                return name not in names_in(value)
            case _ if name in names_in(statement):
                return False
    return name not in _bound(part)
