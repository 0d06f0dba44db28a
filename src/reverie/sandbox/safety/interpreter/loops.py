"""Bind values to targets; run loops and comprehensions.

Member by member where the source fixes what is walked over, otherwise once for all members.
"""

import ast

from reverie.sandbox.safety.interpreter.interpreter import (
    Arguments,
    Assignment,
    AttributeUse,
    Flow,
    Interpreter,
    Invocation,
    Reference,
    Role,
)
from reverie.sandbox.safety.interpreter.knowledge import canonical
from reverie.sandbox.safety.interpreter.scope import Scope
from reverie.sandbox.safety.interpreter.values import (
    ANYTHING,
    MAX_ITEMS,
    Class,
    Constant,
    Function,
    Instance,
    Items,
    Known,
    Namespace,
    Symbol,
    Table,
    Value,
    items_of,
    join,
    members_of,
    strings_of,
    truth,
)


def bind_target(machine: Interpreter, target: ast.expr, value: Value, scope: Scope) -> None:
    """Assign a value to whatever stands left of the equals sign."""
    if isinstance(target, ast.Name):
        scope.bind(target.id, value)
    elif isinstance(target, ast.Attribute):
        base = machine.evaluate(target.value, scope, Role.BASE)
        store_attribute(machine, base, target.attr, value, target)
    elif isinstance(target, ast.Subscript):
        _store_item(machine, target, value, scope)
    elif isinstance(target, ast.Starred):
        bind_target(machine, target.value, (Items("list", (members_of(value),)),), scope)
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(machine, target.elts, value, scope)


def _unpack(machine: Interpreter, targets: list[ast.expr], value: Value, scope: Scope) -> None:
    items = items_of(value)
    starred = [i for i, target in enumerate(targets) if isinstance(target, ast.Starred)]
    if items is None or (not starred and len(items) != len(targets)) or len(starred) > 1:
        for target in targets:
            bind_target(machine, target, members_of(value), scope)
        return
    if starred:
        first, after = starred[0], len(targets) - starred[0] - 1
        middle = items[first : len(items) - after]
        rest: Value = (Items("list", tuple(middle)),)
        items = [*items[:first], rest, *items[len(items) - after :]]
    for target, item in zip(targets, items, strict=False):
        if isinstance(target, ast.Starred):
            target = target.value
        bind_target(machine, target, item, scope)


def store_attribute(
    machine: Interpreter, base: Value, name: str, value: Value, node: ast.AST
) -> None:
    """`base.name = value`; on a symbol it replaces what others use."""
    machine.emit(AttributeUse(node, name))
    for atom in base:
        if isinstance(atom, Symbol):
            machine.emit(Assignment(node, canonical(f"{atom.name}.{name}")))
        elif isinstance(atom, (Class, Function, Instance)):
            owner = atom.of if isinstance(atom, Instance) else atom
            owner.attributes[name] = join([owner.attributes.get(name, ()), value])


def _store_item(machine: Interpreter, target: ast.Subscript, value: Value, scope: Scope) -> None:
    base = machine.evaluate(target.value, scope, Role.BASE)
    key = machine.evaluate(target.slice, scope)
    for atom in base:
        if isinstance(atom, Symbol):
            report_item_change(machine, atom, "__setitem__", Arguments((key, value)), target)
        elif isinstance(atom, Namespace):
            for name in strings_of(key):
                atom.scope.bind(name, value)
    if isinstance(target.value, ast.Name) and any(isinstance(a, (Items, Table)) for a in base):
        scope.bind(target.value.id, join([_with_item((atom,), key, value) for atom in base]))


def report_item_change(
    machine: Interpreter, atom: Symbol, method: str, arguments: Arguments, node: ast.AST
) -> None:
    """An item of something outside the file is set or deleted."""
    setter = Symbol(canonical(f"{atom.name}.{method}"))
    machine.emit(Reference(node, setter.name, Role.CALLEE))
    machine.emit(Invocation(node, setter, arguments))
    if atom.name == "builtins" or atom.name.endswith(".__dict__"):
        owner = atom.name.removesuffix(".__dict__")
        for name in strings_of(arguments.positional[0]) or ["*"]:
            machine.emit(Assignment(node, canonical(f"{owner}.{name}")))


