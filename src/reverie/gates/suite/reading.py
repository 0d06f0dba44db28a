"""The tests of a file, and which of them a change adds."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.gates.gate import Matter
from reverie.gates.paths import is_test_module, is_test_path
from reverie.gates.python import Function, Parsed, functions, imported_names, parse, same
from reverie.model.change import FileEdit

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
        name = ast.unparse(decorator.func)
        if name.endswith(PARAMETRISE) and len(decorator.args) >= 2:
            for argument in _argument_names(decorator.args[0]):
                found[argument] = decorator.args[1]
        elif name.rpartition(".")[2] in ("given", "example"):
            for keyword in decorator.keywords:
                found[str(keyword.arg)] = keyword.value
            unnamed = [each for each in parameters(function) if each != "self"]
            found |= dict(zip(unnamed[::-1], decorator.args[::-1], strict=False))
    return found


def _argument_names(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [name.strip() for name in node.value.split(",") if name.strip()]
    if isinstance(node, ast.List | ast.Tuple):
        return [str(each.value) for each in node.elts if isinstance(each, ast.Constant)]
    return []
