"""Could the new tests fail at all? A test that asserts nothing of the code proves nothing."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.gates.gate import Matter, nothing_to_judge, ruled
from reverie.gates.python import Function, dotted, functions
from reverie.gates.suite.assertions import Worth, assertions
from reverie.gates.suite.flow import Flow
from reverie.gates.suite.reading import TestFile, test_files
from reverie.model.ruling import Answer, Ruling

_BROAD = frozenset({"", "Exception", "BaseException", "AssertionError", "object"})
_REASONS = {
    Worth.TAUTOLOGY: "its assertions hold whatever the code does",
    Worth.BLIND: "its assertions look at nothing that the code under test made",
    Worth.TYPE_ONLY: "it asserts only that there is a value, or of which type",
    Worth.ANY_ERROR: "it is content with any error at all",
}
_WORST_FIRST = (Worth.TAUTOLOGY, Worth.ANY_ERROR, Worth.BLIND, Worth.TYPE_ONLY)


@dataclass(frozen=True, slots=True)
class OracleGate:
    """Refuses new tests without an assertion that the code under test could break."""

    name: str = "oracle"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """One ruling for each test that cannot fail."""
        if not matter.change.edits:
            return nothing_to_judge(self.name)
        said = "every new test asserts something of the code"
        return ruled(self.name, self._objections(matter), said)

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        for file in test_files(matter):
            asserting = _asserting_helpers(file)
            for name, node in file.new_tests().items():
                yield from self._of_test(name, node, file, matter, asserting)
            yield from self._swallowed(file)

    def _of_test(
        self, name: str, node: Function, file: TestFile, matter: Matter, asserting: frozenset[str]
    ) -> Iterator[Ruling]:
        flow = Flow(node, file, matter)
        valued = matter.surroundings.valued
        found = {each.worth for each in assertions(node, flow, file.names, asserting, valued)}
        place = file.parsed.place(node)
        if not found:
            yield Ruling(self.name, Answer.FAIL, "no_assertion", f"{name} asserts nothing", place)
        elif Worth.TELLING not in found:
            worst = next(each for each in _WORST_FIRST if each in found)
            said = f"{name}: {_REASONS[worst]}"
            yield Ruling(self.name, Answer.FAIL, str(worst), said, place)

    def _swallowed(self, file: TestFile) -> Iterator[Ruling]:
        known = set() if file.before is None else {ast.dump(e) for e in _catching(file.before.tree)}
        for node in _catching(file.parsed.tree):
            if ast.dump(node) not in known:
                said = "errors and failed assertions are caught and forgotten"
                place = file.parsed.place(node)
                yield Ruling(self.name, Answer.FAIL, "catch_all", said, place)


def _catching(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Try | ast.TryStar):
            if any(_is_broad(each) and not _fails(each) for each in node.handlers):
                yield node
            elif any(
                isinstance(each, ast.Return) for part in node.finalbody for each in ast.walk(part)
            ):
                yield node  # a return in `finally` drops the error
        elif isinstance(node, ast.With | ast.AsyncWith):
            for item in node.items:
                call = item.context_expr
                if isinstance(call, ast.Call) and _suppresses(call):
                    yield node


def _suppresses(call: ast.Call) -> bool:
    is_named = dotted(call.func).endswith("suppress")
    return is_named and any(dotted(each) in _BROAD for each in call.args)


def _is_broad(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(kind is None or dotted(kind) in _BROAD for kind in kinds)


def _fails(handler: ast.ExceptHandler) -> bool:
    """Whether a handler hands the failure on."""
    for node in ast.walk(handler):
        if isinstance(node, ast.Raise):
            return True
        if isinstance(node, ast.Call) and dotted(node.func) in ("pytest.fail", "self.fail"):
            return True
    return False


def _asserting_helpers(file: TestFile) -> frozenset[str]:
    """Functions of the file that assert, called by tests to do so."""
    found = set()
    for _, node in functions(file.parsed.tree):
        if not node.name.startswith("test") and any(_asserts(each) for each in ast.walk(node)):
            found.add(node.name)
    return frozenset(found)


def _asserts(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return dotted(node.func).rpartition(".")[2].startswith(("assert", "raises"))
    return isinstance(node, ast.Assert)
