"""Could the new tests fail at all? A test that asserts nothing of the code proves nothing.

Every place in a test that could fail it is found, and whether it could really.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from reverie.gates.gate import Matter, nothing_to_judge, ruled
from reverie.gates.python import origin_of, same
from reverie.gates.suite.cases import repeated_cases
from reverie.gates.suite.files_of_tests import Flow, TestFile, test_files
from reverie.model.ruling import Answer, Ruling
from reverie.syntax.nodes import Function, dotted, functions, last_name
from reverie.syntax.parsing import fresh_expression
from reverie.syntax.unparsing import unparse

_LOOSE_ERRORS = frozenset({"Exception", "BaseException", "builtins.Exception"})
_RAISES = frozenset(
    {"raises", "assertRaises", "assertRaisesRegex", "assertWarns", "assertWarnsRegex", "warns",
     "deprecated_call", "assertLogs", "assertNoLogs", "RaisesGroup", "RaisesExc"}
)  # fmt: skip
_TYPE_QUESTIONS = frozenset({"isinstance", "issubclass", "callable", "hasattr", "bool", "id"})
_TYPE_METHODS = frozenset({"assertIsInstance", "assertIsNotNone", "assertHasAttr"})
_TRUTH_METHODS = frozenset({"assertTrue", "assertFalse", "assert_", "failUnless"})
_FAILS = ("pytest.fail", "self.fail")
_MOST_STEPS = 4


class Worth(StrEnum):
    """What an assertion is good for."""

    TELLING = "telling"
    TAUTOLOGY = "tautology"
    BLIND = "blind_assertion"
    TYPE_ONLY = "asserts_type_only"
    ANY_ERROR = "accepts_any_error"


@dataclass(frozen=True, slots=True)
class Assertion:
    """One place that could fail a test."""

    node: ast.AST
    worth: Worth


def assertions(
    function: Function,
    flow: Flow,
    names: dict[str, str],
    asserting: frozenset[str],
    valued: frozenset[str],
) -> Iterator[Assertion]:
    """All of a test. `asserting`: helpers of the file that assert in their turn.

    `valued`: functions that return more than yes or no; that such a value is not empty says little.
    """
    known = _assigned_once(function)
    for node in ast.walk(function):
        match node:
            case ast.Assert(test=test):
                yield Assertion(node, _plain_worth(test, flow, known, valued))
            case ast.With() | ast.AsyncWith():
                yield from _expected_errors(node, flow, names)
            case ast.Call():
                worth = _call_worth(node, flow, names, known, asserting)
                if worth is not None:
                    yield Assertion(node, worth)
            case ast.Raise(exc=exc) if "AssertionError" in _text(exc):
                yield Assertion(node, Worth.TELLING)


def _expected_errors(
    node: ast.With | ast.AsyncWith, flow: Flow, names: dict[str, str]
) -> Iterator[Assertion]:
    for item in node.items:
        call = item.context_expr
        if isinstance(call, ast.Call) and last_name(call.func) in _RAISES:
            is_blind = not any(flow.carries(each) for each in node.body)
            yield Assertion(node, Worth.BLIND if is_blind else _error_worth(call, names))


def _error_worth(call: ast.Call, names: dict[str, str]) -> Worth:
    """An error of any kind is expected by whoever does not know which one comes."""
    has_text = last_name(call.func).endswith("Regex") and len(call.args) > 1
    is_looked_at = has_text or any(each.arg in ("match", "check") for each in call.keywords)
    kinds = call.args[:1]
    if kinds and isinstance(kinds[0], ast.Tuple):
        kinds = list(kinds[0].elts)
    is_loose = any(origin_of(kind, names) in _LOOSE_ERRORS for kind in kinds)
    return Worth.ANY_ERROR if is_loose and not is_looked_at else Worth.TELLING


def _call_worth(
    node: ast.Call,
    flow: Flow,
    names: dict[str, str],
    known: dict[str, ast.expr],
    asserting: frozenset[str],
) -> Worth | None:
    name, last = dotted(node.func), last_name(node.func)
    values = (*node.args, *(each.value for each in node.keywords))
    if name in _FAILS:
        return Worth.TELLING
    if last in _RAISES:
        is_call = len(node.args) > 1 and flow.carries(node)  # raises(ValueError, f, 1)
        return (
            _error_worth(node, names)
            if is_call and last.startswith(("raises", "assertR"))
            else None
        )
    if last in asserting or name in asserting:
        return Worth.TELLING if flow.carries(node) else Worth.BLIND
    if not last.startswith(("assert", "check_", "verify_", "expect")) or last == "assert_type":
        return None
    if last.startswith(("assert_called", "assert_any_call", "assert_has_calls", "assert_not_called",
                        "assert_awaited")):  # fmt: skip
        return Worth.TELLING
    if not any(flow.carries(value) for value in values):
        return Worth.BLIND
    if last in _TYPE_METHODS:
        return Worth.TYPE_ONLY
    if last in _TRUTH_METHODS and node.args:
        return _worth(node.args[0], flow, known)
    if len(node.args) >= 2 and same(_inlined(node.args[0], known), _inlined(node.args[1], known)):
        return Worth.TAUTOLOGY
    return Worth.TELLING


def _plain_worth(
    test: ast.expr, flow: Flow, known: dict[str, ast.expr], valued: frozenset[str]
) -> Worth:
    """Of an `assert`; `assert False` stands where nothing should come."""
    if isinstance(test, ast.Constant) and not test.value:
        return Worth.TELLING
    whole = _inlined(test, known)
    if isinstance(whole, ast.Call) and last_name(whole.func) in valued and flow.carries(test):
        return Worth.TYPE_ONLY
    return _worth(test, flow, known)


def _worth(test: ast.expr, flow: Flow, known: dict[str, ast.expr]) -> Worth:
    weakness = _weakness(test, known)
    if weakness is Worth.TAUTOLOGY:
        return weakness
    return (weakness or Worth.TELLING) if flow.carries(test) else Worth.BLIND


def _weakness(node: ast.expr, known: dict[str, ast.expr]) -> Worth | None:
    """Why an expression holds whatever the code does; None when it need not."""
    match node:
        case ast.Constant(value=value):
            return Worth.TAUTOLOGY if value else None
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            return Worth.TAUTOLOGY if elements else None
        case ast.JoinedStr() | ast.Lambda():
            return Worth.TAUTOLOGY
        case ast.BoolOp(op=ast.Or(), values=values):
            found = [each for each in (_weakness(value, known) for value in values) if each]
            return (Worth.TAUTOLOGY if Worth.TAUTOLOGY in found else found[0]) if found else None
        case ast.BoolOp(op=ast.And(), values=values):
            every = [_weakness(value, known) for value in values]
            return every[0] if all(every) else None
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            is_opposite = isinstance(operand, ast.Constant) and not operand.value
            return Worth.TAUTOLOGY if is_opposite else None
        case ast.Compare():
            return _comparison_weakness(node, known)
        case ast.Call(func=ast.Name(id=name)) if name in _TYPE_QUESTIONS:
            return Worth.TYPE_ONLY
        case ast.Call(func=ast.Name(id="all" | "any"), args=[ast.GeneratorExp(elt=each)]):
            return _weakness(each, known)
        case ast.Call(func=ast.Name(id="all" | "any"), args=[ast.ListComp(elt=each)]):
            return _weakness(each, known)
    return None


def _comparison_weakness(node: ast.Compare, known: dict[str, ast.expr]) -> Worth | None:
    if len(node.ops) != 1:
        return None
    left, operator = _inlined(node.left, known), node.ops[0]
    right = _inlined(node.comparators[0], known)
    if isinstance(operator, ast.Eq | ast.Is | ast.LtE | ast.GtE) and same(left, right):
        return Worth.TAUTOLOGY
    is_listed = isinstance(operator, ast.In) and isinstance(right, ast.Tuple | ast.List | ast.Set)
    if is_listed and any(same(left, each) for each in getattr(right, "elts", ())):
        return Worth.TAUTOLOGY
    if isinstance(operator, ast.IsNot | ast.NotEq) and _is_none(right):
        return Worth.TYPE_ONLY
    if isinstance(operator, ast.Is | ast.Eq | ast.In) and _is_type_call(left):
        return Worth.TYPE_ONLY
    is_length = isinstance(left, ast.Call) and dotted(left.func) == "len"
    if is_length and isinstance(operator, ast.GtE) and _is_zero(right):
        return Worth.TAUTOLOGY
    if is_length and isinstance(operator, ast.Gt) and _is_negative(right):
        return Worth.TAUTOLOGY
    return None


def _is_type_call(node: ast.expr) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr in ("__class__", "__name__") and not isinstance(node.value, ast.Constant)
    return isinstance(node, ast.Call) and dotted(node.func) == "type"


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in (None, Ellipsis)


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0


def _is_negative(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)


def _assigned_once(function: Function) -> dict[str, ast.expr]:
    """Names of a function that stand for one expression throughout."""
    seen: dict[str, list[ast.expr | None]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                value = node.value if isinstance(target, ast.Name) else None
                for each in ast.walk(target):
                    if isinstance(each, ast.Name):
                        seen.setdefault(each.id, []).append(value)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            seen.setdefault(node.id, [])
    return {name: given[0] for name, given in seen.items() if len(given) == 1 and given[0]}


class _Inline(ast.NodeTransformer):
    def __init__(self, known: dict[str, ast.expr]) -> None:
        self._known = known
        self._steps = 0

    def visit_Name(self, node: ast.Name) -> ast.expr:
        value = self._known.get(node.id)
        if value is None or self._steps >= _MOST_STEPS:
            return node
        self._steps += 1
        found: ast.expr = self.visit(fresh_expression(unparse(value)))
        self._steps -= 1
        return found


def _inlined(node: ast.expr, known: dict[str, ast.expr]) -> ast.expr:
    """An expression with names replaced by what they stand for."""
    copy = fresh_expression(unparse(node))
    found: ast.expr = _Inline(known).visit(copy)
    return found


def _text(node: ast.AST | None) -> str:
    return "" if node is None else unparse(node)


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
        cases, different = repeated_cases(node)
        if 2 * different <= cases and cases > 1:
            said = f"{name} asks {different} of {cases} cases: the others repeat them"
            yield Ruling(self.name, Answer.FAIL, "repeated_cases", said, place)

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
