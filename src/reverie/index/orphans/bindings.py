"""What the names of a file stand for, at every place, and which parts concern dynamic imports.

A file may load plug-ins in one function and compare words in another: only the words that can
come to the import count. Functions are tied by the names that one defines and another speaks of;
what stands outside of functions can come anywhere.
"""

import ast
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from reverie.syntax.nodes import Function

_PASSED_THROUGH = {"sorted", "list", "tuple", "set", "frozenset", "reversed", "iter"}
_MOST_VALUES = 200


@dataclass(frozen=True, slots=True)
class Known:
    """The strings that a name can be, and those that it can hold."""

    texts: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    """Of a mapping, whose members are its values."""


@dataclass(slots=True)
class Bindings:
    """The names that are known at one place of a file."""

    known: dict[str, Known] = field(default_factory=dict)

    def bind(self, target: ast.expr, value: ast.expr) -> None:
        """Remember an assignment; a name that is given something else is known no more."""
        if not isinstance(target, ast.Name):
            return
        found = self._literal(value)
        if found is None:
            self.known.pop(target.id, None)
        else:
            self.known[target.id] = found

    def texts_of(self, node: ast.expr) -> tuple[str, ...]:
        """The strings that an expression can be; nothing when that is not known."""
        match node:
            case ast.Constant(value=str(text)):
                return (text,)
            case ast.Name(id=name):
                return self._of(name).texts
            case ast.Subscript(value=ast.Name(id=name)):
                return self._of(name).members
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="get")):
                return self._of(name).members
        return ()

    @contextmanager
    def looping(self, target: ast.expr, over: ast.expr) -> Iterator[None]:
        """Inside, the variables of a loop stand for what it goes over."""
        before = dict(self.known)
        self._forget(target)
        self.known.update(self._loop_variables(target, over))
        try:
            yield
        finally:
            self.known = before

    @contextmanager
    def scope(self, arguments: ast.arguments) -> Iterator[None]:
        """Inside, the parameters of a function hide what else has their names."""
        before = dict(self.known)
        for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            self.known.pop(each.arg, None)
        try:
            yield
        finally:
            self.known = before

    def _of(self, name: str) -> Known:
        return self.known.get(name, Known())

    def _forget(self, target: ast.expr) -> None:
        for node in ast.walk(target):
            if isinstance(node, ast.Name):
                self.known.pop(node.id, None)

    def _literal(self, value: ast.expr) -> Known | None:
        match value:
            case ast.Constant(value=str(text)):
                return Known(texts=(text,))
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
                members = _strings(parts)
                return None if members is None else Known(members=members)
            case ast.Dict(keys=keys, values=values):
                keyed = _strings([each for each in keys if each is not None])
                members = _strings(values)
                known = Known(members=members or (), keys=keyed or ())
                return known if known != Known() else None
            case ast.Call(func=ast.Name(id=name), args=[only]) if name in _PASSED_THROUGH:
                return self._literal(only)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                one, other = self._literal(left), self._literal(right)
                if one is not None and other is not None and one.members and other.members:
                    return Known(members=one.members + other.members)
            case ast.Name(id=name):
                return self.known.get(name)
        return None

    def _loop_variables(self, target: ast.expr, over: ast.expr) -> dict[str, Known]:
        match target, over:
            case ast.Name(id=name), ast.Call(
                func=ast.Attribute(value=held, attr="values" | "keys" as taken)
            ):
                found = self._literal(held) or Known()
                return {name: Known(texts=found.members if taken == "values" else found.keys)}
            case ast.Name(id=name), _:
                found = self._literal(over) or Known()
                return {name: Known(texts=found.keys or found.members)}
            case ast.Tuple(elts=[ast.Name(id=first), ast.Name(id=second)]), ast.Call(
                func=ast.Attribute(value=held, attr="items")
            ):
                found = self._literal(held) or Known()
                return {first: Known(texts=found.keys), second: Known(texts=found.members)}
            case ast.Tuple(elts=[_, ast.Name(id=second)]), ast.Call(
                func=ast.Name(id="enumerate"), args=[held, *_]
            ):
                return {second: Known(texts=(self._literal(held) or Known()).members)}
        return {}


def _strings(nodes: list[ast.expr]) -> tuple[str, ...] | None:
    """The values of nodes that are all strings."""
    found = [each.value for each in nodes if isinstance(each, ast.Constant)]
    strings = tuple(each for each in found if isinstance(each, str))
    return strings if len(strings) == len(nodes) <= _MOST_VALUES else None


