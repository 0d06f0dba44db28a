"""Which branches a version takes, and what it compares: its own syntax tree with probes in it."""

import ast
import operator
import re
from collections.abc import Callable
from typing import Any

_TRUTH, _OPERAND, _COMPARE, _PASSED = "_rv_truth", "_rv_operand", "_rv_compare", "_rv_passed"
_BEGINNING = re.compile(r"[A-Za-z_]\w*_(?=[{%]|$)")
_MOST_OPERANDS = 60
_MOST_TEXT = 80
_MOST_INTEGER = 1 << 80

_OPERATORS: "dict[type[ast.cmpop], Callable[[Any, Any], Any]]" = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda item, container: item in container,
    ast.NotIn: lambda item, container: item not in container,
}


class Probes:
    """What the probes of one version saw since the last `start`."""

    def __init__(self) -> None:
        self.branches: dict[int, str] = {}
        """Function in which each branch stands, by the branch's number."""
        self.outcomes: dict[int, int] = {}
        """How many ways each branch can go."""
        self.conditions: dict[int, str] = {}
        """What each branch depends on, as its author wrote it."""
        self.operators: dict[int, Callable[[Any, Any], Any]] = {}
        self.taken: set[int] = set()
        self.operands: list[list[Any]] = []
        self._told: set[tuple[Any, Any]] = set()

    def start(self) -> None:
        """Forget what was seen."""
        self.taken = set()
        self.operands = []

    def names(self) -> "dict[str, Any]":
        """What the instrumented code calls."""
        return {
            _TRUTH: self.truth,
            _OPERAND: self.operand,
            _COMPARE: self.compare,
            _PASSED: self.passed,
        }

    def truth(self, number: int, value: Any) -> bool:
        """A condition, decided."""
        answer = bool(value)
        self.taken.add(2 * number + answer)
        return answer

    def operand(self, number: int, value: Any) -> Any:
        """An operand of `and` or `or`, which is its own result."""
        self.taken.add(2 * number + bool(value))
        return value

    def passed(self, number: int, way: int) -> None:
        """A place that was reached."""
        self.taken.add(2 * number + way)

    def compare(self, number: int, left: Any, right: Any) -> Any:
        """A comparison, made; plain operands are remembered."""
        if len(self.operands) < _MOST_OPERANDS:
            pair = (_plain_operand(left), _plain_operand(right))
            if None not in pair and pair not in self._told:
                self._told.add(pair)
                self.operands.append(list(pair))
        return self.operators[number](left, right)


def _plain_operand(value: Any) -> "str | None":
    """The source of a plain value, of a container's first plain values as a list; else None."""
    if type(value) in (str, bytes) and len(value) <= _MOST_TEXT:
        return repr(value)
    if type(value) is int and abs(value) < _MOST_INTEGER:
        return repr(value)
    if type(value) is float and value == value and abs(value) != float("inf"):
        return repr(value)
    if type(value) in (list, tuple, set, frozenset, dict):
        found = [_plain_operand(each) for each, _ in zip(value, range(6), strict=False)]
        return "[" + ", ".join(each for each in found if each is not None) + "]"
    return None


