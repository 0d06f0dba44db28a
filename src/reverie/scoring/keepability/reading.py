"""One test as a reader meets it: what goes in, what is expected, what is called and checked."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from reverie.scoring.keepability.signatures import kind_of

_IGNORED = re.compile(r"#\s*type:\s*ignore")
_RAISING = frozenset({"raises", "assertRaises", "assertRaisesRegex"})
_MADE_UP = frozenset({"object", "iter", "complex", "Counter", "bytearray", "set"})
_LEAST_MUDDLE = 3
_WEAK = frozenset({"assertIsNone", "assertIsNotNone", "assertNotEqual", "assertIsInstance"})
_QUESTIONS = frozenset({"isinstance", "issubclass", "callable", "hasattr"})
Function = ast.FunctionDef | ast.AsyncFunctionDef
Literal = str | bytes | int | float | complex


@dataclass(slots=True)
class Reading:
    """The parts of a test that its keepability hangs on."""

    name: str
    lines: int
    rows: int = 0
    inputs: list[Literal] = field(default_factory=list)
    expected: list[ast.expr] = field(default_factory=list)
    called: list[str] = field(default_factory=list)
    """Last names, in the order of the checks; those of setting up come last."""
    columns: dict[str, list[ast.expr]] = field(default_factory=dict)
    """The table of the test: values by the name that stands for them."""
    checks: list[ast.AST] = field(default_factory=list)
    arguments: list[tuple[str, int | str, ast.expr]] = field(default_factory=list)
    """What is given: to which callable, at which place or by which name."""
    odd_kinds: int = 0
    """Arguments that are made up to try what happens: patterns, bare objects, stand-ins."""
    flags: int = 0
    """`True`, `False` and `None` that are given without a name."""
    muddles: int = 0
    """Lists of numbers in no order."""
    errors: list[tuple[str, bool]] = field(default_factory=list)
    """Exceptions that are expected, and whether their message is looked at."""
    provoked: list[str] = field(default_factory=list)
    """Methods that are called where an exception is expected."""
    ignores: int = 0
    same: int = 0
    """Results that are expected to be what was given."""
    results: int = 0


def tests_in(source: str) -> dict[str, Function]:
    """The test functions of a file by name, those of a class as `Class.test`."""
    return dict(_tests(ast.parse(source).body, ""))


def _tests(body: Sequence[ast.stmt], place: str) -> Iterator[tuple[str, Function]]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _tests(node.body, f"{place}{node.name}.")
        elif isinstance(node, Function) and node.name.startswith("test"):
            yield f"{place}{node.name}", node


def read_test(node: Function, source: str) -> Reading:
    """Read a test; `source` is the text that it was parsed from."""
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    own = source.splitlines()[first - 1 : node.end_lineno]
    found = Reading(node.name, len(own), ignores=len(_IGNORED.findall("\n".join(own))))
    columns = _columns(node)
    wanted, given = _expected_names(node), _given_names(node)
    for values in columns:
        found.columns.update(values)
        found.rows = max(found.rows, len(next(iter(values.values()), [])))
        _take_rows(values, wanted, given, found)
    for statement in node.body:
        _take(statement, found)
    found.called = list(dict.fromkeys((*_called_in_checks(found), *_called(node))))
    return found


def _columns(node: Function) -> list[dict[str, list[ast.expr]]]:
    """Tables of the test: values by the name of their column."""
    tables = []
    for each in node.decorator_list:
        match each:
            case ast.Call(func=ast.Attribute(attr="parametrize"), args=[names, rows, *_]):
                tables.append(_table(_names(names), rows))
    return tables


def _names(node: ast.expr) -> list[str]:
    match node:
        case ast.Constant(value=str(text)):
            return [each.strip() for each in text.split(",") if each.strip()]
        case ast.Tuple(elts=several) | ast.List(elts=several):
            return [str(each.value) for each in several if isinstance(each, ast.Constant)]
    return []


def _table(names: list[str], rows: ast.expr) -> dict[str, list[ast.expr]]:
    found: dict[str, list[ast.expr]] = {name: [] for name in names}
    for row in rows.elts if isinstance(rows, ast.List | ast.Tuple) else []:
        if isinstance(row, ast.Call):  # pytest.param(…)
            cells = list(row.args)
        elif len(names) > 1 and isinstance(row, ast.Tuple | ast.List):
            cells = list(row.elts)
        else:
            cells = [row]
        for name, cell in zip(names, cells, strict=False):
            found[name].append(cell)
    return found


def _expected_names(node: Function) -> frozenset[str]:
    """Names that are only looked at: on the right of a comparison, in `match=`."""
    found: set[str] = set()
    for each in ast.walk(node):
        match each:
            case ast.Compare(comparators=[ast.Name(id=name)]):
                found.add(name)
            case ast.keyword(arg="match", value=ast.Name(id=name)):
                found.add(name)
    return frozenset(found)


def _given_names(node: Function) -> frozenset[str]:
    """Names that are handed to something that is called."""
    return frozenset(
        inner.id
        for each in ast.walk(node)
        if isinstance(each, ast.Call) and not _is_raising(each)
        for value in (*each.args, *(one.value for one in each.keywords))
        for inner in ast.walk(value)
        if isinstance(inner, ast.Name)
    )


def _take_rows(
    values: dict[str, list[ast.expr]], wanted: frozenset[str], given: frozenset[str], found: Reading
) -> None:
    inputs = {name: cells for name, cells in values.items() if name in given or name not in wanted}
    for cells in inputs.values():
        for cell in cells:
            _take_input(cell, found)
    for name in wanted & values.keys():
        for at, cell in enumerate(values[name]):
            found.expected.append(cell)
            found.results += 1
            taken = [ast.dump(cells[at]) for cells in inputs.values() if at < len(cells)]
            found.same += ast.dump(cell) in taken


def _take(statement: ast.AST, found: Reading) -> None:
    for node in ast.walk(statement):
        match node:
            case ast.Assert(test=test):
                found.checks.append(test)
                _take_check(test, found)
            case ast.With(items=items, body=body):
                for item in items:
                    _take_raising(item.context_expr, body, found)
            case ast.Call() if _is_assertion(node):
                found.checks.append(node)
                found.expected.extend(node.args[1:2])
                found.results += len(node.args) > 1
            case ast.Call() if not _is_raising(node):
                _take_call(node, found)


def _is_assertion(call: ast.Call) -> bool:
    """Whether it is an assertion of `unittest`, or one that a helper makes."""
    last = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    return last.startswith("assert") and last not in _RAISING


def _take_call(call: ast.Call, found: Reading) -> None:
    name = _last(call.func)
    places: list[tuple[int | str, ast.expr]] = [
        *enumerate(call.args),
        *((each.arg or "", each.value) for each in call.keywords),
    ]
    for place, value in places:
        found.arguments.append((name, place, value))
        _take_input(value, found, is_deep=False)
        found.flags += isinstance(place, int) and kind_of(value) in ("bool", "None")


def _last(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _take_check(test: ast.expr, found: Reading) -> None:
    match test:
        case ast.Compare(left=left, comparators=[right]):
            found.expected.append(right)
            found.results += 1
            given = [ast.dump(each) for node in ast.walk(left) if isinstance(node, ast.Call)
                     for each in node.args]  # fmt: skip
            found.same += ast.dump(right) in given


def _is_raising(call: ast.Call) -> bool:
    """Whether it is pytest that is called."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)
    return name in _RAISING or name == "parametrize"


