"""Constraint relaxation: steps left out, moved or run side by side, guards loosened, loops ended.

Which steps depend on which is read from their names; whether a relaxed procedure still does
something sensible is for the sandbox to see.
"""

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from reverie.dreamers.procedures.procedure import Procedure
from reverie.dreamers.procedures.variant import Variant, shown, written
from reverie.model.procedure import DreamType
from reverie.syntax.nodes import Function, is_bare_constant, own_nodes
from reverie.syntax.parsing import fresh_module

_NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


@dataclass(frozen=True, slots=True)
class Place:
    """A statement: the number of its block, and its number in there."""

    block: int
    index: int


def blocks(node: Function) -> list[list[ast.stmt]]:
    """Every list of statements of a function, nested functions apart; its own body first."""
    return list(_blocks(node))


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
            yield block
            for statement in block:
                if not isinstance(statement, _NESTED):
                    yield from _blocks(statement)
    for handler in getattr(node, "handlers", ()):
        yield from _blocks(handler)
    for case in getattr(node, "cases", ()):
        yield from _blocks(case)


def statements(node: Function) -> Iterator[tuple[Place, ast.stmt]]:
    """Every statement with its place, docstrings apart."""
    for number, block in enumerate(blocks(node)):
        for index, statement in enumerate(block):
            if not is_bare_constant(statement):
                yield Place(number, index), statement


def is_generator(node: Function) -> bool:
    """Whether calling it gives an iterator."""
    return any(isinstance(each, ast.Yield | ast.YieldFrom) for each in own_nodes(node))


def parameters(node: Function) -> list[ast.arg]:
    """What it takes by name."""
    return [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]


def after_docstring(node: Function) -> int:
    """Where the first statement that does something stands."""
    return int(is_bare_constant(node.body[0]))


_LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await,
            ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Needs:
    """Names of one statement."""

    reads: frozenset[str]
    writes: frozenset[str]
    """Bound, or changed through a method, an index or an attribute."""
    leaves: bool
    """Whether it may end more than itself."""

    @classmethod
    def of(cls, statement: ast.stmt) -> "Needs":
        """The needs of a statement with all that is inside it."""
        nodes = [statement, *own_nodes(statement)]
        names = [each for each in nodes if isinstance(each, ast.Name)]
        reads = {each.id for each in names if isinstance(each.ctx, ast.Load)}
        writes = {each.id for each in names if not isinstance(each.ctx, ast.Load)}
        for each in nodes:
            if isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name):
                reads.add(each.target.id)
            changed = _changed(each)
            if changed is not None:
                writes.add(changed)
        leaves = any(isinstance(each, _LEAVING) for each in nodes)
        return cls(frozenset(reads), frozenset(writes), leaves)

    def is_independent_of(self, other: "Needs") -> bool:
        """Whether the two may change places as far as names tell."""
        return not (
            self.leaves
            or other.leaves
            or self.writes & (other.reads | other.writes)
            or other.writes & self.reads
        )


def _changed(node: ast.AST) -> str | None:
    """The name whose object a node may change."""
    match node:
        case ast.Call(func=ast.Attribute(value=inner)):
            return _root(inner)
        case ast.Attribute(value=inner, ctx=ast.Store() | ast.Del()):
            return _root(inner)
        case ast.Subscript(value=inner, ctx=ast.Store() | ast.Del()):
            return _root(inner)
    return None


def _root(node: ast.expr) -> str | None:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


_GUARD_ENDS = (ast.Raise, ast.Return, ast.Continue, ast.Break)
_BOUNDARIES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
}  # fmt: skip
_AT_ONCE = """\
with ThreadPoolExecutor(2) as _pool:
    _one = _pool.submit(lambda: 0)
    _other = _pool.submit(lambda: 0)
"""
_POOL = "from concurrent.futures import ThreadPoolExecutor"


@dataclass(frozen=True, slots=True)
class RelaxingDreamer:
    """Takes one constraint of a procedure away at a time."""

    dream_type: DreamType = DreamType.CONSTRAINT_RELAXATION

    def imagine(self, procedure: Procedure) -> Iterator[Variant]:
        """One variant of every rule in turn, until all rules have run dry."""
        rules = (_guards, _early_exits, _boundaries, _operands, _skipped, _reordered, _side_by_side)
        yield from by_turns([rule(procedure) for rule in rules])


def by_turns(sources: list[Iterator[Variant]]) -> Iterator[Variant]:
    """One of each, again and again."""
    while sources:
        for source in list(sources):
            found = next(source, None)
            if found is None:
                sources.remove(source)
            else:
                yield found


def _guards(procedure: Procedure) -> Iterator[Variant]:
    """A condition that only turns away is not asked."""
    for place, statement in statements(procedure.node):
        is_guard = (
            isinstance(statement, ast.If)
            and not statement.orelse
            and isinstance(statement.body[-1], _GUARD_ENDS)
        )
        if is_guard or isinstance(statement, ast.Assert):
            title = f"Without the guard {shown(statement)}"
            last = statement.body[-1] if isinstance(statement, ast.If) else statement
            leaves_by = {"leaves_by": type(last).__name__}
            yield _edited(procedure, "guard", title, place, _remove, leaves_by)


def _boundaries(procedure: Procedure) -> Iterator[Variant]:
    """A bound that is included or not."""
    for number, node in enumerate(_compares(procedure.node)):
        changed = procedure.node
        other = _compares(changed)[number]
        other.ops[0] = _BOUNDARIES[type(other.ops[0])]()
        title = f"{shown(node)} becomes {shown(other)}"
        yield Variant("relaxing/boundary", title, written(changed), {"line": node.lineno})


