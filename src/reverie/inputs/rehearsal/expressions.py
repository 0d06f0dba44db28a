"""The value of an expression in a rehearsal, as far as it is plain.

A rehearsal knows plain values, instances of the code's classes, and nothing of all others.
"""

import ast
import collections.abc
import datetime
import decimal
import operator
import pathlib
import re
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from reverie.inputs.evaluate import NotMadeHere, evaluate
from reverie.inputs.scope import ClassRef, External, Scope
from reverie.model.call import Expression
from reverie.syntax.nodes import dotted_name
from reverie.syntax.unparsing import unparse


class Unknown:
    """A value of which nothing is known; an `Opaque` one is at least not None."""

    def __repr__(self) -> str:
        return type(self).__name__


class Opaque(Unknown):
    """Something that is there."""


UNKNOWN = Unknown()
OPAQUE = Opaque()


@dataclass(eq=False, slots=True)
class Instance:
    """An instance of a class of the code; attributes that are not here are unknown."""

    found: ClassRef
    attributes: dict[str, Any] = field(default_factory=dict)


SCALARS: tuple[type, ...] = (type(None), bool, int, float, complex, str, bytes, range)
MOMENTS: tuple[type, ...] = (datetime.date, datetime.time, datetime.timedelta, datetime.tzinfo,
                             decimal.Decimal, uuid.UUID, pathlib.PurePath)  # fmt: skip
HOLDERS = (list, tuple, dict, set, frozenset)
_MODULES = frozenset({"datetime", "decimal", "uuid", "pathlib"})
_LONGEST = 2000
_DEEPEST = 6

_UNMADE = (NotMadeHere, ValueError, TypeError, ArithmeticError, AttributeError, SyntaxError,
           LookupError, ImportError, MemoryError, RecursionError)  # fmt: skip

TYPES: dict[str, Any] = {
    **{each.__name__: each for each in (*SCALARS[1:], *HOLDERS)},
    "datetime.datetime": datetime.datetime, "datetime.date": datetime.date,
    "datetime.time": datetime.time, "datetime.timedelta": datetime.timedelta,
    "datetime.tzinfo": datetime.tzinfo, "datetime.timezone": datetime.timezone,
    "decimal.Decimal": decimal.Decimal, "uuid.UUID": uuid.UUID, "pathlib.Path": pathlib.Path,
    "os.PathLike": pathlib.PurePath, "re.Pattern": re.Pattern, "NoneType": type(None),
    "bytearray": bytearray, "memoryview": memoryview,
} | {
    name: getattr(collections.abc, name)
    for name in ("Mapping", "MutableMapping", "Sequence", "MutableSequence", "Iterable", "Sized",
                 "Callable", "Hashable", "Container", "Collection", "Set", "Iterator", "Generator")
}  # fmt: skip
"""Types that a guard asks for and a plain value can be held against."""


def value_of(expression: Expression) -> Any:
    """The value of an argument, when it is plain."""
    if expression.names or expression.definitions or not expression.modules <= _MODULES:
        return OPAQUE
    try:
        return evaluate(expression)
    except _UNMADE:
        return UNKNOWN


def is_known(value: Any, depth: int = 0) -> bool:
    """Whether a value is plain all the way down, and small."""
    if isinstance(value, HOLDERS):
        if len(value) > _LONGEST or depth > _DEEPEST:
            return False
        parts: Iterable[Any] = value
        if isinstance(value, Mapping):
            parts = (*value.keys(), *value.values())
        return all(is_known(each, depth + 1) for each in parts)
    if isinstance(value, str | bytes):
        return len(value) <= _LONGEST
    return isinstance(value, (*SCALARS, *MOMENTS))


def truth(value: Any) -> bool | None:
    """Whether a value counts as true; None when that is not known."""
    if isinstance(value, HOLDERS):
        return bool(value)
    return bool(value) if is_known(value) else None