def _with_item(base: Value, key: Value, value: Value) -> Value:
    atom = base[0]
    constant = key[0].value if len(key) == 1 and isinstance(key[0], Known) else None
    if isinstance(atom, Table) and len(atom.entries) < MAX_ITEMS:
        if constant is None:
            return (Table(atom.entries, complete=False),)
        return (Table(tuple({**dict(atom.entries), constant: value}.items()), atom.complete),)
    if isinstance(atom, Items):
        if isinstance(constant, int) and -len(atom.values) <= constant < len(atom.values):
            values = list(atom.values)
            values[constant] = value
            return (Items(atom.kind, tuple(values)),)
        return join([base, ANYTHING])
    return base


def delete_target(machine: Interpreter, target: ast.expr, scope: Scope) -> None:
    """`del target`."""
    if isinstance(target, ast.Name):
        scope.unbind(target.id)
    elif isinstance(target, ast.Attribute):
        base = machine.evaluate(target.value, scope, Role.BASE)
        store_attribute(machine, base, target.attr, ANYTHING, target)
    elif isinstance(target, ast.Subscript):
        key = machine.evaluate(target.slice, scope)
        for atom in machine.evaluate(target.value, scope, Role.BASE):
            if isinstance(atom, Symbol):
                report_item_change(machine, atom, "__delitem__", Arguments((key,)), target)
    elif isinstance(target, (ast.Tuple, ast.List)):
        for element in target.elts:
            delete_target(machine, element, scope)


MAX_UNROLLED = 128
_HARMLESS = frozenset({"print", "len", "str", "range", "list"})
_GROWTH = frozenset({"append", "extend", "add", "update", "insert", "write", "start", "put"}) | {
    "Thread",
    "Process",
    "Timer",
}


def run_for(machine: Interpreter, node: ast.For | ast.AsyncFor, scope: Scope) -> None:
    """`for` over what the source fixes, or over anything."""
    source = machine.evaluate(node.iter, scope)
    items = items_of(source)
    if items is not None and 0 < len(items) <= MAX_UNROLLED and machine.has_budget():
        _unroll(machine, node, items, scope)
    else:
        _once(machine, node, members_of(source), scope)
    machine.execute(node.orelse, scope)


def _unroll(
    machine: Interpreter, node: ast.For | ast.AsyncFor, items: list[Value], scope: Scope
) -> None:
    machine.unrolled += 1
    for item in items:
        bind_target(machine, node.target, item, scope)
        if machine.execute(node.body, scope) is Flow.BREAK or not machine.has_budget():
            break
    machine.unrolled -= 1


def _once(machine: Interpreter, node: ast.For | ast.AsyncFor, member: Value, scope: Scope) -> None:
    """A second round lets what the first one left behind reach the top of the body."""
    before = scope.snapshot()
    exact, machine.unrolled = machine.unrolled, 0
    for _ in range(1 if exact else 2):
        bind_target(machine, node.target, member, scope)
        machine.execute(node.body, scope)
        scope.merge([before, scope.variables])
        if not machine.has_budget() or not _carries(before, scope.variables):
            break
    machine.unrolled = exact


def _carries(before: dict[str, Value], after: dict[str, Value]) -> bool:
    return any(after.get(name) is not value for name, value in before.items())


def run_while(machine: Interpreter, node: ast.While, scope: Scope) -> None:
    """`while` as long as the condition is a constant, then once for whatever comes."""
    machine.unrolled += 1
    flow, rounds = Flow.NEXT, 0
    while rounds < MAX_UNROLLED and flow is not Flow.BREAK and machine.has_budget():
        verdict = truth(machine.evaluate(node.test, scope, Role.QUIET))
        if verdict is not True or isinstance(node.test, ast.Constant):
            break
        flow = machine.execute(node.body, scope)
        rounds += 1
    machine.unrolled -= 1
    if rounds == 0:
        before = scope.snapshot()
        exact, machine.unrolled = machine.unrolled, 0
        machine.execute(node.body, scope)
        scope.merge([before, scope.variables])
        machine.unrolled = exact
    machine.execute(node.orelse, scope)


