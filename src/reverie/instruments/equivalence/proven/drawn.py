"""Comprehensions and generators under one spelling, where all of them is drawn at once.

    plain = drawn_at_once(function, facts)

`list(x.a for x in xs)` is a list that is written down otherwise, and `[x for x in xs]` is
`list(xs)`. A generator is only that of what draws it at once; one that is kept is left alone. All
of it holds by convention: a generator turns a `StopIteration` into another error, and `list()`
may ask for a length first.
"""

import ast
from copy import deepcopy

from reverie.instruments.equivalence.proven.scopes import ModuleFacts, Scope
from reverie.syntax.nodes import stored_names

_DRAWING = frozenset({"tuple", "sorted", "sum", "frozenset", "min", "max"})
_PAIRS = frozenset({"zip", "enumerate"})
_PAIR = 2


class Stopping(ast.ListComp):
    """What `all()` or `any()` draws of a generator, up to the first that decides."""

    decides: bool = False
    """The truth that ends it: False for `all()`."""


def drawn_at_once(node: Scope, facts: ModuleFacts) -> Scope:
    """A copy of a function with one spelling for each of these."""
    hidden = stored_names(node) | {e.arg for e in ast.walk(node) if isinstance(e, ast.arg)}
    made = _Drawing(facts, hidden).visit(deepcopy(node))
    assert isinstance(made, Scope)
    return made


class _Drawing(ast.NodeTransformer):
    def __init__(self, facts: ModuleFacts, hidden: set[str]) -> None:
        self.facts = facts
        self.hidden = hidden
        """Names that may mean something else in the function."""

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """A call that draws all of its only argument."""
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="join")):
                return _with_list(node)
            case ast.Call(func=ast.Name(id=name)) if self._is_builtin(name):
                return self._of_builtin(name, node)
        return node

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        """`list()` of what is only copied."""
        self.generic_visit(node)
        source = _copied(node)
        return node if source is None else self._called("list", source, node)

    def visit_SetComp(self, node: ast.SetComp) -> ast.expr:
        """`set()` of what is only copied."""
        self.generic_visit(node)
        source = _copied(node)
        return node if source is None else self._called("set", source, node)

    def visit_DictComp(self, node: ast.DictComp) -> ast.expr:
        """`dict()` of pairs that are only copied: of what surely gives pairs."""
        self.generic_visit(node)
        match node:
            case ast.DictComp(
                key=ast.Name(id=key),
                value=ast.Name(id=value),
                generators=[
                    ast.comprehension(
                        target=ast.Tuple(elts=[ast.Name(id=first), ast.Name(id=second)]),
                        iter=source,
                        ifs=[],
                        is_async=0,
                    )
                ],
            ) if (key, value) == (first, second) and key != value and _gives_pairs(source):
                return self._called("dict", source, node)
        return node

    def _of_builtin(self, name: str, node: ast.Call) -> ast.expr:
        match name, node.args, node.keywords:
            case "list" | "set" | "dict", [ast.GeneratorExp() | ast.ListComp() as given], []:
                return self._made(name, given, node)
            case "all" | "any", [ast.GeneratorExp() as given], [] if not _waits(given):
                made = Stopping(elt=given.elt, generators=given.generators)
                made.decides = name == "any"
                return made
        return _with_list(node) if name in _DRAWING else node

    def _made(self, name: str, given: ast.GeneratorExp | ast.ListComp, node: ast.Call) -> ast.expr:
        if _waits(given):
            return node
        match name, given.elt:
            case "list", _:
                return self.visit_ListComp(ast.ListComp(given.elt, given.generators))
            case "set", _:
                return self.visit_SetComp(ast.SetComp(given.elt, given.generators))
            case "dict", ast.Tuple(elts=[key, value]):
                return self.visit_DictComp(ast.DictComp(key, value, given.generators))
        return node

    def _called(self, name: str, source: ast.expr, node: ast.expr) -> ast.expr:
        if not self._is_builtin(name):
            return node
        return ast.Call(ast.Name(name, ast.Load()), [source], [])

    def _is_builtin(self, name: str) -> bool:
        return name not in self.hidden and self.facts.is_builtin(name)


def _with_list(node: ast.Call) -> ast.Call:
    match node.args:
        case [ast.GeneratorExp() as given, *rest] if not _waits(given):
            return ast.Call(
                node.func, [ast.ListComp(given.elt, given.generators), *rest], node.keywords
            )
    return node


def _copied(node: ast.ListComp | ast.SetComp) -> ast.expr | None:
    """What a comprehension copies item by item; None where it does more."""
    match node:
        case (
            ast.ListComp(elt=ast.Name(id=item), generators=[drawn])
            | ast.SetComp(elt=ast.Name(id=item), generators=[drawn])
        ):
            is_plain = isinstance(drawn.target, ast.Name) and drawn.target.id == item
            return drawn.iter if is_plain and not drawn.ifs and not drawn.is_async else None
    return None


def _gives_pairs(source: ast.expr) -> bool:
    match source:
        case ast.Call(func=ast.Attribute(attr="items"), args=[], keywords=[]):
            return True
        case ast.Call(func=ast.Name(id=name), args=args):
            is_known = name in _PAIRS and not any(isinstance(e, ast.Starred) for e in args)
            return is_known and (name == "enumerate" or len(args) == _PAIR)
    return False


def _waits(node: ast.AST) -> bool:
    """Whether it waits, or binds a name around it: then it is more than a way to say a list."""
    waiting = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)
    return any(
        isinstance(each, waiting) or (isinstance(each, ast.comprehension) and each.is_async)
        for each in ast.walk(node)
    )
