"""One test as a reader meets it: what goes in, what is expected, what is called and checked.

Signatures say which kinds of values the parameters of a module's callables take, as far as it says.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from reverie.syntax.nodes import Function, kind_of_display
from reverie.syntax.parsing import parse_expression, parse_module
from reverie.syntax.unparsing import unparse

_PLAIN = frozenset({"str", "bytes", "int", "float", "bool", "list", "dict", "set", "tuple", "None"})
_ALIKE = {"List": "list", "Dict": "dict", "Set": "set", "Tuple": "tuple", "Sequence": "list",
          "Iterable": "list", "Mapping": "dict", "StrPath": "str"}  # fmt: skip
_WIDER = {"int": {"bool"}, "float": {"int", "bool"}, "list": {"tuple", "set", "str", "dict"},
          "str": set(), "dict": set(), "tuple": {"list"}, "set": {"list"}}  # fmt: skip
_TEXTS = re.compile(
    r"(^|_)(file_?name|path|name|text|string|str|word|key|message|msg|title|prefix|suffix|pattern|"
    r"format|encoding|charset|url|line|label|salt)$"
)
"""Parameters that people give texts, where nothing says what they take."""


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters of a callable in their order, without `self`: the kinds that each takes."""

    names: tuple[str, ...]
    kinds: tuple[frozenset[str], ...]
    """Empty where anything may be given."""

    def is_unfit(self, place: int | str, given: str) -> bool:
        """Whether a value of a kind is not what the parameter, by place or name, takes."""
        at = self.names.index(place) if place in self.names else place
        if not isinstance(at, int) or at >= len(self.kinds) or not self.kinds[at]:
            return False
        return given not in self.kinds[at]


def signatures_of(tree: ast.Module) -> dict[str, Signature]:
    """By the last name of a callable, a class with its constructor's; not where two share one."""
    found: dict[str, Signature] = {}
    twice = set()
    for name, node, is_method in _callables(tree):
        if name in found:
            twice.add(name)
        found[name] = _signature(node, is_method)
    return {name: each for name, each in found.items() if name not in twice}


def kind_of(node: ast.expr) -> str | None:
    """The kind of a value as it is written; None where that cannot be seen."""
    match node:
        case ast.UnaryOp(operand=ast.Constant(value=int() | float() as value)):
            return type(value).__name__
        case ast.Call(func=ast.Name(id="set" | "list" | "dict" | "tuple" as name)):
            return name
        case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr=name)) if module in (
            "io", "re", "pathlib", "collections", "datetime", "decimal", "fractions",
        ):  # fmt: skip
            return "str" if module == "pathlib" else name
    return kind_of_display(node)


def _callables(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef, bool]]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node, False
        elif isinstance(node, ast.ClassDef):
            for each in node.body:
                if isinstance(each, ast.FunctionDef):
                    yield (node.name if each.name == "__init__" else each.name), each, True


def _signature(node: ast.FunctionDef, is_method: bool) -> Signature:
    given = [*node.args.posonlyargs, *node.args.args]
    without = [None] * (len(given) - len(node.args.defaults))
    pairs = list(zip(given, [*without, *node.args.defaults], strict=True))
    static = any(unparse(each) == "staticmethod" for each in node.decorator_list)
    pairs = pairs[1:] if is_method and not static else pairs
    pairs += zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    names = tuple(each.arg for each, _ in pairs)
    return Signature(names, tuple(_kinds(each, default) for each, default in pairs))


def _kinds(parameter: ast.arg, default: ast.expr | None) -> frozenset[str]:
    if parameter.annotation is not None:
        return _annotated(parameter.annotation)
    kind = None if default is None else kind_of(default)
    if kind in _PLAIN - {"None"}:
        return frozenset({str(kind), "None"} | _WIDER.get(str(kind), set()))
    if _TEXTS.search(parameter.arg):
        return frozenset({"str", "bytes", "None"})
    return frozenset()