class Instrument(ast.NodeTransformer):
    """Puts probes into a syntax tree. Chained comparisons and `is` stay as they are."""

    def __init__(self, probes: Probes) -> None:
        self.probes = probes
        self.owners: list[str] = []
        self.count = 0

    def _number(self, ways: int, condition: str = "") -> int:
        number = self.count
        self.count += 1
        self.probes.conditions[number] = condition
        self.probes.branches[number] = ".".join(self.owners)
        self.probes.outcomes[number] = ways
        return number

    def _ask(self, name: str, value: ast.expr, ways: int, condition: str = "") -> ast.expr:
        number = ast.Constant(self._number(ways, condition))
        call = ast.Call(ast.Name(name, ast.Load()), [number, value], keywords=[])
        return ast.copy_location(call, value)

    def _mark(self, place: ast.AST, number: int, way: int) -> ast.stmt:
        arguments: list[ast.expr] = [ast.Constant(number), ast.Constant(way)]
        call = ast.Call(ast.Name(_PASSED, ast.Load()), arguments, keywords=[])
        return ast.copy_location(ast.Expr(ast.copy_location(call, place)), place)

    def _inside(self, node: Any) -> Any:
        self.owners.append(node.name)
        self.generic_visit(node)
        self.owners.pop()
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = _inside  # noqa: N815

    def _tested(self, node: Any) -> Any:
        condition = ast.unparse(node.test)
        self.generic_visit(node)
        is_endless = isinstance(node, ast.While) and isinstance(node.test, ast.Constant)
        if not is_endless:
            node.test = self._ask(_TRUTH, node.test, 2, condition)
        return node

    visit_If = visit_While = visit_IfExp = _tested  # noqa: N815

    def _looped(self, node: Any) -> Any:
        condition = f"for {ast.unparse(node.target)} in {ast.unparse(node.iter)}"
        self.generic_visit(node)
        number = self._number(2, condition)
        node.body.insert(0, self._mark(node.body[0], number, 1))
        node.orelse.insert(0, self._mark(node.orelse[0] if node.orelse else node, number, 0))
        return node

    visit_For = visit_AsyncFor = _looped  # noqa: N815

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> Any:
        """A handler that ran."""
        condition = f"except {'' if node.type is None else ast.unparse(node.type)}"
        self.generic_visit(node)
        node.body.insert(0, self._mark(node.body[0], self._number(1, condition), 1))
        return node

    def visit_match_case(self, node: ast.match_case) -> Any:
        """A case that matched."""
        condition = f"case {ast.unparse(node.pattern)}"
        self.generic_visit(node)
        node.body.insert(0, self._mark(node.body[0], self._number(1, condition), 1))
        return node

    def visit_comprehension(self, node: ast.comprehension) -> Any:
        """A filter of a comprehension."""
        conditions = [ast.unparse(each) for each in node.ifs]
        self.generic_visit(node)
        node.ifs = [
            self._ask(_TRUTH, each, 2, condition)
            for each, condition in zip(node.ifs, conditions, strict=True)
        ]
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        """Operands but the last: guidance, not counted as branches."""
        self.generic_visit(node)
        *first, last = node.values
        node.values = [*(self._ask(_OPERAND, each, 0) for each in first), last]
        return node

    def visit_Compare(self, node: ast.Compare) -> Any:
        """A comparison of two values."""
        self.generic_visit(node)
        chosen = _OPERATORS.get(type(node.ops[0])) if len(node.ops) == 1 else None
        if chosen is None:
            return node
        number = self._number(0)
        self.probes.operators[number] = chosen
        arguments: list[ast.expr] = [ast.Constant(number), node.left, node.comparators[0]]
        call = ast.Call(ast.Name(_COMPARE, ast.Load()), arguments, keywords=[])
        return ast.copy_location(call, node)


def reachable(tree: ast.Module, entry: str) -> "set[str]":
    """Functions that the entry names, directly or through others; methods by their bare name.

    What stands inside a function is named by that function alone.
    """
    bodies: dict[str, list[tuple[str, ast.AST, str]]] = {}
    _collect_definitions(tree, (), "", bodies)
    named = bodies.get(entry.rpartition(".")[2], [])
    first = [each for each in named if each[0] == entry] or named
    found: set[str] = set()
    while True:
        known = len(found)
        found |= {qualname for qualname, _, _ in first}
        waiting = [name for _, node, _ in first for name in _reached_from(node, bodies)]
        seen: set[str] = set()
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            for qualname, node, around in bodies.get(name, ()):
                if around and around not in found:
                    continue
                found.add(qualname)
                waiting += _reached_from(node, bodies)
        if len(found) == known:
            return found


def _reached_from(
    node: ast.AST, bodies: "dict[str, list[tuple[str, ast.AST, str]]]"
) -> "list[str]":
    """What a function or class names, what is run without a name, and names it makes."""
    names = [*_names_in(node), *_called(node)]
    begins = _beginnings(node) if "getattr" in names else ()
    return names + [each for each in bodies if begins and each.startswith(begins)]


def _beginnings(node: ast.AST) -> "tuple[str, ...]":
    """How names begin that a function makes at run time to ask for: `visit_{kind}`."""
    texts = [
        each.value
        for each in ast.walk(node)
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    ]
    found = [_BEGINNING.match(each) for each in texts]
    return tuple(each.group() for each in found if each)


def _called(node: ast.AST) -> "tuple[str, ...]":
    """What is run without its name when a class is used."""
    is_class = isinstance(node, ast.ClassDef)
    return ("__init__", "__post_init__", "__call__") if is_class else ()


def _names_in(node: ast.AST) -> "list[str]":
    """Names that may stand for functions of the module: a parameter of that name is none."""
    given = getattr(node, "args", None)
    own = {each.arg for each in ast.walk(given) if isinstance(each, ast.arg)} if given else set()
    return [
        each.id if isinstance(each, ast.Name) else each.attr
        for each in ast.walk(node)
        if isinstance(each, ast.Attribute) or (isinstance(each, ast.Name) and each.id not in own)
    ]


def _collect_definitions(
    node: ast.AST,
    owners: "tuple[str, ...]",
    around: str,
    bodies: "dict[str, list[tuple[str, ast.AST, str]]]",
) -> None:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            path = (*owners, child.name)
            qualname = ".".join(path)
            bodies.setdefault(child.name, []).append((qualname, child, around))
            inner = around if isinstance(child, ast.ClassDef) else qualname
            _collect_definitions(child, path, inner, bodies)
        else:
            _collect_definitions(child, owners, around, bodies)
