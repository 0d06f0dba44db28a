"""Which values in a test come from the code under test: what no such value reaches, sees nothing.

Values flow through assignments, loops and arguments; also through conditions (a counter inside a
loop over a result, a flag set by an `except`). What is not known to be independent counts as
coming from the code: this errs on the side of the test.
"""

import ast
from collections.abc import Iterable

from reverie.gates.gate import Matter
from reverie.gates.python import Function, functions, origin_of
from reverie.gates.suite.reading import TestFile, parameters, parametrised, production_names

_LOOKS_OUTSIDE = ("open", "os.", "pathlib.", "Path", "sys.std", "sqlite3.", "subprocess.", "runpy.",
                  "importlib.", "__import__", "shutil.", "json.load", "logging.")  # fmt: skip
_INERT_FIXTURES = frozenset({"request", "monkeypatch", "self", "cls"})
_ROUNDS = 4


class Flow:
    """The names of one function that carry something of the code under test."""

    def __init__(self, function: Function, file: TestFile, matter: Matter) -> None:
        self._names = file.names
        self.carriers = set(production_names(file.names, matter))
        self.carriers |= _carrying_helpers(file, self.carriers)
        self._calls_production = any(
            isinstance(node, ast.Call) and self._is_own(node.func) for node in ast.walk(function)
        )
        given = parametrised(function)
        for name in parameters(function):
            if name in given:
                if self.carries(given[name]):
                    self.carriers.add(name)
            elif name == "self" or name not in _INERT_FIXTURES:
                self.carriers.add(name)
        for _ in range(_ROUNDS):
            known = len(self.carriers)
            self._spread(function.body, is_conditional=False)
            if len(self.carriers) == known:
                break

    def carries(self, node: ast.AST | None) -> bool:
        """Whether a piece of code depends on the code under test."""
        return node is not None and any(self._is_source(each) for each in ast.walk(node))

    def _is_own(self, node: ast.AST) -> bool:
        return any(isinstance(e, ast.Name) and e.id in self.carriers for e in ast.walk(node))

    def _is_source(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Name):
            return node.id in self.carriers
        if isinstance(node, ast.Call):
            origin = origin_of(node.func, self._names)
            return self._calls_production and origin.startswith(_LOOKS_OUTSIDE)
        return False

    def _spread(self, body: Iterable[ast.stmt], is_conditional: bool) -> None:
        for statement in body:
            self._spread_statement(statement, is_conditional)

    def _spread_statement(self, node: ast.stmt, is_conditional: bool) -> None:
        for call in (each for each in ast.walk(node) if isinstance(each, ast.Call)):
            if self._is_own(call.func):  # it may change what it is given
                for value in (*call.args, *(each.value for each in call.keywords)):
                    self._add(value)
        match node:
            case ast.Assign(targets=targets, value=value):
                if is_conditional or self.carries(value):
                    self._add_all(targets)
            case ast.AnnAssign() | ast.AugAssign():
                if is_conditional or self.carries(node.value):
                    self._add(node.target)
            case ast.For(target=target, iter=iterated) | ast.AsyncFor(target=target, iter=iterated):
                is_carrying = self.carries(iterated)
                if is_carrying:
                    self._add(target)
                self._spread(node.body, is_conditional or is_carrying)
                self._spread(node.orelse, is_conditional or is_carrying)
            case ast.While(test=test) | ast.If(test=test):
                is_carrying = is_conditional or self.carries(test)
                self._spread(node.body, is_carrying)
                self._spread(node.orelse, is_carrying)
            case ast.With() | ast.AsyncWith():
                for item in node.items:
                    if item.optional_vars is not None:
                        self._add(item.optional_vars)
                self._spread(node.body, is_conditional)
            case ast.Try():
                self._spread_try(node, is_conditional)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                if self.carries(node):
                    self.carriers.add(node.name)
            case ast.Match():
                for each in node.cases:
                    self._spread(each.body, is_conditional or self.carries(node.subject))
            case _:
                self._spread_expressions(node)

    def _spread_try(self, node: ast.Try, is_conditional: bool) -> None:
        is_carrying = is_conditional or any(self.carries(each) for each in node.body)
        self._spread(node.body, is_conditional)
        for handler in node.handlers:
            if handler.name and is_carrying:
                self.carriers.add(handler.name)
            self._spread(handler.body, is_carrying)
        self._spread(node.orelse, is_carrying)
        self._spread(node.finalbody, is_conditional)

    def _spread_expressions(self, node: ast.stmt) -> None:
        """`found.append(result)` makes `found` carry the result; a walrus binds as well."""
        for each in ast.walk(node):
            if isinstance(each, ast.NamedExpr) and self.carries(each.value):
                self._add(each.target)
            if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute):
                given = (*each.args, *(keyword.value for keyword in each.keywords))
                if any(self.carries(value) for value in given):
                    self._add(each.func.value)

    def _add_all(self, targets: Iterable[ast.AST]) -> None:
        for target in targets:
            self._add(target)

    def _add(self, target: ast.AST) -> None:
        for each in ast.walk(target):
            if isinstance(each, ast.Name) and each.id not in self._names:
                self.carriers.add(each.id)


def _carrying_helpers(file: TestFile, carriers: set[str]) -> set[str]:
    """Functions and classes of the file itself that use the code under test."""
    found: set[str] = set()
    for _ in range(_ROUNDS):
        for name, node in functions(file.parsed.tree):
            if node.name.startswith("test"):
                continue
            used = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
            if used & (carriers | found):
                found.add(name.partition(".")[0])
    for statement in file.parsed.tree.body:  # values that the file makes once
        if isinstance(statement, ast.Assign):
            used = {each.id for each in ast.walk(statement.value) if isinstance(each, ast.Name)}
            if used & (carriers | found):
                found |= {each.id for each in statement.targets if isinstance(each, ast.Name)}
    return found
