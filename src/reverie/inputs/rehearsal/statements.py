"""The verdict of a rehearsal: follows a function with its arguments, into the functions it calls.

Its variables start as what it is called with.
"""

import ast
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from reverie.inputs.classes import ClassKind, ancestors, kind_of
from reverie.inputs.rehearsal.expressions import (
    OPAQUE,
    UNKNOWN,
    Expressions,
    Instance,
    Lost,
    Refused,
    is_known,
    items_of,
    value_of,
)
from reverie.inputs.scope import ClassRef, External, Imported, Scope
from reverie.inputs.signature import CallableKind, CallableShape, Home
from reverie.model.call import Call, Expression
from reverie.syntax.nodes import Function
from reverie.syntax.parsing import parse_expression
from reverie.syntax.unparsing import unparse


def variables(
    node: Function, args: list[Any], kwargs: dict[str, Any], is_open: bool, outside: Expressions
) -> dict[str, Any]:
    """A function's variables at its start."""
    taken = node.args
    by_place = [each.arg for each in (*taken.posonlyargs, *taken.args)]
    every = [*by_place, *(each.arg for each in taken.kwonlyargs)]
    names: dict[str, Any] = dict.fromkeys(every, UNKNOWN)
    if not is_open:
        last = by_place[len(by_place) - len(taken.defaults) :]
        pairs = [*zip(last, taken.defaults, strict=True)]
        pairs += [(each.arg, default) for each, default in
                  zip(taken.kwonlyargs, taken.kw_defaults, strict=True) if default]  # fmt: skip
        names |= {name: outside.value(default) for name, default in pairs}
    names |= dict(zip(by_place, args, strict=False))
    names |= {name: value for name, value in kwargs.items() if name in names}
    if taken.vararg is not None:
        names[taken.vararg.arg] = OPAQUE if is_open else tuple(args[len(by_place) :])
    if taken.kwarg is not None:
        rest = {name: value for name, value in kwargs.items() if name not in every}
        names[taken.kwarg.arg] = OPAQUE if is_open else rest
    return names


_DEEPEST = 6
_LEAVES = ast.Return | ast.Break | ast.Continue
_Callee = tuple[Home, list[Any]]
"""A function, and what it is bound to."""


class _Left(Exception):
    """A block is left; the argument is the statement, and what it returns."""


