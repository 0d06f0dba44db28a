"""Source that may go into a test file: literals, constructor calls, stable messages.

A value that the code under test has shown is its claim. It is parsed again here, and let in only
as far as every node of it is a literal, a constructor that is known to be harmless, or a name that
the module itself defines.

A `repr` names every argument and leaves none out. Arguments that can go by position do, and
those at the end that say nothing (`None`, `False`, an empty text) are dropped.

What the module's author wrote as text stays; what was filled in (values, addresses, paths) and
what Python itself says about a mistake, which changes from version to version, does not.
"""

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from reverie.model.call import Expression
from reverie.syntax.nodes import dotted_name
from reverie.syntax.parsing import NOT_PYTHON, fresh_expression, fresh_module, parse_expression
from reverie.syntax.unparsing import unparse

_CONSTRUCTORS = frozenset(
    {"set", "frozenset", "bytearray", "float", "complex", "range", "dict", "list", "tuple", "slice",
     "object", "datetime.date", "datetime.datetime", "datetime.time", "datetime.timedelta",
     "datetime.timezone", "decimal.Decimal", "fractions.Fraction", "collections.OrderedDict",
     "collections.deque", "collections.Counter", "collections.defaultdict", "uuid.UUID",
     "pathlib.PurePosixPath", "pathlib.PurePath", "pathlib.PosixPath", "pathlib.Path",
     "types.SimpleNamespace", "types.MappingProxyType", "array.array", "zoneinfo.ZoneInfo",
     "ipaddress.ip_address", "ipaddress.IPv4Address", "ipaddress.IPv6Address", "bytes", "int",
     "str", "bool", "Ellipsis", "NotImplemented", "datetime.timezone.utc", "memoryview"}
)  # fmt: skip
_PLAIN = (
    ast.Expression, ast.Constant, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Load, ast.keyword,
    ast.USub, ast.UAdd, ast.Add, ast.Sub,
)  # fmt: skip
_NOBODY: frozenset[str] = frozenset()
_MOST_SOURCE_CHARACTERS = 4000
_MOST_DEPTH = 60


@lru_cache(maxsize=4096)
def is_admitted(source: str, own: frozenset[str], modules: frozenset[str] = frozenset()) -> bool:
    """Whether a source is a value that may stand in a test; `own` are names of the module."""
    if len(source) > _MOST_SOURCE_CHARACTERS:
        return False
    try:
        tree = parse_expression(source)
    except NOT_PYTHON:
        return False
    return _is_value(tree, own, modules, 0)


def is_literal(node: ast.expr) -> bool:
    """Whether a node is a value that says all by itself."""
    return not isinstance(node, ast.Name) and _is_value(node, _NOBODY, _NOBODY, 0)


def _is_value(node: ast.AST, own: frozenset[str], modules: frozenset[str], depth: int) -> bool:
    if depth > _MOST_DEPTH:
        return False
    if isinstance(node, (ast.Name, ast.Attribute)):
        return _is_known(dotted_name(node), own, modules)
    if isinstance(node, ast.Call) and not _is_known(dotted_name(node.func), own, modules):
        return False
    if isinstance(node, ast.BinOp) and not _is_complex(node):
        return False
    if isinstance(node, ast.UnaryOp) and not isinstance(node.operand, ast.Constant):
        return False
    if not isinstance(node, (*_PLAIN, ast.Call, ast.BinOp, ast.UnaryOp)):
        return False
    inner = [each for each in ast.iter_child_nodes(node) if not _is_callee(node, each)]
    return all(_is_value(each, own, modules, depth + 1) for each in inner)


def _is_callee(node: ast.AST, child: ast.AST) -> bool:
    return isinstance(node, ast.Call) and child is node.func


def _is_complex(node: ast.BinOp) -> bool:
    """`1+2j`, as `repr` writes it."""
    right = node.right
    return isinstance(right, ast.Constant) and isinstance(right.value, complex)


def _is_known(name: str | None, own: frozenset[str], modules: frozenset[str]) -> bool:
    if name is None or "__" in name:
        return False
    return name in _CONSTRUCTORS or name.partition(".")[0] in own or _is_of(name, modules)


def _is_of(name: str, modules: frozenset[str]) -> bool:
    """Whether a dotted name is of one of the package's own modules."""
    return any(name.startswith(f"{module}.") for module in modules)


_SAYS_NOTHING = (None, False, "", ())


@dataclass(frozen=True, slots=True)
class Parameter:
    """One that may be given by position, with its default."""

    name: str
    default: ast.expr | None


Constructors = Mapping[str, Sequence[Parameter]]


def constructors_of(tree: ast.Module) -> dict[str, list[Parameter]]:
    """The positional parameters of every class that has an `__init__` or is a dataclass."""
    found: dict[str, list[Parameter]] = {}
    for node in tree.body:
        if not isinstance(node, ast.ClassDef):
            continue
        methods = [each for each in node.body if isinstance(each, ast.FunctionDef)]
        made = [each for each in methods if each.name == "__init__"]
        if made and not made[0].args.vararg:
            found[node.name] = _parameters(made[0].args)[1:]
        elif _is_plain_dataclass(node):
            found[node.name] = [
                Parameter(each.target.id, each.value)
                for each in node.body
                if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
            ]
    return found


def _is_plain_dataclass(node: ast.ClassDef) -> bool:
    """Whether the fields in sight are all, and may go by position."""
    decorators = [unparse(each) for each in node.decorator_list]
    is_dataclass = any("dataclass" in each for each in decorators)
    return is_dataclass and not node.bases and not any("kw_only" in each for each in decorators)