class ScopedVisitor(ast.NodeVisitor):
    """Loops bind their variables, functions hide what their parameters are called."""

    def __init__(self) -> None:
        self.bindings = Bindings()

    def visit_For(self, node: ast.For) -> None:
        """Its variables stand for what it goes over."""
        self._looped(node)

    def visit_AsyncFor(self, node: ast.AsyncFor) -> None:
        """As any other loop."""
        self._looped(node)

    def visit_ListComp(self, node: ast.ListComp) -> None:
        """A loop that makes a list."""
        self._comprehended(node.generators, node.elt)

    def visit_SetComp(self, node: ast.SetComp) -> None:
        """A loop that makes a set."""
        self._comprehended(node.generators, node.elt)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        """A loop that makes one after the other."""
        self._comprehended(node.generators, node.elt)

    def visit_DictComp(self, node: ast.DictComp) -> None:
        """A loop that makes a mapping."""
        self._comprehended(node.generators, node.key, node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Its parameters are not known."""
        with self.bindings.scope(node.args):
            self.generic_visit(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        """As any other function."""
        with self.bindings.scope(node.args):
            self.generic_visit(node)

    def _looped(self, node: ast.For | ast.AsyncFor) -> None:
        self.visit(node.iter)
        with self.bindings.looping(node.target, node.iter):
            for statement in (*node.body, *node.orelse):
                self.visit(statement)

    def _comprehended(self, generators: list[ast.comprehension], *made: ast.expr) -> None:
        with ExitStack() as stack:
            for each in generators:
                self.visit(each.iter)
                stack.enter_context(self.bindings.looping(each.target, each.iter))
                for condition in each.ifs:
                    self.visit(condition)
            for part in made:
                self.visit(part)


@dataclass(frozen=True, slots=True)
class _Part:
    """A statement at the top of a module or of a class."""

    lines: range
    defines: frozenset[str]
    speaks_of: frozenset[str]
    is_called: bool
    """Whether it defines something that others may hand names to."""


def concerned_lines(tree: ast.Module, imports_at: Iterable[int]) -> frozenset[int]:
    """The lines of what imports dynamically, calls what does, serves it, or is in no function."""
    lines = set(imports_at)
    if not lines:
        return frozenset()
    parts = list(_parts(tree.body, ""))
    found = [part for part in parts if not lines.isdisjoint(part.lines)]
    concerned = _closed(_closed(found, parts, _calls), parts, _serves)
    concerned += [part for part in parts if not part.is_called]
    return frozenset(line for part in concerned for line in part.lines)


def _closed(
    start: list[_Part], parts: list[_Part], tie: Callable[[_Part, _Part], bool]
) -> list[_Part]:
    found, rest = list(start), [part for part in parts if part not in start]
    at = 0
    while at < len(found):
        joined = [part for part in rest if tie(part, found[at])]
        rest = [part for part in rest if part not in joined]
        found += joined
        at += 1
    return found


def _calls(part: _Part, other: _Part) -> bool:
    return other.is_called and not part.speaks_of.isdisjoint(other.defines)


def _serves(part: _Part, other: _Part) -> bool:
    return not part.defines.isdisjoint(other.speaks_of)


def _parts(statements: Iterable[ast.stmt], owner: str) -> Iterator[_Part]:
    for statement in statements:
        match statement:
            case ast.ClassDef(name=name, body=body):
                yield from _parts(body, name)
            case ast.If(body=body, orelse=other):
                yield from _parts([*body, *other], owner)
            case ast.Try(body=body, handlers=handlers, orelse=other, finalbody=last):
                handled = [each for handler in handlers for each in handler.body]
                yield from _parts([*body, *handled, *other, *last], owner)
            case _:
                yield _part(statement, owner)


def _part(statement: ast.stmt, owner: str) -> _Part:
    defines, speaks_of = {owner} - {""}, set()
    for node in ast.walk(statement):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                speaks_of.add(name)
            case ast.Name(id=name):
                defines.add(name)
            case ast.Attribute(attr=name, ctx=ast.Load()):
                speaks_of.add(name)
            case ast.Attribute(attr=name):
                defines.add(name)
    is_called = isinstance(statement, Function)
    if isinstance(statement, Function):
        defines = {statement.name} | ({owner} - {""})
    last = statement.end_lineno or statement.lineno
    return _Part(
        range(statement.lineno, last + 1), frozenset(defines), frozenset(speaks_of), is_called
    )
