"""The tests of a file, which of them a change adds, and which values come from the code under test.

Values flow through assignments, loops and arguments; also through conditions (a counter inside a
loop over a result, a flag set by an `except`). What is not known to be independent counts as
coming from the code: this errs on the side of the test.
"""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from reverie.gates.gate import Matter
from reverie.gates.paths import is_test_module, is_test_path
from reverie.gates.python import Parsed, imported_names, origin_of, parse, same
from reverie.model.change import FileEdit
from reverie.syntax.nodes import Function, functions, names_in
from reverie.syntax.unparsing import unparse

TEST_LIBRARIES = frozenset(
    {"pytest", "unittest", "hypothesis", "mock", "_pytest", "doctest", "freezegun", "time_machine",
     "numpy", "pandas", "faker", "responses", "syrupy", "dirty_equals", "attrs"}
)  # fmt: skip
PARAMETRISE = ("pytest.mark.parametrize", "mark.parametrize", "parameterized.expand")


@dataclass(frozen=True, slots=True)
class TestFile:
    """A file of tests as a change leaves it."""

    __test__ = False

    edit: FileEdit
    parsed: Parsed
    names: dict[str, str]
    before: Parsed | None

    def tests(self) -> dict[str, Function]:
        """Every test, by its dotted name."""
        return tests_of(self.parsed)

    def new_tests(self) -> dict[str, Function]:
        """Tests that were not there, or not so."""
        known = {} if self.before is None else tests_of(self.before)
        return {
            name: node
            for name, node in self.tests().items()
            if name not in known or not same(known[name], node)
        }


def test_files(matter: Matter) -> Iterator[TestFile]:
    """The Python files of the tests that a change writes, in which Python finds no fault."""
    for edit in matter.change.edits:
        if is_test_path(edit.path, matter.section) and edit.path.endswith(".py"):
            parsed = parse(edit.path, edit.after)
            if parsed is not None:
                before = parse(edit.renamed_from or edit.path, edit.before)
                yield TestFile(edit, parsed, imported_names(parsed.tree), before)


def tests_of(parsed: Parsed) -> dict[str, Function]:
    """Every test of a file that pytest would collect, by its dotted name; none in other files."""
    if not is_test_module(parsed.path):
        return {}
    return {
        name: node
        for name, node in functions(parsed.tree)
        if node.name.startswith("test") and not _is_hidden(name)
    }


def _is_hidden(name: str) -> bool:
    return any(part.startswith("_") for part in name.split(".")[:-1])


def is_production(origin: str, matter: Matter) -> bool:
    """Whether an imported name is the repository's own code, as far as is known."""
    top = origin.partition(".")[0]
    if not top:
        return True  # a relative import
    if matter.surroundings.packages:
        return top in matter.surroundings.packages
    return top not in matter.surroundings.modules and top not in TEST_LIBRARIES


def production_names(names: dict[str, str], matter: Matter) -> frozenset[str]:
    """The names of a file that stand for production code."""
    return frozenset(name for name, origin in names.items() if is_production(origin, matter))


def parameters(function: Function) -> list[str]:
    """All arguments of a function."""
    given = function.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs]
    return [each.arg for each in every]


def parametrised(function: Function) -> dict[str, ast.expr]:
    """Arguments that are filled from the file itself, with the values they are filled from."""
    found: dict[str, ast.expr] = {}
    for decorator in function.decorator_list:
        if not isinstance(decorator, ast.Call):
            continue
        name = unparse(decorator.func)
        if name.endswith(PARAMETRISE) and len(decorator.args) >= 2:
            for argument in argument_names(decorator.args[0]):
                found[argument] = decorator.args[1]
        elif name.rpartition(".")[2] in ("given", "example"):
            for keyword in decorator.keywords:
                found[str(keyword.arg)] = keyword.value
            unnamed = [each for each in parameters(function) if each != "self"]
            found |= dict(zip(unnamed[::-1], decorator.args[::-1], strict=False))
    return found


def argument_names(node: ast.expr) -> list[str]:
    """The names that a parametrisation fills."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [name.strip() for name in node.value.split(",") if name.strip()]
    if isinstance(node, ast.List | ast.Tuple):
        return [str(each.value) for each in node.elts if isinstance(each, ast.Constant)]
    return []


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
            used = names_in(node)
            if used & (carriers | found):
                found.add(name.partition(".")[0])
    for statement in file.parsed.tree.body:  # values that the file makes once
        if isinstance(statement, ast.Assign):
            used = names_in(statement.value)
            if used & (carriers | found):
                found |= {each.id for each in statement.targets if isinstance(each, ast.Name)}
    return found
