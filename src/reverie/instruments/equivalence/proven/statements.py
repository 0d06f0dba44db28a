"""Statements as steps: structure becomes where control goes next."""

import ast
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from reverie.instruments.equivalence.proven.calls import Calls
from reverie.instruments.equivalence.proven.conventions import ANY_ERROR, IMPORT, SENDING
from reverie.instruments.equivalence.proven.expressions import as_tuple
from reverie.instruments.equivalence.proven.nodes import (
    Catch,
    Context,
    Exits,
    Frame,
    Kind,
    Node,
    Unproven,
    mark_live,
)
from reverie.instruments.equivalence.proven.scopes import FunctionNames, Scope
from reverie.instruments.equivalence.proven.terms import NONE, UNBOUND

_MOST_STEPS = 8_000


class Statements(Calls):
    """Turns a function into steps."""

    def function(
        self,
        node: Scope,
        around: FunctionNames | None = None,
        typed: Mapping[str, str] = MappingProxyType({}),
    ) -> Node:
        """The first step of a function; its parameters are in registers of their names.

        Some may be `typed`: known to be of exactly a builtin type.
        """
        names = FunctionNames.read(node, around)
        value = self.register()
        returned = Node(Kind.RETURN, (), (value,))
        c = Context(Frame(names), leave=Exits(returned=returned, value=value))
        match node:
            case ast.Lambda(body=body):
                entry = self.value(body, value, returned, c)
            case ast.GeneratorExp():
                entry = self._generator(node, value, returned, c)
            case _:
                entry = self.body(node.body, self.const(NONE, value, returned), c)
        for name in names.parameters:
            given = ("v", f"param {name}", typed[name]) if name in typed else ("param", name)
            if name in names.cells:
                place = self.register()
                entry = self.event(("store_cell", name), (place,), (), entry, c)
                entry = self.const(given, place, entry)
            else:
                entry = self.const(given, name, entry)
        for name in names.own - {*names.parameters} - names.cells:
            entry = self.const(UNBOUND, name, entry)
        if mark_live(entry) > _MOST_STEPS:
            raise Unproven("too much code")
        return entry

    def _generator(self, node: ast.GeneratorExp, value: str, then: Node, c: Context) -> Node:
        item, told = self.register(), self.register()

        def add(after: Node, inside: Context) -> Node:
            given = self.event(("yield",), (item,), (told,), after, inside)
            return self.value(node.elt, item, given, inside)

        iterators = [self.register() for _ in node.generators]
        end = self.const(NONE, value, then)
        entry = self._loops(node.generators, iterators, end, c, add)
        return self.const(("param", ".0"), iterators[0], entry)

    def body(self, statements: list[ast.stmt], then: Node, c: Context) -> Node:
        """Statements, one after the other."""
        for each in reversed(statements):
            then = self.statement(each, then, c)
        return then

    def statement(self, node: ast.stmt, then: Node, c: Context) -> Node:
        """One statement."""
        method = getattr(self, f"_do_{type(node).__name__.lower()}", None)
        if method is None:
            raise Unproven(type(node).__name__)
        built: Node = method(node, then, c)
        return built

    def _do_pass(self, node: ast.Pass, then: Node, c: Context) -> Node:
        return then

    _do_global = _do_nonlocal = _do_pass

    def _do_expr(self, node: ast.Expr, then: Node, c: Context) -> Node:
        if isinstance(node.value, ast.YieldFrom) and self.conventions is not None:
            return self._yielded(node.value.value, then, c)
        return self.value(node.value, self.register(), then, c)

    def _yielded(self, node: ast.expr, then: Node, c: Context) -> Node:
        """One item after the other, as a loop would give them."""
        self._refuse_moved(c)
        self.assume(SENDING)
        source, iterator = self.register(), self.register()
        item, more, told = self.register(), self.register(), self.register()
        head = self.event(("next",), (iterator,), (item, more), then, c)
        given = self.event(("yield",), (item,), (told,), head, c)
        head.next = self.branch(more, given, then)
        drawn = self.event(("iter",), (source,), (iterator,), head, c)
        return self.value(as_tuple(node), source, drawn, c)

    def _do_return(self, node: ast.Return, then: Node, c: Context) -> Node:
        assert c.leave.returned is not None
        value = node.value or ast.Constant(None)
        return self.value(value, c.leave.value, c.leave.returned, c)

    def _do_break(self, node: ast.Break, then: Node, c: Context) -> Node:
        assert c.leave.broken is not None
        return c.leave.broken

    def _do_continue(self, node: ast.Continue, then: Node, c: Context) -> Node:
        assert c.leave.continued is not None
        return c.leave.continued

    def _do_if(self, node: ast.If, then: Node, c: Context) -> Node:
        yes, no = self.body(node.body, then, c), self.body(node.orelse, then, c)
        return self.condition(node.test, yes, no, c)

    def _do_while(self, node: ast.While, then: Node, c: Context) -> Node:
        head = self.const(NONE, self.register(), then)
        leave = replace(c.leave, broken=then, continued=head)
        body = self.body(node.body, head, replace(c, leave=leave))
        head.next = self.condition(node.test, body, self.body(node.orelse, then, c), c)
        return head

    def _do_for(self, node: ast.For, then: Node, c: Context) -> Node:
        source, iterator = self.register(), self.register()
        item, more = self.register(), self.register()
        head = self.event(("next",), (iterator,), (item, more), then, c)
        leave = replace(c.leave, broken=then, continued=head)
        body = self.body(node.body, head, replace(c, leave=leave))
        body = self.assign(node.target, item, body, c)
        head.next = self.branch(more, body, self.body(node.orelse, then, c))
        drawn = self.event(("iter",), (source,), (iterator,), head, c)
        return self.value(as_tuple(node.iter), source, drawn, c)

    # --- assignments ---

    def _do_assign(self, node: ast.Assign, then: Node, c: Context) -> Node:
        value = self.register()
        for target in reversed(node.targets):
            then = self.assign(target, value, then, c)
        return self.value(node.value, value, then, c)

    def _do_annassign(self, node: ast.AnnAssign, then: Node, c: Context) -> Node:
        """An annotation of a plain local name is not evaluated."""
        if not isinstance(node.target, ast.Name):
            raise Unproven("an annotated attribute")
        if node.value is None:
            return then
        value = self.register()
        return self.value(node.value, value, self.assign(node.target, value, then, c), c)

    def _do_augassign(self, node: ast.AugAssign, then: Node, c: Context) -> Node:
        data = ("inplace", type(node.op).__name__)
        before, after, value = self.register(), self.register(), self.register()
        match node.target:
            case ast.Name(id=name):
                stored = self.store(name, after, then, c)
                done = self.event(data, (before, value), (after,), stored, c)
                return self.load(name, before, self.value(node.value, value, done, c), c)
            case ast.Attribute(value=owner, attr=attr):
                place = self.register()
                stored = self.event(("setattr", attr), (place, after), (), then, c)
                done = self.event(data, (before, value), (after,), stored, c)
                got = self.value(node.value, value, done, c)
                got = self.event(("getattr", attr), (place,), (before,), got, c)
                return self.value(owner, place, got, c)
            case ast.Subscript(value=owner, slice=index):
                place, key = self.register(), self.register()
                stored = self.event(("setitem",), (place, key, after), (), then, c)
                done = self.event(data, (before, value), (after,), stored, c)
                got = self.value(node.value, value, done, c)
                got = self.event(("getitem",), (place, key), (before,), got, c)
                return self.values([owner, index], [place, key], got, c)
        raise Unproven("an assignment")

    def assign(self, target: ast.expr, source: str, then: Node, c: Context) -> Node:
        """Put a value into a target."""
        match target:
            case ast.Name(id=name):
                return self.store(name, source, then, c)
            case ast.Attribute(value=owner, attr=attr):
                place = self.register()
                stored = self.event(("setattr", attr), (place, source), (), then, c)
                return self.value(owner, place, stored, c)
            case ast.Subscript(value=owner, slice=index):
                place, key = self.register(), self.register()
                stored = self.event(("setitem",), (place, key, source), (), then, c)
                return self.values([owner, index], [place, key], stored, c)
            case ast.Tuple(elts=items) | ast.List(elts=items):
                registers = [self.register() for _ in items]
                for item, register in reversed(list(zip(items, registers, strict=True))):
                    inner = item.value if isinstance(item, ast.Starred) else item
                    then = self.assign(inner, register, then, c)
                shape = tuple("*" if isinstance(each, ast.Starred) else "" for each in items)
                return self.event(("unpack", shape), (source,), registers, then, c)
        raise Unproven("an assignment")

    def _do_delete(self, node: ast.Delete, then: Node, c: Context) -> Node:
        for target in reversed(node.targets):
            then = self._deleted(target, then, c)
        return then

    def _deleted(self, target: ast.expr, then: Node, c: Context) -> Node:
        match target:
            case ast.Attribute(value=owner, attr=attr):
                place = self.register()
                return self.value(
                    owner, place, self.event(("delattr", attr), (place,), (), then, c), c
                )
            case ast.Subscript(value=owner, slice=index):
                places = [self.register(), self.register()]
                gone = self.event(("delitem",), places, (), then, c)
                return self.values([owner, index], places, gone, c)
            case ast.Name(id=name) if name in c.frame.names.own - c.frame.names.cells:
                gone = self.const(UNBOUND, c.frame.prefix + name, then)
                return self.load(name, self.register(), gone, c)
        raise Unproven("a deletion")

    # --- errors ---

    def _do_raise(self, node: ast.Raise, then: Node, c: Context) -> Node:
        if node.exc is None:
            if c.handling is None:
                raise Unproven("it raises what its caller handles")
            return self.never(c.handling, c)
        given = [each for each in (node.exc, node.cause) if each is not None]
        return self.operation(("raise", len(given)), given, self.register(), None, c)

    def _do_assert(self, node: ast.Assert, then: Node, c: Context) -> Node:
        raised = self.register()
        given = [] if node.msg is None else [node.msg]
        failed = self.operation(("assertion", len(given)), given, raised, None, c)
        asked = self.condition(node.test, then, failed, c)
        checked = self.register()
        way = self.branch(checked, asked, then)
        return self.const(("v", "debug", "bool"), checked, way)

    def _do_try(self, node: ast.Try, then: Node, c: Context) -> Node:
        if node.finalbody:
            return self._finally(node, then, c)
        error = self.register()
        handler = self.never(error, c)
        inside = replace(c, handling=error)
        for each in reversed(node.handlers):
            handler = self._handler(each, error, handler, then, inside, c)
        orelse = self.body(node.orelse, then, c)
        caught = _caught(c).union(*(_named_errors(each.type) for each in node.handlers))
        return self.body(node.body, orelse, replace(c, catch=Catch(handler, error, caught)))

    def _handler(
        self,
        node: ast.ExceptHandler,
        error: str,
        no: Node,
        then: Node,
        inside: Context,
        c: Context,
    ) -> Node:
        """One `except`; `inside` knows what is being handled."""
        if node.name is None:
            body = self.body(node.body, then, inside)
        elif node.name in c.frame.names.cells or node.name not in c.frame.names.own:
            raise Unproven("a name of an exception that others see")
        else:
            body = self._named_handler(node, error, then, inside, c)
        if node.type is None:
            return body
        kind, fits = self.register(), self.register()
        asked = self.event(("fits",), (error, kind), (fits,), self.branch(fits, body, no), inside)
        return self.value(node.type, kind, asked, inside)

    def _named_handler(
        self, node: ast.ExceptHandler, error: str, then: Node, inside: Context, c: Context
    ) -> Node:
        """The name is gone afterwards, however the handler is left."""
        place = c.frame.prefix + str(node.name)

        def gone(after: Node) -> Node:
            return self.const(UNBOUND, place, after)

        other = self.register()
        failed = gone(self.never(other, c))
        left = inside.leave
        ways = replace(
            left,
            returned=left.returned and gone(left.returned),
            broken=left.broken and gone(left.broken),
            continued=left.continued and gone(left.continued),
        )
        held = replace(inside, catch=Catch(failed, other, _caught(c)), leave=ways)
        return self.move(error, place, self.body(node.body, gone(then), held))

    def _finally(self, node: ast.Try, then: Node, c: Context) -> Node:
        """The last block once for every way out."""
        error, value = self.register(), self.register()
        held = replace(c, handling=error)
        failed = self.body(node.finalbody, self.never(error, c), held)
        left = c.leave
        assert left.returned is not None
        kinds = {type(each) for each in _walk([*node.body, *node.handlers, *node.orelse])}
        ways = Exits(
            returned=left.returned
            if ast.Return not in kinds
            else self.body(node.finalbody, self.move(value, left.value, left.returned), c),
            value=value if ast.Return in kinds else left.value,
            broken=self.body(node.finalbody, left.broken, c)
            if left.broken is not None and ast.Break in kinds
            else left.broken,
            continued=self.body(node.finalbody, left.continued, c)
            if left.continued is not None and ast.Continue in kinds
            else left.continued,
        )
        inside = replace(c, catch=Catch(failed, error, _caught(c)), leave=ways)
        done = self.body(node.finalbody, then, c)
        if not node.handlers:
            return self.body(node.body, self.body(node.orelse, done, inside), inside)
        inner = ast.Try(node.body, node.handlers, node.orelse, [])
        return self._do_try(inner, done, inside)

    def _do_with(self, node: ast.With, then: Node, c: Context) -> Node:
        return self._with(node.items, node.body, then, c)

    def _with(
        self, items: list[ast.withitem], body: list[ast.stmt], then: Node, c: Context
    ) -> Node:
        if not items:
            return self.body(body, then, c)
        manager, entered, error = self.register(), self.register(), self.register()

        def closed(after: Node) -> Node:
            return self.event(("exit",), (manager,), (), after, c)

        held = replace(c, handling=error)
        kept, hushed = self.register(), self.register()
        way = self.branch(hushed, then, self.never(error, c))
        way = self.event(("truth",), (kept,), (hushed,), way, held)
        failed = self.event(("exit_with",), (manager, error), (kept,), way, held)
        left = c.leave
        value = self.register()
        assert left.returned is not None
        ways = Exits(
            returned=closed(self.move(value, left.value, left.returned)),
            value=value,
            broken=None if left.broken is None else closed(left.broken),
            continued=None if left.continued is None else closed(left.continued),
        )
        inside = replace(c, catch=Catch(failed, error, _caught(c)), leave=ways)
        built = self._with(items[1:], body, closed(then), inside)
        target = items[0].optional_vars
        if target is not None:
            built = self.assign(target, entered, built, inside)
        started = self.event(("enter",), (manager,), (entered,), built, c)
        return self.value(items[0].context_expr, manager, started, c)

    # --- definitions ---

    def _do_import(self, node: ast.Import, then: Node, c: Context) -> Node:
        for alias in reversed(node.names):
            module = self.register()
            name = alias.asname or alias.name.partition(".")[0]
            stored = self.store(name, module, then, c)
            if self.conventions is not None and (alias.asname or "." not in alias.name):
                self.assume(IMPORT)
                then = self.const(("module", alias.name), module, stored)
                continue
            data = ("import", alias.name, alias.asname is not None, (), 0)
            then = self.event(data, (), (module,), stored, c)
        return then

    def _do_importfrom(self, node: ast.ImportFrom, then: Node, c: Context) -> Node:
        module = self.register()
        for alias in reversed(node.names):
            found = self.register()
            stored = self.store(alias.asname or alias.name, found, then, c)
            then = self.event(("import_name", alias.name), (module,), (found,), stored, c)
        names = tuple(each.name for each in node.names)
        data = ("import", node.module, True, names, node.level)
        return self.event(data, (), (module,), then, c)

    def _do_functiondef(self, node: ast.FunctionDef, then: Node, c: Context) -> Node:
        made = self.register()
        registers = [self.register() for _ in node.decorator_list]
        built = self.store(node.name, made, then, c)
        for register in registers:
            built = self.event(("call", ("",)), (register, made), (made,), built, c)
        built = self.closure(node, made, built, c)
        return self.values(node.decorator_list, registers, built, c)

    _do_asyncfunctiondef = _do_functiondef


def _caught(c: Context) -> frozenset[str]:
    return frozenset() if c.catch is None else c.catch.caught


def _named_errors(node: ast.expr | None) -> set[str]:
    """Names of errors as an `except` has them; those of other modules as a whole."""
    nodes = node.elts if isinstance(node, ast.Tuple) else [node]
    return {each.id if isinstance(each, ast.Name) else ANY_ERROR for each in nodes}


def _walk(parts: list[Any]) -> list[ast.AST]:
    return [each for part in parts for each in ast.walk(part)]