def is_instance(value: Any, kind: Any) -> bool | None:
    """`isinstance` of a plain value; None when that is not known."""
    if isinstance(kind, tuple):
        answers = [is_instance(value, each) for each in kind]
        return True if True in answers else None if None in answers else False
    if isinstance(value, Instance) and isinstance(kind, ClassRef):
        return True if value.found.node is kind.node else None
    if not (is_known(value) or isinstance(value, HOLDERS)):
        return None
    if isinstance(kind, ClassRef):
        return None if any("Protocol" in unparse(each) for each in kind.node.bases) else False
    return isinstance(value, kind) if isinstance(kind, type) else None


def has_no_order(name: str, args: list[Any]) -> bool:
    """Whether the answer would follow the order of a set, which is another in every process."""
    return name in ("list", "tuple", "str") and any(
        isinstance(each, set | frozenset) for each in args
    )


def quantified(stops_at: bool, answers: list[Any]) -> Any:
    """`any` or `all` of what is partly unknown."""
    found = [truth(each) for each in answers]
    if stops_at in found:
        return stops_at
    return UNKNOWN if None in found else not stops_at


_MOST_STEPS = 4000
_MOST_ITEMS = 200
_LARGEST_FACTOR = 1000
_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
}  # fmt: skip
_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge, ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}  # fmt: skip
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    each.__name__: each
    for each in (len, any, all, bool, list, tuple, set, dict, sorted, min, max, abs, callable, int,
                 float, str)
}  # fmt: skip
_METHODS = frozenset(
    ("isidentifier", "startswith", "endswith", "lower", "upper", "strip", "lstrip", "rstrip",
     "replace", "split", "rsplit", "partition", "rpartition", "isdigit", "isalpha", "isalnum",
     "isspace", "isupper", "islower", "isascii", "isnumeric", "isdecimal", "find", "rfind", "index",
     "count", "get", "keys", "values", "items", "copy", "append", "extend", "insert", "add",
     "update", "setdefault", "utcoffset", "total_seconds", "removeprefix", "removesuffix",
     "casefold", "title", "is_absolute", "issubset", "issuperset", "union")
)  # fmt: skip
_ERRORS = (ArithmeticError, ValueError, LookupError, MemoryError, AttributeError, RuntimeError)


class Lost(Exception):
    """The rehearsal cannot tell which way the code goes, or has gone on for too long."""


class Refused(Exception):
    """The code raises; the argument is the name of the error."""