class Rehearsal(Expressions):
    """One function: what it does with plain values, up to the error it raises."""

    owner: ClassRef | None = None
    depth = 0

    def run(self, body: Sequence[ast.stmt]) -> None:
        """Every statement, in order; `Refused` when one raises."""
        for statement in body:
            self.value(None)
            follow = getattr(self, f"_{type(statement).__name__.lower()}_statement", None)
            if follow is not None:
                follow(statement)
            else:
                self._passed_by([statement])

    def _passed_by(self, body: Sequence[ast.stmt]) -> None:
        """A block that may have run or not: what it binds is unknown, and it may not end things."""
        for node in (each for statement in body for each in ast.walk(statement)):
            if isinstance(node, _LEAVES):
                raise Lost
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
                self.names[node.id] = UNKNOWN
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                self._set_attribute(node, UNKNOWN)
            if isinstance(node, Function | ast.ClassDef):
                self.names[node.name] = OPAQUE

    def _expr_statement(self, node: ast.Expr) -> None:
        self.value(node.value)

    def _pass_statement(self, node: ast.Pass) -> None:
        """Nothing."""

    def _functiondef_statement(self, node: Function) -> None:
        self.names[node.name] = OPAQUE

    def _import_statement(self, node: "ast.Import | ast.ImportFrom") -> None:
        for each in node.names:
            self.names[each.asname or each.name.partition(".")[0]] = OPAQUE

    _importfrom_statement = _import_statement

    def _return_statement(self, node: ast.Return) -> None:
        raise _Left(node, None if node.value is None else self.value(node.value))

    def _break_statement(self, node: "ast.Break | ast.Continue") -> None:
        raise _Left(node, None)

    _continue_statement = _break_statement

    def _raise_statement(self, node: ast.Raise) -> None:
        error = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        raise Refused("" if error is None else unparse(error))

    def _assert_statement(self, node: ast.Assert) -> None:
        if self.truth(node.test) is False:
            raise Refused("AssertionError")

    def _if_statement(self, node: ast.If) -> None:
        holds = self.truth(node.test)
        if holds is None:
            self._passed_by([*node.body, *node.orelse])
        else:
            self.run(node.body if holds else node.orelse)

    def _for_statement(self, node: ast.For) -> None:
        values = self.value(node.iter)
        if not isinstance(values, (list, tuple, str, range, dict)):
            self._passed_by([node])
            return
        for item in items_of(values):
            self._bind(node.target, item)
            try:
                self.run(node.body)
            except _Left as left:
                if isinstance(left.args[0], ast.Break):
                    return
                if isinstance(left.args[0], ast.Return):
                    raise
        self.run(node.orelse)

    def _while_statement(self, node: ast.While) -> None:
        raise Lost  # whether it ends is not asked

    def _try_statement(self, node: ast.Try) -> None:
        self._watched(node.body)
        self.run([*node.orelse, *node.finalbody])

    def _with_statement(self, node: ast.With) -> None:
        for item in node.items:
            self.value(item.context_expr)
            if item.optional_vars is not None:
                self._bind(item.optional_vars, UNKNOWN)
        self._watched(node.body)

    def _watched(self, body: Sequence[ast.stmt]) -> None:
        """A block whose errors somebody may catch."""
        try:
            self.run(body)
        except Refused as refused:
            raise Lost from refused

    def _assign_statement(self, node: ast.Assign) -> None:
        found = self.value(node.value)
        for target in node.targets:
            self._bind(target, found)

    def _annassign_statement(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._bind(node.target, self.value(node.value))

    def _augassign_statement(self, node: ast.AugAssign) -> None:
        operand = parse_expression(unparse(node.target))
        found = self.value(ast.BinOp(operand, node.op, node.value))
        self._bind(node.target, found)

    def _bind(self, target: ast.expr, found: Any) -> None:
        match target:
            case ast.Name(name):
                self.names[name] = found
            case ast.Attribute():
                self._set_attribute(target, found)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                is_plain = isinstance(found, list | tuple) and len(found) == len(parts)
                is_plain = is_plain and not any(isinstance(each, ast.Starred) for each in parts)
                for index, each in enumerate(parts):
                    self._bind(each, found[index] if is_plain else UNKNOWN)
            case ast.Starred(value=inner):
                self._bind(inner, UNKNOWN)
            case ast.Subscript(value=ast.Name(name)):
                self.names[name] = UNKNOWN

    def _set_attribute(self, target: ast.Attribute, found: Any) -> None:
        owner = self.value(target.value)
        if isinstance(owner, Instance):
            owner.attributes[target.attr] = found

    def called(self, node: ast.Call) -> Any:
        """Functions and methods of the code are followed; other calls give what is unknown."""
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
            held = self.names.get(node.func.value.id)
            if isinstance(held, list | dict | set):
                self.names[node.func.value.id] = self._sorted(held, node)
                return UNKNOWN
        found = self._callee(node.func)
        if found is None or self.depth >= _DEEPEST:
            return UNKNOWN
        home, first = found
        args = [*first, *self._positional(node)]
        kwargs, is_open = self._named_arguments(node)
        is_open = is_open or any(isinstance(each, ast.Starred) for each in node.args)
        return self.performed(home, args, kwargs, is_open)

    def performed(
        self, home: Home, args: list[Any], kwargs: dict[str, Any], is_open: bool = False
    ) -> Any:
        """What a function returns for these arguments; `is_open`: there may be more of them."""
        if self.depth and not _runs_when_called(home.node):
            return OPAQUE
        inner = Rehearsal(home.scope, {}, self.steps)
        inner.owner, inner.depth = home.owner, self.depth + 1
        outside = Expressions(home.scope, {}, self.steps)
        inner.names |= variables(home.node, args, kwargs, is_open, outside)
        try:
            inner.run(home.node.body)
        except _Left as left:
            return left.args[1]
        return None

    def _positional(self, node: ast.Call) -> Iterator[Any]:
        for each in node.args:
            if isinstance(each, ast.Starred):
                return
            yield self.value(each)

    def _named_arguments(self, node: ast.Call) -> tuple[dict[str, Any], bool]:
        found: dict[str, Any] = {}
        is_open = False
        for each in node.keywords:
            value = self.value(each.value)
            if each.arg is not None:
                found[each.arg] = value
            elif isinstance(value, dict) and all(isinstance(key, str) for key in value):
                found |= value
            else:
                is_open = True
        return found, is_open

    def _sorted(self, held: Any, node: ast.Call) -> Any:
        """A list after `sort`; after another method that changes it, something unknown."""
        if not isinstance(held, list) or not unparse(node.func).endswith(".sort") or node.args:
            return OPAQUE
        keys = held
        for each in node.keywords:
            if not isinstance(each.value, ast.Lambda) or each.arg != "key":
                return OPAQUE
            keys = [self._applied(each.value, item) for item in held]
        if not is_known(keys):
            return held if len(held) < 2 else OPAQUE
        try:
            order = sorted(range(len(held)), key=lambda place: keys[place])
        except TypeError as error:
            raise Refused("TypeError") from error
        return [held[place] for place in order]

    def _applied(self, function: ast.Lambda, item: Any) -> Any:
        inner = type(self)(self.scope, dict(self.names), self.steps)
        inner.names |= dict.fromkeys((each.arg for each in function.args.args), item)
        return inner.value(function.body)

    def _callee(self, target: ast.expr) -> "_Callee | None":
        match target:
            case ast.Name(name) if name not in self.names:
                return _function(self.scope, name)
            case ast.Attribute(value=ast.Call(func=ast.Name("super")), attr=name):
                return self._method_after(name)
            case ast.Attribute(value=ast.Name(name), attr=method):
                holder = self.names.get(name)
                if isinstance(holder, Instance):
                    return _bound_method(holder, method, ancestors(holder.found))
        return None

    def _method_after(self, name: str) -> "_Callee | None":
        """The method of that name behind the class whose code this is."""
        holder = next((each for each in self.names.values() if isinstance(each, Instance)), None)
        if holder is None or self.owner is None:
            return None
        line = ancestors(holder.found)
        own = [isinstance(each, ClassRef) and each.node is self.owner.node for each in line]
        return _bound_method(holder, name, line[own.index(True) + 1 :]) if any(own) else None


def _function(scope: Scope, name: str) -> "_Callee | None":
    """A function by its name, here or where it is imported from."""
    for _ in range(_DEEPEST):
        found = scope.names.get(name)
        if isinstance(found, Function):
            return None if found.decorator_list else (Home(found, scope), [])
        other = scope.other(found.module) if isinstance(found, Imported) else None
        if not isinstance(found, Imported) or other is None or found.name is None:
            return None
        scope, name = other, found.name
    return None


@lru_cache(maxsize=1024)
def _runs_when_called(node: Function) -> bool:
    return isinstance(node, ast.FunctionDef) and not any(
        isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(node)
    )


def _bound_method(
    holder: Instance, name: str, line: Sequence[ClassRef | External]
) -> "_Callee | None":
    for each in (one for one in line if isinstance(one, ClassRef)):
        for node in reversed(each.node.body):
            if isinstance(node, Function) and node.name == name:
                home = Home(node, each.scope, each)
                return None if node.decorator_list else (home, [holder])
    return None


_UNBOUND = (CallableKind.FUNCTION, CallableKind.STATIC_METHOD)


def refusal(shape: CallableShape, call: Call) -> str | None:
    """The error that a callable is certain to raise for a call; None when none is."""
    if isinstance(shape.node, ast.ClassDef):
        found = ClassRef(shape.node, shape.scope, shape.qualname)
        return constructor_refusal(found, call.args, dict(call.kwargs))
    if call.is_property or not _can_refuse(shape.node):
        return None
    first = [] if shape.kind in _UNBOUND else [_receiver(shape)]
    home = Home(shape.node, shape.scope, shape.owner)
    return _verdict(home, first, call.args, dict(call.kwargs))


def constructor_refusal(
    found: ClassRef, args: Sequence[Expression], kwargs: dict[str, Expression]
) -> str | None:
    """The error that a class is certain to raise when it is called like this."""
    for home in _constructors(found):
        verdict = _verdict(home, [Instance(found)], args, kwargs)
        if verdict is not None:
            return verdict
    return None


def _verdict(
    home: Home, first: list[object], args: Sequence[Expression], kwargs: dict[str, Expression]
) -> str | None:
    given = [*first, *map(value_of, args)]
    named = {name: value_of(each) for name, each in kwargs.items()}
    try:
        Rehearsal(home.scope, {}, [0]).performed(home, given, named)
    except Refused as refused:
        return str(refused)
    except (Lost, RecursionError):
        return None
    return None


def _receiver(shape: CallableShape) -> object:
    is_instance = shape.kind is CallableKind.METHOD and shape.owner is not None
    return Instance(shape.owner) if is_instance and shape.owner is not None else OPAQUE


@lru_cache(maxsize=1024)
def _constructors(found: ClassRef) -> tuple[Home, ...]:
    """What may refuse to make an instance: the metaclass's `__call__`, the class's `__init__`."""
    if kind_of(found) is not ClassKind.PLAIN:
        return ()
    line = [each for each in ancestors(found) if isinstance(each, ClassRef)]
    makers = [found.scope.find(each) for each in _metaclasses(line)]
    homes = [
        *(_method(each, "__call__") for each in makers if isinstance(each, ClassRef)),
        next(filter(None, (_method(each, "__init__") for each in line)), None),
    ]
    concerned = [*line, *(each for each in makers if isinstance(each, ClassRef))]
    can_refuse = any(_can_refuse(each.node) for each in concerned)
    return tuple(each for each in homes if each is not None and can_refuse)


def _metaclasses(line: Sequence[ClassRef]) -> list[ast.expr]:
    keywords = (each for found in line for each in found.node.keywords)
    return [each.value for each in keywords if each.arg == "metaclass"]


def _method(found: ClassRef, name: str) -> Home | None:
    for node in reversed(found.node.body):
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return Home(node, found.scope, found)
    return None


@lru_cache(maxsize=1024)
def _can_refuse(node: Function | ast.ClassDef) -> bool:
    return any(isinstance(each, ast.Raise | ast.Assert | ast.Call) for each in ast.walk(node))