def _take_raising(call: ast.expr, body: list[ast.stmt], found: Reading) -> None:
    if isinstance(call, ast.Call) and _is_raising(call) and call.args:
        found.checks.append(call)
        has_words = any(each.arg == "match" for each in call.keywords) or len(call.args) > 1
        match body[-1]:
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name))):
                found.provoked.append(name)
        found.errors.append((ast.unparse(call.args[0]).rpartition(".")[2], has_words))


def _take_input(value: ast.expr, found: Reading, *, is_deep: bool = True) -> None:
    """Literals of an argument; calls inside it are met by themselves where a test is walked."""
    match value:
        case ast.Constant(value=str() | bytes() | int() | float() | complex() as plain):
            if not isinstance(plain, bool):
                found.inputs.append(plain)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as plain)):
            found.inputs.append(-plain)
        case ast.List(elts=several) | ast.Tuple(elts=several) | ast.Set(elts=several):
            found.muddles += _is_muddle(several)
            for each in several:
                _take_input(each, found, is_deep=is_deep)
        case ast.Dict(keys=keys, values=values):
            for part in (*keys, *values):
                if part is not None:
                    _take_input(part, found, is_deep=is_deep)
        case ast.Name(id=name):
            found.odd_kinds += name == "failing" or name.endswith("StandIn")
        case ast.Call():
            found.odd_kinds += _last(value.func) in _MADE_UP or _last(value.func).endswith(
                "StandIn"
            )
            for each in (*value.args, *(one.value for one in value.keywords)) if is_deep else ():
                _take_input(each, found)
        case ast.Constant(value=other) if other is ...:
            found.odd_kinds += 1


def _is_muddle(several: list[ast.expr]) -> bool:
    numbers = [each for each in map(_number, several) if each is not None]
    if len(numbers) < len(several) or len(numbers) < _LEAST_MUDDLE:
        return False
    return numbers != sorted(numbers) and numbers != sorted(numbers, reverse=True)


def _number(node: ast.expr) -> float | None:
    match node:
        case ast.Constant(value=int() | float() as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
    return None


def _called(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        match each:
            case ast.Call(func=ast.Attribute(attr=name)) | ast.Call(func=ast.Name(id=name)):
                yield name


def _called_in_checks(found: Reading) -> Iterator[str]:
    for each in found.checks:
        yield from _called(each)


def says_nothing(found: Reading, valued: frozenset[str] = frozenset()) -> bool:
    """Whether no check would notice another result of the same kind.

    `valued`: callables that return something, so that None is an answer.
    """
    return all(_is_empty_check(each, valued) for each in found.checks)


def _is_empty_check(check: ast.AST, valued: frozenset[str]) -> bool:
    match check:
        case ast.Compare(ops=[ast.NotEq() | ast.IsNot()]):
            return True
        case ast.Compare(left=left, ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
            return not any(name in valued for name in _called(left))
        case ast.Compare(left=left, ops=[ast.LtE() | ast.GtE() | ast.Eq()], comparators=[right]):
            return ast.dump(left) == ast.dump(right)
        case ast.Call(func=ast.Name(id=name)):
            return name in _QUESTIONS
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in _WEAK
    return False