def _parameters(arguments: ast.arguments) -> list[Parameter]:
    given = [*arguments.posonlyargs, *arguments.args]
    missing: list[ast.expr | None] = [None] * (len(given) - len(arguments.defaults))
    defaults = [*missing, *arguments.defaults]
    return [Parameter(each.arg, value) for each, value in zip(given, defaults, strict=True)]


def briefly(statement: ast.stmt, constructors: Constructors) -> ast.stmt:
    """A statement whose calls of the module's classes are all written in one way."""
    return cast(ast.stmt, _Shortening(constructors).visit(statement))


def shortened(expression: Expression, constructors: Constructors) -> Expression:
    """The same value in fewer words."""
    if "=" not in expression.source or not constructors:
        return expression
    try:
        tree = fresh_expression(expression.source)
    except (SyntaxError, ValueError):
        return expression
    return expression.replaced(unparse(_Shortening(constructors).visit(tree)))


class _Shortening(ast.NodeTransformer):
    def __init__(self, constructors: Constructors) -> None:
        self.constructors = constructors

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        parameters = self.constructors.get(name, ())
        while node.keywords and len(node.args) < len(parameters):
            if node.keywords[0].arg != parameters[len(node.args)].name:
                break
            node.args.append(node.keywords.pop(0).value)
        while node.args and not node.keywords and len(node.args) <= len(parameters):
            if not _says_nothing(node.args[-1], parameters[len(node.args) - 1].default):
                break
            node.args.pop()
        return node


def _says_nothing(value: ast.expr, default: ast.expr | None) -> bool:
    if default is None or ast.dump(value) != ast.dump(default):
        return False
    return isinstance(value, ast.Constant) and value.value in _SAYS_NOTHING and value.value != 0


_LEAST_CHARACTERS = 6
_MOST_MESSAGE_CHARACTERS = 70
_VALUES = (ast.Constant, ast.UnaryOp, ast.Tuple, ast.List, ast.Dict, ast.Set)
_FIELD = re.compile(r"%[-+#0 ]*\d*(?:\.\d+)?[a-zA-Z]|\{[^{}]*\}|%\(\w+\)[a-z]")


@dataclass(frozen=True, slots=True)
class StablePart:
    """A piece of a message, and whether it is all of it."""

    text: str
    is_whole: bool


_TORN = re.compile(r"^[^\s\w'\"]*['\"](?=\s)\s*|^[\]),.;:}>]+\s*|(?<=[.;]) \w+$")
"""What a piece of a message begins with, or ends with, that belongs to what is not there."""


def stable_part(
    message: str, texts: tuple[str, ...], values: frozenset[str] = frozenset()
) -> StablePart | None:
    """The longest piece of a message that the module itself has as text; None without one.

    What is filled in beside it is part of it where the test itself shows it: one of `values`.
    """
    found = [piece for piece in texts if piece in message]
    if not found:
        return None
    best = max(found, key=len)
    if values:
        best = _with_values(message, best, texts, values)
    is_whole = best == message and "\n" not in message
    best = best.strip() if is_whole else _TORN.sub("", best.strip())
    if len(best) < _LEAST_CHARACTERS and not is_whole:
        return None
    if len(best) > _MOST_MESSAGE_CHARACTERS:
        best = best[:_MOST_MESSAGE_CHARACTERS].rpartition(" ")[0] or best[:_MOST_MESSAGE_CHARACTERS]
        best, is_whole = _TORN.sub("", best), False
    return StablePart(best.partition("\n")[0], is_whole and "\n" not in best)


def _with_values(message: str, piece: str, texts: tuple[str, ...], values: frozenset[str]) -> str:
    """A piece together with what stands beside it: the module's texts, values of the test."""
    start = message.index(piece)
    end = start + len(piece)
    before, after = message[:start], message[end:]
    while taken := _beside(after, texts, values):
        end, after = end + len(taken), after[len(taken) :]
    while taken := _beside(before[::-1], _turned(texts), _turned(values)):
        start, before = start - len(taken), before[: -len(taken)]
    whole = message[start:end]
    return whole if len(whole) <= _MOST_MESSAGE_CHARACTERS and whole.isprintable() else piece


def _turned(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(each[::-1] for each in texts)


def _beside(rest: str, texts: Iterable[str], values: Iterable[str]) -> str:
    """What of a rest is known to stand there: a text, a value, or a part of a value before one."""
    known = [each for each in (*texts, *values) if rest.startswith(each)]
    if known:
        return max(known, key=len)
    ends = [place for each in texts if (place := rest.find(each)) > 0]
    gap = rest[: min(ends, default=len(rest))]
    core = gap.strip("'\" ")
    is_part = bool(core) and any(core in value for value in values)
    return gap if is_part or gap.strip() in values else ""


def shown_values(sources: Iterable[str]) -> frozenset[str]:
    """The values that lines of a test show, as a message may show them."""
    found: set[str] = set()
    for source in sources:
        for node in ast.walk(fresh_module(source)):
            if isinstance(node, _VALUES):
                with suppress(ValueError, TypeError, MemoryError):
                    value = ast.literal_eval(node)
                    found |= {str(value), repr(value)}
    return frozenset(each for each in found if each and each.isprintable())


def escaped(text: str) -> str:
    """A regular expression for the text itself: `re.escape` without what needs no escape."""
    return re.sub(r"([\\.^$*+?{}\[\]|()])", r"\\\1", text)


def texts_of(tree: ast.AST) -> tuple[str, ...]:
    """The texts of a module's source between the places where something is filled in."""
    pieces: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            pieces.update(_FIELD.split(node.value))
            pieces.add(node.value)
    return tuple(sorted(piece for piece in pieces if piece.strip()))