def is_endless(node: ast.While, test: Value) -> bool:
    """Whether the loop plainly never ends: always true, no exit, nothing that could raise."""
    if not isinstance(node.test, ast.Constant) or truth(test) is not True:
        return False
    return all(_stays(inner) for statement in node.body for inner in ast.walk(statement))


def _stays(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute):
            return node.func.attr in _GROWTH
        return isinstance(node.func, ast.Name) and node.func.id in _HARMLESS
    exits = (ast.Break, ast.Return, ast.Raise, ast.Yield, ast.YieldFrom, ast.Await, ast.Assert)
    return not isinstance(node, (*exits, ast.Subscript, ast.With, ast.Import, ast.ImportFrom))


def calls_itself_first(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether the function plainly calls itself before anything could stop it."""
    for statement in node.body:
        if not isinstance(statement, (ast.Expr, ast.Assign, ast.Return)):
            return False
        if statement.value is not None and _always_calls(statement.value, node.name):
            return True
        if isinstance(statement, ast.Return):
            return False
    return False


def _always_calls(node: ast.AST, name: str) -> bool:
    if isinstance(node, (ast.Lambda, ast.IfExp, ast.BoolOp, ast.Yield, ast.YieldFrom)):
        return False
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        return False
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
        return True
    return any(_always_calls(child, name) for child in ast.iter_child_nodes(node))


Comprehension = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp


def evaluate_comprehension(machine: Interpreter, node: Comprehension, scope: Scope) -> Value:
    """A list for list, set and generator comprehensions; a table for dictionaries."""
    run = _Run(machine, node)
    run.generate(0, Scope("comprehension", scope))
    return run.result()


class _Run:
    """One walk through the generators of a comprehension."""

    __slots__ = ("elements", "exact", "machine", "node")

    def __init__(self, machine: Interpreter, node: Comprehension) -> None:
        self.machine = machine
        self.node = node
        self.elements: list[tuple[Value, Value]] = []
        self.exact = True

    def generate(self, index: int, scope: Scope) -> None:
        """Bind the target of one generator to each member in turn."""
        if index == len(self.node.generators):
            self._collect(scope)
            return
        generator = self.node.generators[index]
        source = self.machine.evaluate(generator.iter, scope)
        items = items_of(source)
        if items is None or not self.machine.has_budget() or len(self.elements) > MAX_ITEMS:
            items = [members_of(source)]
            self.exact = False
        for item in items:
            bind_target(self.machine, generator.target, item, scope)
            if self._is_wanted(generator, scope):
                self.generate(index + 1, scope)

    def _is_wanted(self, generator: ast.comprehension, scope: Scope) -> bool:
        for condition in generator.ifs:
            verdict = truth(self.machine.evaluate(condition, scope, Role.QUIET))
            if verdict is False and self.exact and len(self.elements) > 0:
                return False
            if verdict is False:
                self._look_at_element(scope)
                return False
            if verdict is None:
                self.exact = False
        return True

    def _look_at_element(self, scope: Scope) -> None:
        """An element that a false condition hides is still looked at once."""
        before = list(self.elements)
        self._collect(scope)
        self.elements = before

    def _collect(self, scope: Scope) -> None:
        if isinstance(self.node, ast.DictComp):
            key = self.machine.evaluate(self.node.key, scope)
            self.elements.append((key, self.machine.evaluate(self.node.value, scope)))
        else:
            self.elements.append((ANYTHING, self.machine.evaluate(self.node.elt, scope)))

    def result(self) -> Value:
        """What was collected; in doubt about the members, also anything."""
        if isinstance(self.node, ast.DictComp):
            return self._table()
        kind = "set" if isinstance(self.node, ast.SetComp) else "list"
        values = tuple(value for _, value in self.elements[:MAX_ITEMS])
        items: Value = (Items(kind, values),)  # type: ignore[arg-type]
        return items if self.exact else join([items, ANYTHING])

    def _table(self) -> Value:
        entries: dict[Constant, Value] = {}
        for key, value in self.elements[:MAX_ITEMS]:
            if len(key) == 1 and isinstance(key[0], Known):
                entries[key[0].value] = value
            else:
                self.exact = False
        return (Table(tuple(entries.items()), self.exact),)