class Expressions:
    """Follows the expressions of one function. `names` are its variables."""

    def __init__(self, scope: Scope, names: dict[str, Any], steps: list[int]) -> None:
        self.scope = scope
        self.names = names
        self.steps = steps

    def value(self, node: ast.expr | None) -> Any:
        """The value of an expression, or what stands for not knowing it."""
        self.steps[0] += 1
        if self.steps[0] > _MOST_STEPS:
            raise Lost
        follow = getattr(self, f"_{type(node).__name__.lower()}", None)
        return UNKNOWN if follow is None else follow(node)

    def truth(self, node: ast.expr) -> bool | None:
        """Whether a condition holds; None when that is not known."""
        return truth(self.value(node))

    def _constant(self, node: ast.Constant) -> Any:
        return node.value

    def _name(self, node: ast.Name) -> Any:
        return self.names[node.id] if node.id in self.names else self.named(node)

    def named(self, node: ast.expr) -> Any:
        """What a name of the module means: a type, a class, a constant."""
        meaning = self.scope.find(node)
        if isinstance(meaning, ClassRef):
            return meaning
        if isinstance(meaning, External):
            return TYPES.get(meaning.name, UNKNOWN)
        if isinstance(meaning.node, ast.Constant | ast.Tuple):
            return Expressions(meaning.scope, {}, self.steps).value(meaning.node)
        return UNKNOWN

    def _attribute(self, node: ast.Attribute) -> Any:
        if dotted_name(node) and unparse(node).partition(".")[0] not in self.names:
            return self.named(node)
        owner = self.value(node.value)
        if isinstance(owner, Instance):
            return owner.attributes.get(node.attr, UNKNOWN)
        if isinstance(owner, MOMENTS) and not node.attr.startswith("_"):
            found = getattr(owner, node.attr, UNKNOWN)
            return found if is_known(found) else UNKNOWN
        return UNKNOWN

    def _list(self, node: ast.List) -> Any:
        return self._listed(node.elts)

    def _tuple(self, node: ast.Tuple) -> Any:
        held = self._listed(node.elts)
        return tuple(held) if isinstance(held, list) else held

    def _listed(self, parts: list[ast.expr]) -> Any:
        if any(isinstance(each, ast.Starred) for each in parts):
            return OPAQUE
        return [self.value(each) for each in parts]

    def _set(self, node: ast.Set) -> Any:
        held = self._listed(node.elts)
        return self._done(set, held) if is_known(held) else OPAQUE

    def _dict(self, node: ast.Dict) -> Any:
        keys = [UNKNOWN if each is None else self.value(each) for each in node.keys]
        values = [self.value(each) for each in node.values]
        return self._done(dict, zip(keys, values, strict=True)) if is_known(keys) else OPAQUE

    def _lambda(self, node: ast.Lambda) -> Any:
        return OPAQUE

    def _joinedstr(self, node: ast.JoinedStr) -> Any:
        return OPAQUE

    def _namedexpr(self, node: ast.NamedExpr) -> Any:
        found = self.value(node.value)
        self.names[node.target.id] = found
        return found

    def _ifexp(self, node: ast.IfExp) -> Any:
        holds = self.truth(node.test)
        return UNKNOWN if holds is None else self.value(node.body if holds else node.orelse)

    def _boolop(self, node: ast.BoolOp) -> Any:
        stops_at = isinstance(node.op, ast.Or)
        found: Any = UNKNOWN
        is_open = False
        for each in node.values:
            found = self.value(each)
            holds = truth(found)
            if holds is stops_at:
                return found if not is_open else stops_at
            is_open = is_open or holds is None
        return UNKNOWN if is_open else found

    def _unaryop(self, node: ast.UnaryOp) -> Any:
        if isinstance(node.op, ast.Not):
            holds = self.truth(node.operand)
            return UNKNOWN if holds is None else not holds
        found = self.value(node.operand)
        is_number = isinstance(found, int | float)
        return -found if is_number and isinstance(node.op, ast.USub) else UNKNOWN

    def _binop(self, node: ast.BinOp) -> Any:
        left, right = self.value(node.left), self.value(node.right)
        follow = _OPERATORS.get(type(node.op))
        if follow is None or not is_known([left, right]):
            return UNKNOWN
        factors = [abs(each) for each in (left, right) if isinstance(each, int | float)]
        if isinstance(node.op, ast.Mult) and any(each > _LARGEST_FACTOR for each in factors):
            return OPAQUE
        if isinstance(node.op, ast.Mod) and isinstance(left, str | bytes):
            return OPAQUE
        return self._done(follow, left, right)

    def _compare(self, node: ast.Compare) -> Any:
        left = self.value(node.left)
        for op, each in zip(node.ops, node.comparators, strict=True):
            right = self.value(each)
            holds = self._compared(left, op, right)
            if holds is not True:
                return UNKNOWN if holds is None else False
            left = right
        return True

    def _compared(self, left: Any, op: ast.cmpop, right: Any) -> bool | None:
        if isinstance(op, ast.Is | ast.IsNot):
            same = _is_same(left, right)
            return same if same is None or isinstance(op, ast.Is) else not same
        if isinstance(right, dict) and isinstance(op, ast.In | ast.NotIn):
            right = list(right)
        if not is_known(left) or not is_known(right):
            return None
        answer = self._done(_COMPARISONS[type(op)], left, right)
        return answer if isinstance(answer, bool) else None

    def _subscript(self, node: ast.Subscript) -> Any:
        owner = self.value(node.value)
        if not isinstance(owner, list | tuple | dict | str):
            return UNKNOWN
        if isinstance(node.slice, ast.Slice):
            ends = [node.slice.lower, node.slice.upper, node.slice.step]
            found = [None if each is None else self.value(each) for each in ends]
            is_plain = is_known(found) and not isinstance(owner, dict)
            return self._done(operator.getitem, owner, slice(*found)) if is_plain else UNKNOWN
        index = self.value(node.slice)
        return self._done(operator.getitem, owner, index) if is_known(index) else UNKNOWN

    def _listcomp(self, node: "ast.ListComp | ast.GeneratorExp") -> Any:
        loop = node.generators[0]
        if len(node.generators) > 1 or not isinstance(loop.target, ast.Name):
            return OPAQUE
        found = []
        inner = type(self)(self.scope, dict(self.names), self.steps)
        for item in items_of(self.value(loop.iter)):
            inner.names[loop.target.id] = item
            kept = [inner.truth(each) for each in loop.ifs]
            if None in kept:
                return OPAQUE
            if all(kept):
                found.append(inner.value(node.elt))
        return found

    def _generatorexp(self, node: ast.GeneratorExp) -> Any:
        try:
            return self._listcomp(node)
        except Refused:
            return UNKNOWN  # it is not certain that it is read so far

    def _call(self, node: ast.Call) -> Any:
        args = [self.value(each) for each in node.args if not isinstance(each, ast.Starred)]
        is_whole = len(args) == len(node.args) and not node.keywords
        match node.func:
            case ast.Name("isinstance") if is_whole and len(args) == 2:
                answer = is_instance(args[0], args[1])
                return UNKNOWN if answer is None else answer
            case ast.Name("any" | "all" as name) if is_whole and isinstance(args[0], list):
                return quantified(name == "any", args[0])
            case ast.Name("len") if is_whole and isinstance(args[0], HOLDERS):
                return len(args[0])
            case ast.Name(name) if name in _FUNCTIONS and name not in self.names:
                is_plain = is_whole and is_known(args) and not has_no_order(name, args)
                return self._done(_FUNCTIONS[name], *args) if is_plain else OPAQUE
            case ast.Attribute(value=owner, attr=name) if name in _METHODS and is_whole:
                return self._method(self.value(owner), name, args)
        return self.called(node)

    def called(self, node: ast.Call) -> Any:
        """What any other call gives."""
        return UNKNOWN

    def _method(self, owner: Any, name: str, args: list[Any]) -> Any:
        if isinstance(owner, list) and name in ("append", "insert", "extend"):
            return self._done(getattr(owner, name), *args) if name != "extend" else UNKNOWN
        is_plain = is_known(owner) and is_known(args) and hasattr(owner, name)
        return self._done(getattr(owner, name), *args) if is_plain else UNKNOWN

    def _done(self, function: Callable[..., Any], *args: Any) -> Any:
        """What a plain function gives; a `TypeError` of plain values is the code's own."""
        try:
            return function(*args)
        except TypeError:
            _refuse("TypeError")
        except _ERRORS as error:
            _refuse(type(error).__name__)


def _refuse(name: str) -> NoReturn:
    raise Refused(name)


def _is_same(left: Any, right: Any) -> bool | None:
    """Identity is certain with None, and for truth values."""
    if left is OPAQUE or right is OPAQUE:
        return False if left is None or right is None else None
    if isinstance(left, Instance) or isinstance(right, Instance):
        return left is right if left is None or right is None else None
    if not is_known(left) or not is_known(right):
        return None
    single = (type(None), bool)
    return left is right if isinstance(left, single) or isinstance(right, single) else None


def items_of(value: Any) -> Iterator[Any]:
    """What is looped over; a set has no order that could be relied on."""
    if isinstance(value, set | frozenset) or not isinstance(value, (*HOLDERS, str, range)):
        raise Lost
    if len(value) > _MOST_ITEMS:
        raise Lost
    yield from list(value)
