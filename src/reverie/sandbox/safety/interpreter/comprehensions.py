"""Evaluate comprehensions, member by member when the source fixes what is walked over."""

import ast

from reverie.sandbox.safety.interpreter.events import Role
from reverie.sandbox.safety.interpreter.interpreter import Interpreter
from reverie.sandbox.safety.interpreter.scope import Scope
from reverie.sandbox.safety.interpreter.targets import bind_target
from reverie.sandbox.safety.interpreter.values import (
    ANYTHING,
    MAX_ITEMS,
    Constant,
    Items,
    Known,
    Table,
    Value,
    items_of,
    join,
    members_of,
    truth,
)

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