def _compares(node: Function) -> list[ast.Compare]:
    found = (each for each in own_nodes(node) if isinstance(each, ast.Compare))
    return [each for each in found if type(each.ops[0]) in _BOUNDARIES]


def _operands(procedure: Procedure) -> Iterator[Variant]:
    """One condition less, or either instead of both."""
    for number, node in enumerate(_conditions(procedure.node)):
        for left_out in range(len(node.values)):
            changed = procedure.node
            other = _conditions(changed)[number]
            gone = other.values.pop(left_out)
            yield Variant(
                "relaxing/condition",
                f"Without the condition {shown(gone)}",
                written(changed),
                {"line": node.lineno},
            )
        changed = procedure.node
        other = _conditions(changed)[number]
        other.op = ast.Or() if isinstance(other.op, ast.And) else ast.And()
        title = f"{shown(node)} becomes {shown(other)}"
        yield Variant("relaxing/condition", title, written(changed), {"line": node.lineno})


def _conditions(node: Function) -> list[ast.BoolOp]:
    return [each for each in own_nodes(node) if isinstance(each, ast.BoolOp)]


def _skipped(procedure: Procedure) -> Iterator[Variant]:
    """A step is left out, where no name is missed for it."""
    node = procedure.node
    bound = [Needs.of(statement).writes for _, statement in statements(node)]
    given = {each.arg for each in parameters(node)}
    for number, (place, statement) in enumerate(statements(node)):
        elsewhere = given.union(*(each for at, each in enumerate(bound) if at != number))
        is_step = isinstance(statement, ast.Expr | ast.Assign | ast.AugAssign | ast.For | ast.While)
        has_other = isinstance(statement, ast.If) and not isinstance(
            statement.body[-1], _GUARD_ENDS
        )
        if (is_step or has_other) and bound[number] <= elsewhere:
            title = f"Without the step {shown(statement)}"
            others = (Needs.of(each).reads for at, each in statements(node) if at != place)
            is_read = {"is_read": bool(bound[number] & frozenset().union(*others))}
            yield _edited(procedure, "skip", title, place, _remove, is_read)


def _reordered(procedure: Procedure) -> Iterator[Variant]:
    """Two neighbours that do not need each other change places."""
    for number, block in enumerate(blocks(procedure.node)):
        for index, (first, second) in enumerate(pairwise(block)):
            if is_bare_constant(first) or not Needs.of(first).is_independent_of(Needs.of(second)):
                continue
            title = f"{shown(second, 30)} before {shown(first, 30)}"
            yield _edited(procedure, "reorder", title, Place(number, index), _swap)


def _early_exits(procedure: Procedure) -> Iterator[Variant]:
    """A loop ends with the first thing that it finds."""
    for number, loop in enumerate(_loops(procedure.node)):
        for index, statement in enumerate(loop.body):
            if not isinstance(statement, ast.If) or isinstance(statement.body[-1], _GUARD_ENDS):
                continue
            changed = procedure.node
            branch = _loops(changed)[number].body[index]
            assert isinstance(branch, ast.If)
            branch.body.append(ast.Break())
            title = f"The loop ends when {shown(statement.test)}"
            details = {"line": loop.lineno}
            yield Variant("relaxing/early_exit", title, written(changed), details)


def _loops(node: Function) -> list[ast.For | ast.While]:
    return [each for each in own_nodes(node) if isinstance(each, ast.For | ast.While)]


def _side_by_side(procedure: Procedure) -> Iterator[Variant]:
    """Calls that do not need each other run at once."""
    for number, block in enumerate(blocks(procedure.node)):
        for index, (first, second) in enumerate(pairwise(block)):
            if not (_is_called(first) and _is_called(second)):
                continue
            if Needs.of(first).is_independent_of(Needs.of(second)):
                title = f"{shown(first, 30)} beside {shown(second, 30)}"
                place = Place(number, index)
                found = _edited(procedure, "parallel", title, place, _run_at_once)
                yield Variant(found.rule, found.title, found.function, found.details, _POOL)


def _is_called(statement: ast.stmt) -> bool:
    match statement:
        case ast.Assign(targets=[ast.Name()], value=ast.Call()):
            return True
    return False


def _run_at_once(block: list[ast.stmt], index: int) -> None:
    first, second = block[index], block[index + 1]
    assert isinstance(first, ast.Assign)
    assert isinstance(second, ast.Assign)
    pool = fresh_module(_AT_ONCE).body[0]
    assert isinstance(pool, ast.With)
    for task, statement in zip(pool.body, (first, second), strict=True):
        call = task.value  # type: ignore[attr-defined]
        call.args[0].body = statement.value
    results = fresh_module("_one.result()\n_other.result()").body
    for statement, result in zip((first, second), results, strict=True):
        assert isinstance(result, ast.Expr)
        statement.value = result.value
    block[index : index + 2] = [pool, first, second]


def _remove(block: list[ast.stmt], index: int) -> None:
    del block[index]
    if not block:
        block.append(ast.Pass())


def _swap(block: list[ast.stmt], index: int) -> None:
    block[index], block[index + 1] = block[index + 1], block[index]


def _edited(
    procedure: Procedure,
    rule: str,
    title: str,
    place: Place,
    edit: Callable[[list[ast.stmt], int], None],
    details: Mapping[str, Any] | None = None,
) -> Variant:
    node = procedure.node
    block = blocks(node)[place.block]
    line = block[place.index].lineno
    edit(block, place.index)
    return Variant(f"relaxing/{rule}", title, written(node), {"line": line, **(details or {})})
