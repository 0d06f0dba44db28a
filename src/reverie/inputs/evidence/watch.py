"""Walks a function and notes what is done with its parameters. Nothing is executed.

`Sight` is what an expression says about the values in it, and which value it holds itself.
"""

import ast
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Self

from reverie.inputs.evidence.trace import (
    OWNERS,
    TEXT_LISTS,
    TEXT_RESULTS,
    Trace,
    through_lambda,
    watch_builtin,
)
from reverie.inputs.scope import Scope
from reverie.syntax.nodes import Function
from reverie.syntax.parsing import parse_expression
from reverie.syntax.unparsing import unparse

_DEEPEST_CALLS = 2
_MOST_NODES = 5_000


class Sight(ABC):
    """Sees expressions; a name means the trace of what it holds."""

    def __init__(self, scope: Scope, names: dict[str, Trace], depth: int = 0) -> None:
        self.scope = scope
        self.names = names
        self.depth = depth
        self._left = _MOST_NODES

    @abstractmethod
    def run(self, body: Sequence[ast.stmt]) -> None:
        """See every statement, in order."""

    @abstractmethod
    def bind(self, target: ast.expr, found: Trace | None) -> None:
        """A name, or several, hold this value from now on."""

    @abstractmethod
    def iterated(self, node: ast.expr) -> Trace | None:
        """The item of what is looped over."""

    @abstractmethod
    def test(self, node: ast.expr) -> None:
        """Its truth decides."""

    @abstractmethod
    def children(self, node: ast.AST) -> None:
        """See all that stands in a node."""

    def within(self, names: dict[str, Trace], deeper: int = 0) -> Self:
        """Another of the same kind, with other names."""
        return type(self)(self.scope, names, self.depth + deeper)

    def vote_for(self, node: ast.expr, kind: str, weight: int = 2) -> None:
        """One more reason for the type of what a node holds."""
        found = self.see(node)
        if found is not None:
            found.vote(kind, weight)

    def see(self, node: ast.expr) -> Trace | None:
        """What an expression holds, after noting what it does."""
        self._left -= 1
        if self._left < 0:
            return None
        match node:
            case ast.Name(name):
                return self.names.get(name)
            case ast.Constant(value):
                return None if value is None else Trace.of(type(value).__name__)
            case ast.Attribute(value=owner, attr=name):
                found = self.see(owner)
                return None if found is None else found.attribute(name)
            case ast.Subscript(value=owner, slice=index):
                return self._subscript(self.see(owner), index)
            case ast.Call():
                return self._call(node)
            case ast.BinOp(left=left, op=op, right=right):
                return self._operate(self.see(left), op, right, self.see(right), left)
            case ast.Compare(left=left, ops=ops, comparators=others):
                self._compare(left, ops, others)
                return Trace.of("bool")
        return self._compound(node)

    def _compound(self, node: ast.expr) -> Trace | None:
        match node:
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                self.vote_for(operand, "number", 1)
                return self.see(operand)
            case ast.Await(value):
                found = self.see(value)
                return None if found is None else found.vote("Awaitable", 1).result
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                return self._comprehension(node)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                self.test(test)
                self.see(test)
                first, second = self.see(body), self.see(orelse)
                return first or second
            case ast.BoolOp(values=values):
                found_all = [self.see(each) for each in values]
                return next((each for each in found_all if each is not None), None)
            case ast.JoinedStr() | ast.FormattedValue():
                self.children(node)
                return Trace.of("str")
            case ast.Lambda():
                return None
            case ast.NamedExpr(target=target, value=value):
                found = self.see(value)
                self.bind(target, found)
                return found
        self.children(node)
        return _display(node)

    def _subscript(self, owner: Trace | None, index: ast.expr) -> Trace | None:
        if isinstance(index, ast.Slice):
            self.children(index)
            return owner.vote("sequence") if owner is not None else None
        inner = self.see(index)
        if owner is None:
            return None
        match index:
            case ast.Constant(str(name)):
                return owner.named(name)
            case ast.Constant(int()) | ast.UnaryOp():
                owner.is_indexed = True
                return owner.element
        if inner is not None and inner.votes.most_common(1)[:1] == [("int", inner.votes["int"])]:
            owner.is_indexed = True
        elif inner is not None:
            owner.vote("dict")
            owner.key.like(inner)
        return owner.element

    def _call(self, node: ast.Call) -> Trace | None:
        match node.func:
            case ast.Attribute(value=owner, attr=name):
                found = self.see(owner)
                if found is not None:
                    return self._method(found, name, node)
            case ast.Name(name) if name in self.names:
                called = self.names[name]
                called.arity = len(node.args)
                called.vote("callable", 4)
                for each in node.args:
                    self.see(each)
                return called.result
        seen = watch_builtin(self, node)
        if seen is not None:
            return seen
        self._into_own_function(node)
        return None

    def _into_own_function(self, node: ast.Call) -> None:
        """What a function of the same source does with the values it is handed."""
        given = [self.see(each) for each in node.args]
        named = {each.arg: self.see(each.value) for each in node.keywords if each.arg}
        target = self.scope.names.get(node.func.id) if isinstance(node.func, ast.Name) else None
        if not isinstance(target, Function) or self.depth >= _DEEPEST_CALLS:
            return
        parameters = [*target.args.posonlyargs, *target.args.args]
        held = dict(zip((each.arg for each in parameters), given, strict=False)) | named
        known = {name: each for name, each in held.items() if each is not None}
        for each in parameters:
            if each.annotation is not None and each.arg in known:
                known[each.arg].vote(unparse(each.annotation).strip("'\""), 4)
        if known:
            self.within(known, 1).run(target.body)

    def _method(self, owner: Trace, name: str, node: ast.Call) -> Trace | None:
        arguments = [self.see(each) for each in node.args]
        for keyword in node.keywords:
            if keyword.arg == "key" and name == "sort":
                through_lambda(self, keyword.value, owner.iterate())
        kind = OWNERS.get(name)
        if kind is None:
            return owner.methods.setdefault(name, Trace())
        owner.vote(kind, 3 if kind in ("str", "dict") else 2)
        for constant in (each.value for each in node.args if isinstance(each, ast.Constant)):
            if kind == "dict" and isinstance(constant, str):
                owner.optional_fields.add(constant)
                return owner.named(constant)
            if name == "pop" and isinstance(constant, str):
                return owner.vote("dict", 3).named(constant)
            if kind == "str" and isinstance(constant, str):
                owner.constants.append(constant)
        if kind in ("list", "set") and arguments:
            owner.element.like(arguments[0])
        if name == "join" and node.args:
            inner = self.iterated(node.args[0])
            if inner is not None:
                inner.vote("str", 2)
        if name in TEXT_LISTS:
            return Trace(votes=Trace.of("list").votes, _element=Trace.of("str"))
        if name in TEXT_RESULTS:
            return Trace.of("str")
        return owner.element if kind in ("dict", "collections.deque") else None

    def _operate(
        self, left: Trace | None, op: ast.operator, right_node: ast.expr, right: Trace | None,
        left_node: ast.expr | None = None,
    ) -> Trace | None:  # fmt: skip
        for one, other in ((left, right_node), (right, left_node)):
            if one is not None and isinstance(other, ast.Constant):
                _with_constant(one, op, other.value, is_left=one is left)
        if left is not None and right is not None and isinstance(op, ast.Add | ast.Sub):
            left.like(right)
        if isinstance(op, ast.Sub | ast.Div | ast.FloorDiv | ast.Pow | ast.Mult | ast.Mod):
            for one in (left, right):
                if one is not None and "str" not in one.votes:
                    one.vote("number", 1)
        if isinstance(op, ast.BitAnd | ast.BitOr | ast.BitXor | ast.LShift | ast.RShift):
            for one in (left, right):
                if one is not None:
                    one.vote("int", 1)
        return left or right

    def _compare(self, left: ast.expr, ops: list[ast.cmpop], others: list[ast.expr]) -> None:
        current = left
        for op, other in zip(ops, others, strict=True):
            first, second = self.see(current), self.see(other)
            if isinstance(op, ast.In | ast.NotIn):
                _membership(first, second, current, other)
            elif isinstance(op, ast.Is | ast.IsNot):
                pass
            elif first is not None and isinstance(other, ast.Constant):
                first.compared(other.value)
            elif second is not None and isinstance(current, ast.Constant):
                second.compared(current.value)
            elif first is not None:
                first.like(second)
            current = other

    def _comprehension(
        self, node: "ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp"
    ) -> Trace:
        inner = self.within(dict(self.names))
        for each in node.generators:
            inner.bind(each.target, inner.iterated(each.iter))
            for condition in each.ifs:
                inner.test(condition)
                inner.see(condition)
        if isinstance(node, ast.DictComp):
            inner.see(node.key)
            return Trace(votes=Trace.of("dict").votes, _element=inner.see(node.value))
        return Trace(votes=Trace.of("list").votes, _element=inner.see(node.elt))