def _annotated(node: ast.expr) -> frozenset[str]:
    """The plain kinds of an annotation; none where a part of it may be anything."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            return _annotated(parse_expression(node.value))
        except SyntaxError:
            return frozenset()
    match node:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            parts = [_annotated(left), _annotated(right)]
            return frozenset().union(*parts) if all(parts) else frozenset()
        case ast.Subscript(value=value, slice=inner):
            name = unparse(value).rpartition(".")[2]
            if name in ("Optional", "Union"):
                several = inner.elts if isinstance(inner, ast.Tuple) else [inner]
                parts = [_annotated(each) for each in several]
                more = {"None"} if name == "Optional" else set[str]()
                return frozenset(more).union(*parts) if all(parts) else frozenset()
            return _annotated(value)
        case ast.Constant(value=None):
            return frozenset({"None"})
    name = unparse(node).rpartition(".")[2]
    name = _ALIKE.get(name, name)
    return frozenset({name} | _WIDER.get(name, set())) if name in _PLAIN else frozenset()


_IGNORED = re.compile(r"#\s*type:\s*ignore")
_RAISING = frozenset({"raises", "assertRaises", "assertRaisesRegex"})
_MADE_UP = frozenset({"object", "iter", "complex", "Counter", "bytearray", "set"})
_LEAST_MUDDLE = 3
_WEAK = frozenset({"assertIsNone", "assertIsNotNone", "assertNotEqual", "assertIsInstance"})
_QUESTIONS = frozenset({"isinstance", "issubclass", "callable", "hasattr"})
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
    muddles: list[tuple[float, ...]] = field(default_factory=list)
    """Lists of numbers in no order."""
    made_up: list[str] = field(default_factory=list)
    """What arguments are made by that few people would give: `iter`, `object`."""
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
    return dict(_tests(parse_module(source).body, ""))


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
            # of nothing comes nothing: an edge that people test
            found.same += ast.dump(right) in given and not _is_empty(right)


def _is_raising(call: ast.Call) -> bool:
    """Whether it is pytest that is called."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else unparse(call.func)
    return name in _RAISING or name == "parametrize"


def _take_raising(call: ast.expr, body: list[ast.stmt], found: Reading) -> None:
    if isinstance(call, ast.Call) and _is_raising(call) and call.args:
        found.checks.append(call)
        has_words = any(each.arg == "match" for each in call.keywords) or len(call.args) > 1
        match body[-1]:
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name))):
                found.provoked.append(name)
        found.errors.append((unparse(call.args[0]).rpartition(".")[2], has_words))


def _take_input(value: ast.expr, found: Reading, *, is_deep: bool = True) -> None:
    """Literals of an argument; calls inside it are met by themselves where a test is walked."""
    match value:
        case ast.Constant(value=str() | bytes() | int() | float() | complex() as plain):
            if not isinstance(plain, bool):
                found.inputs.append(plain)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as plain)):
            found.inputs.append(-plain)
        case ast.List(elts=several) | ast.Tuple(elts=several) | ast.Set(elts=several):
            found.muddles += _muddle(several)
            for each in several:
                _take_input(each, found, is_deep=is_deep)
        case ast.Dict(keys=keys, values=values):
            for part in (*keys, *values):
                if part is not None:
                    _take_input(part, found, is_deep=is_deep)
        case ast.Name(id=name):
            found.odd_kinds += name == "failing" or name.endswith("StandIn")
        case ast.Call():
            name = _last(value.func)
            found.odd_kinds += name.endswith("StandIn")
            found.made_up += [name] if name in _MADE_UP else []
            for each in (*value.args, *(one.value for one in value.keywords)) if is_deep else ():
                _take_input(each, found)
        case ast.Constant(value=other) if other is ...:
            found.odd_kinds += 1


def _is_empty(node: ast.expr) -> bool:
    is_display = isinstance(node, ast.List | ast.Tuple | ast.Set) and not node.elts
    return is_display or unparse(node) in ("{}", "''", "b''")


def _muddle(several: list[ast.expr]) -> list[tuple[float, ...]]:
    """The numbers, if that is all there is and they are in no order."""
    numbers = [each for each in map(_number, several) if each is not None]
    if len(numbers) < len(several) or len(numbers) < _LEAST_MUDDLE:
        return []
    is_ordered = numbers in (sorted(numbers), sorted(numbers, reverse=True))
    return [] if is_ordered else [tuple(numbers)]


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
