"""The body of one chosen candidate: its calls, with arguments by name where that says more."""

import ast
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeGuard, TypeVar, cast

from reverie.dreamers.enrich.writing.wording.naming import snake
from reverie.dreamers.enrich.writing.wording.tables import Parameters, called
from reverie.syntax.nodes import Function, dotted_name
from reverie.syntax.parsing import fresh_module
from reverie.syntax.unparsing import unparse

_HARMLESS = frozenset({"staticmethod", "classmethod", "abstractmethod", "override", "cache",
                       "lru_cache"})  # fmt: skip


class Signatures:
    """The positional parameters of a module's callables, by the last part of their name."""

    def __init__(self, functions: Mapping[str, Function]) -> None:
        self._known: dict[str, list[Function]] = {}
        for name, function in functions.items():
            owner, _, last = name.rpartition(".")
            key = owner.rpartition(".")[2] if last == "__init__" else last
            self._known.setdefault(key, []).append(function)

    def default(self, name: str, parameter: str) -> str | None:
        """What a parameter is unless something is given, as source; None where nobody knows."""
        found = {_default(each, parameter) for each in self._known.get(name, [])}
        return found.pop() if len(found) == 1 else None

    def of(self, name: str) -> tuple[list[str], frozenset[str]] | None:
        """Names in order, empty for one that has to go by position, and which have a default.

        None where a name does not say which callable it is, or a decorator may have other ones.
        """
        found = self._known.get(name, [])
        read = [_parameters(each) for each in found]
        return read[0] if read and None not in read and read.count(read[0]) == len(read) else None


def _default(function: Function, parameter: str) -> str | None:
    given = (*function.args.posonlyargs, *function.args.args)
    pairs = [
        *zip(reversed(given), reversed(function.args.defaults), strict=False),
        *zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True),
    ]
    return next((unparse(d) for each, d in pairs if each.arg == parameter and d), None)


def _parameters(function: Function) -> tuple[list[str], frozenset[str]] | None:
    decorators = {unparse(each).partition("(")[0] for each in function.decorator_list}
    if {each.rpartition(".")[2] for each in decorators} - _HARMLESS or function.args.vararg:
        return None
    names = [*("" for _ in function.args.posonlyargs), *(each.arg for each in function.args.args)]
    optional = frozenset(names[len(names) - len(function.args.defaults) :])
    first = (*function.args.posonlyargs, *function.args.args)[:1]
    is_bound = bool(first) and first[0].arg in ("self", "cls")
    return names[1:] if is_bound else names, optional


def with_keywords(body: Iterable[ast.stmt], signatures: Signatures) -> list[ast.stmt]:
    """The statements with flags, and options behind the first argument, given by name."""
    naming = _Naming(signatures)
    return [naming.visit(statement) for statement in body]


class _Naming(ast.NodeTransformer):
    def __init__(self, signatures: Signatures) -> None:
        self.signatures = signatures

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        held = node.func.value if isinstance(node.func, ast.Attribute) else None
        found = None if isinstance(held, ast.Constant) else self.signatures.of(called(node))
        if found is None or any(isinstance(each, ast.Starred) for each in node.args):
            return node
        names, optional = found
        place = _first_mute(node.args, names, optional)
        rest = names[place : len(node.args)]
        if place < len(node.args) <= len(names) and all(rest):
            moved = zip(rest, node.args[place:], strict=True)
            node.keywords = [*(ast.keyword(*each) for each in moved), *node.keywords]
            del node.args[place:]
        node.keywords = [
            each
            for each in node.keywords
            if each.arg is None
            or not isinstance(each.value, ast.Constant)
            or unparse(each.value) != self.signatures.default(called(node), each.arg)
        ]
        return node


def _first_mute(given: Sequence[ast.expr], names: Sequence[str], optional: frozenset[str]) -> int:
    """The place of the first argument that says nothing; behind the last where each says enough."""
    for place, (value, name) in enumerate(zip(given, names, strict=False)):
        is_optional = name in optional
        is_flag = _is_flag(value) and (place > 0 or is_optional)
        # `Version(1, 9, 1)` reads by itself
        is_number = is_optional and _is_number(value) and not any(map(_is_number, given[:place]))
        is_said = isinstance(value, ast.Lambda) or _is_text(value)
        is_option = is_optional and place > 0 and is_said
        if is_flag or is_number or is_option:
            return place
    return len(given)


