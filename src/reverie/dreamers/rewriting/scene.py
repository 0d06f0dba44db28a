"""One function of a module, with the questions that a rewrite asks before it dares."""

import ast
import builtins
from collections.abc import Collection, Iterator
from functools import cached_property

from reverie.dreamers.rewriting import kinds
from reverie.dreamers.rewriting.aliases import (
    fresh_names,
    grows_given,
    hands,
    is_object_change,
    is_own_change,
    second_names,
)
from reverie.dreamers.rewriting.kinds import (
    Kind,
    constant_kinds,
    field_kinds,
    known_calls,
    owner_of,
)
from reverie.dreamers.rewriting.source import Source, statements_of
from reverie.syntax.nodes import Function, names_in, parents_in
from reverie.syntax.unparsing import unparse

Loop = ast.For | ast.While


class Scene:
    """A function in its module. Nested functions belong to the one around them."""

    def __init__(self, source: Source, function: Function) -> None:
        self.source = source
        self.function = function
        self.parents = parents_in(function)

    @cached_property
    def _walked(self) -> tuple[ast.AST, ...]:
        return tuple(ast.walk(self.function))

    @cached_property
    def _types(self) -> frozenset[type[ast.AST]]:
        return frozenset(map(type, self._walked))

    @cached_property
    def _by_name(self) -> dict[str, list[ast.Name]]:
        found: dict[str, list[ast.Name]] = {}
        for node in self._walked:
            if isinstance(node, ast.Name):
                found.setdefault(node.id, []).append(node)
        return found

    def nodes(self, types: Collection[type[ast.AST]]) -> Iterator[ast.AST]:
        """Every node of some types, in the order of `ast.walk`."""
        if not self._types.isdisjoint(types):
            yield from (node for node in self._walked if type(node) in types)

    @cached_property
    def functions(self) -> dict[str, Function]:
        """The functions at the top of the module, by name."""
        return {node.name: node for node in self.source.tree.body if isinstance(node, Function)}

    @cached_property
    def imported(self) -> frozenset[str]:
        """Names that imports bind anywhere in the module."""
        nodes = [
            each
            for each in ast.walk(self.source.tree)
            if isinstance(each, ast.Import | ast.ImportFrom)
        ]
        names = [
            alias.asname or alias.name.partition(".")[0] for each in nodes for alias in each.names
        ]
        return frozenset(names)

    @cached_property
    def returns(self) -> dict[str, Kind | None]:
        """What the module's functions say they return, and what fields of its classes hold."""
        found = {name: kinds.from_annotation(each.returns) for name, each in self.functions.items()}
        return found | field_kinds(self.source.tree)

    @cached_property
    def parameters(self) -> dict[str, Kind | None]:
        """The parameters with the kinds they are annotated with."""
        found = kinds.parameter_kinds(self.function)
        owner = owner_of(self.source.tree, self.function)
        if owner is not None and "self" in found:
            found["self"] = Kind(owner.name)
        return found

    @cached_property
    def kinds(self) -> dict[str, Kind | None]:
        """The kind of every name, where all its bindings agree."""
        known = constant_kinds(self.source.tree) | self._nested_parameters() | self.parameters
        for _ in range(2):  # what a list that begins empty holds is known by what comes later
            found = {name: {kind} for name, kind in self.parameters.items()}
            for node in self.statements():
                for name, kind in self._bound_by(node, known).items():
                    found.setdefault(name, set()).add(kind)
                    known[name] = kind if len(found[name]) == 1 else None
        return known

    def _nested_parameters(self) -> dict[str, Kind | None]:
        """Those of functions inside this one, where a name means one thing only."""
        inner = [each for each in ast.walk(self.function) if isinstance(each, Function)]
        found: dict[str, Kind | None] = {}
        for each in inner:
            if each is not self.function:
                for name, kind in kinds.parameter_kinds(each).items():
                    found[name] = None if name in found else kind
        return {name: kind for name, kind in found.items() if not self.bindings(name)}

    def _bound_by(self, node: ast.stmt, known: dict[str, Kind | None]) -> dict[str, Kind | None]:
        match node:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
                return {name: kinds.from_annotation(annotation)}
            case ast.Assign(targets=[ast.Subscript() | ast.Tuple() as target], value=value):
                return kinds.put(target, value, known, self.returns)
            case ast.Assign(targets=[target], value=value):
                kind = kinds.kind_of(value, known, self.returns)
                if isinstance(value, ast.List) and isinstance(target, ast.Name):
                    kind = Kind("list", (self._held(target.id, value, known),))
                return kinds.bind(target, kind)
            case ast.Assign(targets=[*targets], value=ast.Constant() as value):
                return {each.id: kinds.kind_of(value, known, {}) for each in targets
                        if isinstance(each, ast.Name)}  # fmt: skip
            case ast.AugAssign(target=ast.Name(id=name), op=operator, value=value):
                return kinds.grown(name, operator, value, known, self.returns)
            case ast.For(target=target, iter=iterated):
                return kinds.bind(target, kinds.element(iterated, known, self.returns))
        return {}

    def _held(self, name: str, shown: ast.List, known: dict[str, Kind | None]) -> Kind | None:
        """What a list begins with and gets; None when it is not one kind."""
        appends = self.method_calls(name, "append")
        every = [*shown.elts, *(call.args[0] for call in appends if len(call.args) == 1)]
        found = {kinds.kind_of(each, known, self.returns) for each in every}
        return found.pop() if len(found) == 1 else None

    def kind_of(self, node: ast.expr) -> Kind | None:
        """The kind of an expression of this function."""
        return kinds.kind_of(node, self.kinds, self.returns)

    def statements(self) -> Iterator[ast.stmt]:
        """Every statement in order, nested functions' apart."""
        yield from statements_of(self.function.body)

    def names(self, name: str, within: ast.AST | None = None) -> list[ast.Name]:
        """Every place where a name stands."""
        if within is None:
            return list(self._by_name.get(name, ()))
        nodes = ast.walk(within)
        return [node for node in nodes if isinstance(node, ast.Name) and node.id == name]

    def bindings(self, name: str, within: ast.AST | None = None) -> list[ast.Name]:
        """Every place that binds it."""
        return [
            each for each in self.names(name, within) if isinstance(each.ctx, ast.Store | ast.Del)
        ]

    def method_calls(self, name: str, method: str, within: ast.AST | None = None) -> list[ast.Call]:
        """Calls of a method of a named object."""
        return [
            node
            for node in ast.walk(within or self.function)
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == method
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == name
        ]

    def statement_of(self, node: ast.AST) -> ast.stmt:
        """The innermost statement around a node."""
        while not isinstance(node, ast.stmt):
            node = self.parents[node]
        return node

    def block_of(self, statement: ast.stmt) -> list[ast.stmt]:
        """The list of statements that one stands in."""
        parent = self.parents.get(statement, self.function)
        for field in ("body", "orelse", "finalbody"):
            block = getattr(parent, field, None)
            if isinstance(block, list) and statement in block:
                return block
        return [statement]

    def loops_around(self, node: ast.AST) -> list[Loop]:
        """Loops that run it again and again, innermost first."""
        found: list[Loop] = []
        while node is not self.function:
            parent = self.parents[node]
            if isinstance(parent, Loop):
                is_once = node is getattr(parent, "iter", None) or node in parent.orelse
                found += [] if is_once else [parent]
            if isinstance(parent, Function | ast.Lambda) and parent is not self.function:
                return found
            node = parent
        return found

    def steady_loops(self, node: ast.AST, name: str) -> list[Loop]:
        """Loops around a node that leave a named object alone, innermost first."""
        found = []
        for loop in self.loops_around(node):
            if self.changes(name, loop):
                break
            found.append(loop)
        return found

    def changes(self, name: str, within: ast.AST, apart: ast.AST | None = None) -> bool:
        """Whether a named object may be changed or bound anew inside a node, one part of it apart.

        Handing it to a call that is not known to leave it alone counts as a change.
        """
        spared = set() if apart is None else set(ast.walk(apart))
        seen = any(
            isinstance(each.ctx, ast.Store | ast.Del) or self.is_change(each)
            for each in self.names(name, within)
            if each not in spared
        )
        return seen or self.changes_elsewhere(name, within)

    def changes_elsewhere(self, name: str, within: ast.AST) -> bool:
        """Whether it may be changed there under another name, or by what was bound to it before."""
        kind = self.kinds.get(name)
        if kind is not None and kind.is_hashable:
            return False
        used = names_in(within)
        others = self.aliases.get(name, frozenset()) & used
        under = [each for other in others for each in self.names(other, within)]
        if any(is_object_change(self.parents[each], each, self.is_change) for each in under):
            return True
        return bool(self._hands.get(name, frozenset()) & used)

    @cached_property
    def aliases(self) -> dict[str, frozenset[str]]:
        """By name: other names of the same object, or of what holds it."""
        return second_names(self.function, self.source.tree)

    @cached_property
    def _hands(self) -> dict[str, frozenset[str]]:
        return hands(self.function, self.is_change)

    def is_change(self, each: ast.Name) -> bool:
        """Whether what a name stands for may be changed, or kept, by what is done with it there."""
        match self.parents[each]:
            case ast.Attribute(ctx=ast.Load()) as attribute:
                return self._is_changing(attribute)
            case ast.Attribute():
                return True
            case ast.Subscript(value=value, ctx=ctx) if value is each:
                return not isinstance(ctx, ast.Load)
            case ast.AugAssign(target=target):
                return target is each
            case ast.Call(func=ast.Name(id=name)) as call if call.func is not each:
                return not self.is_harmless(name)
            case ast.Call(func=ast.Attribute(attr=attr) as func):
                is_kept = attr in known_calls()["methods"] | known_calls()["changing"]
                return not is_kept and unparse(func) not in known_calls()["functions"]
            case ast.Call(func=func) if func is not each:
                return True
            case ast.keyword() | ast.Starred() | ast.Yield() | ast.Assign() | ast.Return():
                return True
        return False

    def _is_changing(self, attribute: ast.Attribute) -> bool:
        """Whether a method may change what it belongs to: of what is no module, any unknown one."""
        if attribute.attr in known_calls()["changing"]:
            return True
        owner = attribute.value.id if isinstance(attribute.value, ast.Name) else ""
        call = self.parents.get(attribute)
        is_called = isinstance(call, ast.Call) and call.func is attribute
        is_known = attribute.attr in known_calls()["methods"] or owner in self.imported
        kind = self.parameters.get(owner)
        return is_called and not is_known and not (kind is not None and kind.is_hashable)

    def is_harmless(self, name: str) -> bool:
        """Whether a called name is a builtin that keeps and changes nothing, or a pure function."""
        if name in self.functions:
            return self.is_pure(name)
        return name in ("print", *known_calls()["names"]) and hasattr(builtins, name)

    def is_pure(self, name: str, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a function of the module surely only computes: by its text alone."""
        function = self.functions.get(name)
        if function is None or name in seen or isinstance(function, ast.AsyncFunctionDef):
            return name in seen
        if function.decorator_list:
            return False
        own, nodes = fresh_names(function), list(ast.walk(function))
        return not grows_given(function) and all(
            is_own_change(node, own) or self.is_pure_node(node, seen | {name}) for node in nodes
        )

    def is_pure_node(self, node: ast.AST, seen: frozenset[str]) -> bool:
        """Whether a node does nothing but compute; `seen` are functions being looked at already."""
        match node:
            case ast.Global() | ast.Nonlocal() | ast.Yield() | ast.YieldFrom() | ast.Await():
                return False
            case (
                ast.Attribute(ctx=ast.Store() | ast.Del())
                | ast.Subscript(ctx=ast.Store() | ast.Del())
            ):
                return False
            case ast.Call(func=ast.Name(id=name)):
                return name in known_calls()["names"] or self.is_pure(name, seen)
            case ast.Call(func=ast.Attribute(value=value, attr=attr)):
                if isinstance(value, ast.Name) and value.id in self.imported:
                    return f"{value.id}.{attr}" in known_calls()["functions"]
                return attr in known_calls()["methods"]
            case ast.Call():
                return False
        return True

    def fresh(self, wanted: str) -> str:
        """A name that nothing in the module has."""
        taken = names_in(self.source.tree)
        taken |= {node.arg for node in ast.walk(self.source.tree) if isinstance(node, ast.arg)}
        taken |= set(self.functions) | set(dir(builtins))
        name, number = wanted, 2
        while name in taken:
            name, number = f"{wanted}_{number}", number + 1
        return name