def _display(node: ast.expr) -> Trace | None:
    kinds = {ast.List: "list", ast.Dict: "dict", ast.Set: "set", ast.Tuple: "tuple"}
    kind = kinds.get(type(node))
    return None if kind is None else Trace.of(kind)


def _with_constant(one: Trace, op: ast.operator, value: object, is_left: bool) -> None:
    if isinstance(op, ast.Mod) and isinstance(value, str) and not is_left:
        return  # `"%s" % x` takes anything
    if isinstance(value, str) and isinstance(op, ast.Add):
        one.vote("str", 3)
    elif isinstance(value, float):
        one.vote("float", 2)
    elif isinstance(value, int) and not isinstance(op, ast.Mult | ast.Div):
        one.vote("int", 2)


def _membership(
    first: Trace | None, second: Trace | None, item: ast.expr, options: ast.expr
) -> None:
    if first is not None and isinstance(options, ast.Tuple | ast.List | ast.Set):
        for each in options.elts:
            if isinstance(each, ast.Constant):
                first.compared(each.value)
    elif first is not None and isinstance(options, ast.Constant):
        first.compared(options.value)
    if second is not None:
        second.is_sized = True
        if isinstance(item, ast.Constant) and isinstance(item.value, str):
            second.constants.append(item.value)
            second.vote("str", 1)
            if item.value in second.fields:
                second.optional_fields.add(item.value)
        elif first is not None:
            second.key.like(first)
            second.element.like(first)
            second.vote("container", 1)