def _is_flag(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, bool | None)


def _is_text(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _is_number(value: ast.expr) -> bool:
    value = value.operand if isinstance(value, ast.UnaryOp) else value
    return isinstance(value, ast.Constant) and type(value.value) in (int, float)


Node = TypeVar("Node", bound=ast.AST)
Statement = TypeVar("Statement", bound=ast.stmt)
_BINARY: dict[type[ast.operator], str] = {
    ast.Add: "__add__", ast.Sub: "__sub__", ast.Mult: "__mul__", ast.BitAnd: "__and__",
    ast.BitOr: "__or__", ast.BitXor: "__xor__", ast.Mod: "__mod__", ast.Div: "__truediv__",
}  # fmt: skip
_WRAPPED = {"len": "__len__", "repr": "__repr__", "hash": "__hash__"}
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_ROW_CHARACTERS = 150
"""A longer line is better told as a story."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The body of one chosen candidate. `key` finds it again when it has to go."""

    key: int
    callee: str
    body: tuple[ast.stmt, ...]
    arcs: frozenset[tuple[int, int]] = frozenset()
    """Steps through the module."""
    raised_at: int | None = None
    """The line of the module that raised, if one did."""
    is_known: bool = False
    """Whether people wrote it: an example of the documentation, a test, a call."""
    weight: int = 0
    """How many mutants it notices."""

    @property
    def is_example(self) -> bool:
        """Whether it is a single line that says all."""
        return len(self.body) == 1 and isinstance(self.body[0], ast.Assert)

    @property
    def is_story(self) -> bool:
        """Whether something is arranged first."""
        return len(self.body) > 1

    @property
    def exception(self) -> str | None:
        """What has to be raised."""
        for statement in self.body:
            for node in ast.walk(statement):
                is_raising = (
                    isinstance(node, ast.Call) and dotted_name(node.func) == "pytest.raises"
                )
                if is_raising and isinstance(node, ast.Call) and node.args:
                    return unparse(node.args[0])
        return None

    @property
    def match(self) -> str:
        """What the message of the exception has to be like; empty where nobody asks."""
        for statement in self.body:
            for node in ast.walk(statement):
                match node:
                    case ast.keyword(arg="match", value=ast.Constant(value=str(text))):
                        return text
        return ""

    @property
    def expected(self) -> ast.expr | None:
        """What the last line compares with."""
        last = self.body[-1]
        if isinstance(last, ast.Assert) and isinstance(last.test, ast.Compare):
            return last.test.comparators[-1]
        return None

    @property
    def part(self) -> str:
        """What is looked at of the result, where it is not the whole: `base_version`, `__len__`."""
        last = self.body[-1]
        test = last.test if isinstance(last, ast.Assert) else None
        left = test.left if isinstance(test, ast.Compare) else test
        is_class = self._name[:1].isupper()
        if is_class and isinstance(test, ast.Compare) and isinstance(test.ops[0], _ORDERS):
            return "order"
        if is_class and isinstance(left, ast.BinOp):
            return _BINARY.get(type(left.op), "")
        if is_class and left is not None and _is_backwards(left):
            return "__reversed__"
        if isinstance(left, ast.Call) and isinstance(left.func, ast.Name):
            wrapped = _WRAPPED.get(left.func.id, "")
            return wrapped if is_class or wrapped == "__len__" else ""
        return _accessor(left, self._name)

    @property
    def _name(self) -> str:
        """What is called: of a constructor, the class."""
        owner, _, name = self.callee.rpartition(".")
        return owner.rpartition(".")[2] if name == "__init__" else name

    @property
    def own_calls(self) -> list[ast.Call]:
        """The calls of what the entry is about."""
        return [
            node
            for statement in self.body
            for node in ast.walk(statement)
            if isinstance(node, ast.Call) and called(node) == self._name
        ]

    @property
    def arguments(self) -> list[ast.expr]:
        """What the callee is given."""
        return [
            value
            for call in self.own_calls
            for value in (*call.args, *(each.value for each in call.keywords))
        ]

    def flags(self, parameters: Parameters) -> dict[str, ast.expr]:
        """What could have been left out and is given by name."""
        optional = parameters.optional.get(self.callee.rpartition(".")[2], frozenset())
        return {
            each.arg: each.value
            for call in self.own_calls
            for each in call.keywords
            if each.arg and (each.arg in optional or not parameters.by_name)
        } or self._makers_flags(parameters)

    def _makers_flags(self, parameters: Parameters) -> dict[str, ast.expr]:
        """What the object is made with that could have been left out, where one is made."""
        owner = self.callee.rpartition(".")[0].rpartition(".")[2]
        calls = [
            node
            for statement in self.body
            for node in ast.walk(statement)
            if owner and isinstance(node, ast.Call) and called(node) == owner
        ]
        optional = parameters.optional.get(owner, frozenset())
        named = calls[0].keywords if len(calls) == 1 else []
        return {each.arg: each.value for each in named if each.arg and each.arg in optional}

    @property
    def earlier(self) -> list[str]:
        """What was done to the object before, in order."""
        found: list[str] = []
        known = {
            each.id
            for statement in self.body
            if isinstance(statement, ast.Assign)
            for each in statement.targets
            if isinstance(each, ast.Name)
        }
        for statement in self.body[:-1]:
            if isinstance(statement, ast.Assign) and isinstance(
                statement.targets[0], ast.Subscript
            ):
                found.append("setting_an_item")
            elif isinstance(statement, ast.Delete):
                found.append("deleting_an_item")
            else:
                calls = [node for node in ast.walk(statement) if isinstance(node, ast.Call)]
                found += [snake(called(node)) for node in calls if _object(node) in known]
        own = snake(self.callee.rpartition(".")[2])
        return list(dict.fromkeys(each for each in found if each and each != own))


def _is_backwards(node: ast.expr) -> bool:
    """`list(reversed(x))`."""
    match node:
        case ast.Call(func=ast.Name(), args=[ast.Call(func=ast.Name(id="reversed"))]):
            return True
    return False


def _accessor(node: ast.expr | None, own: str) -> str:
    """The first thing that is read of a result: of `f(x).named["a"]`, `named`."""
    found = ""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        if isinstance(node, ast.Call):
            if called(node) == own or not isinstance(node.func, ast.Attribute):
                break
            node = node.func
            if isinstance(node.value, ast.Name) and node.value.id in sys.stdlib_module_names:
                break  # `pickle.loads(…)` is no part of what is loaded
        found = node.attr if isinstance(node, ast.Attribute) else "item"
        node = node.value
    return found


def about_part(entry: Entry) -> Entry:
    """What is looked at of a new object is about that part of its class."""
    owner = entry.callee.removesuffix(".__init__")
    is_class = owner.rpartition(".")[2][:1].isupper()
    is_part = is_class and entry.part not in ("", "order", "item") and entry.exception is None
    return replace(entry, callee=f"{owner}.{entry.part}") if is_part else entry


def _object(call: ast.Call) -> str:
    """The name of the object that a method is called on."""
    held = call.func.value if isinstance(call.func, ast.Attribute) else None
    return held.id if isinstance(held, ast.Name) else ""


def flattened(entry: Entry, most: int = _ROW_CHARACTERS) -> Entry:
    """A story that only makes what its last line uses, as that line alone, if it is that short."""
    values: dict[str, ast.expr] = {}
    for statement in entry.body[:-1]:
        is_made = isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
        if not is_made or not isinstance(statement, ast.Assign):
            return entry
        name = unparse(statement.targets[0])
        uses = [node.id for each in entry.body for node in ast.walk(each) if _is_read(node)]
        if uses.count(name) != 1:
            return entry
        values[name] = inlined(_copied(statement).value, values)
    last = inlined(_copied(entry.body[-1]), values)
    is_short = len(unparse(last)) <= most
    return replace(entry, body=(last,)) if values and is_short else entry


def _copied(statement: Statement) -> Statement:
    return cast(Statement, fresh_module(unparse(statement)).body[0])


def _is_read(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)


def inlined(node: Node, values: Mapping[str, ast.expr]) -> Node:
    """A node with values in the places of names."""
    return cast(Node, _Inlining(values).visit(node))


class _Inlining(ast.NodeTransformer):
    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self.values.get(node.id, node)


def merged_body(entries: Sequence[Entry]) -> tuple[ast.stmt, ...]:
    """The lines of several entries, one after the other."""
    return tuple(statement for entry in entries for statement in entry.body)