class Watcher(Sight):
    """Follows values through the statements of one function."""

    def run(self, body: Sequence[ast.stmt]) -> None:
        """Every statement, in order."""
        for statement in body:
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                found = self.see(value)
                for target in targets:
                    self.bind(target, found)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self.bind(target, self.see(value))
            case ast.AugAssign(target=target, op=op, value=value):
                operand = parse_expression(unparse(target))
                self._operate(self.see(operand), op, value, self.see(value))
            case ast.If(test=test) | ast.While(test=test) | ast.Assert(test=test):
                self._condition(node, test)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._inner_function(node)
            case _:
                self._block(node)

    def _block(self, node: ast.stmt) -> None:
        match node:
            case ast.For(target=target, iter=values, body=body, orelse=orelse):
                self.bind(target, self.iterated(values))
                self.run(body)
                self.run(orelse)
            case ast.AsyncFor(target=target, iter=values, body=body):
                found = self.see(values)
                self.bind(target, found.vote("AsyncIterator", 5).element if found else None)
                self.run(body)
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                for item in items:
                    found = self.see(item.context_expr)
                    if item.optional_vars is not None:
                        self.bind(item.optional_vars, found)
                self.run(body)
            case _:
                self.children(node)

    def _condition(self, node: ast.stmt, test: ast.expr) -> None:
        match node:
            case ast.Assert(test=ast.Compare(left=left, comparators=[ast.expr()])):
                self.see(test)
                found = self.see(left)
                if found is not None and found.constants:
                    found.is_exact = True
            case ast.If(
                test=ast.Compare(left=ast.Name(name), ops=[ast.Is()]), body=body, orelse=orelse
            ) if name in self.names:
                held = self.names[name]
                self.run(body)
                self.names[name] = held  # what stands in for None says nothing about the rest
                self.run(orelse)
            case _:
                self.test(test)
                self.children(node)

    def test(self, node: ast.expr) -> None:
        """Its truth decides."""
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self.test(operand)
            case ast.BoolOp(values=values):
                for each in values:
                    self.test(each)
            case ast.Name() | ast.Subscript() | ast.Attribute():
                found = self.see(node)
                if found is not None:
                    found.is_tested = True

    def _inner_function(self, node: Function) -> None:
        shadowed = {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)}
        kept = {key: each for key, each in self.names.items() if key not in shadowed}
        self.within(kept).run(node.body)

    def children(self, node: ast.AST) -> None:
        """See all that stands in a node."""
        for child in ast.iter_child_nodes(node):
            match child:
                case ast.stmt():
                    self._statement(child)
                case ast.expr():
                    self.see(child)
                case _:
                    self.children(child)

    def bind(self, target: ast.expr, found: Trace | None) -> None:
        """A name, or several, hold this value from now on."""
        match target:
            case ast.Name(name):
                if found is not None:
                    self.names[name] = found
                else:
                    self.names.pop(name, None)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                starred = any(isinstance(each, ast.Starred) for each in parts)
                for index, each in enumerate(parts):
                    inner = each.value if isinstance(each, ast.Starred) else each
                    if found is None:
                        self.bind(inner, None)
                    elif starred:
                        self.bind(inner, found if inner is not each else found.iterate())
                    else:
                        self.bind(inner, found.part(index, len(parts)))
            case ast.Attribute(value=owner, attr=name):
                holder = self.see(owner)
                if holder is not None and found is not None:
                    holder.attributes[name] = found
            case ast.Subscript():
                held = self.see(target)
                owner_trace = self.see(target.value)
                if owner_trace is not None:
                    owner_trace.vote("list" if _is_whole(target.slice) else "dict")
                if held is not None:
                    held.like(found)

    def iterated(self, node: ast.expr) -> Trace | None:
        """The item of what is looped over."""
        match node:
            case ast.Call(func=ast.Attribute(value=owner, attr="items"), args=[]):
                found = self.see(owner)
                return None if found is None else _pair(found.vote("dict", 3))
            case ast.Call(func=ast.Name("enumerate"), args=[values, *_]):
                inner = self.iterated(values)
                return Trace(parts=[Trace.of("int"), inner or Trace()])
            case ast.Call(func=ast.Name("zip"), args=values):
                return Trace(parts=[self.iterated(each) or Trace() for each in values])
            case ast.Call(func=ast.Name("range"), args=values):
                for each in values:
                    self.vote_for(each, "int")
                return Trace.of("int")
        found = self.see(node)
        return None if found is None else found.iterate()


def _pair(found: Trace) -> Trace:
    return Trace(parts=[found.key, found.element])


def _is_whole(node: ast.expr) -> bool:
    return isinstance(node, ast.Slice | ast.UnaryOp | ast.BinOp) or (
        isinstance(node, ast.Constant) and isinstance(node.value, int)
    )
