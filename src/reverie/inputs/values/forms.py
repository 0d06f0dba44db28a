"""The special forms of typing: unions, literals, callables, type variables and what is unknown."""

import ast
import builtins
from dataclasses import replace
from typing import Protocol

from reverie.inputs.scope import ClassRef, External, Imported, Scope, TypeRef
from reverie.inputs.values.catalogue import ANSWERING, EVENTUALLY
from reverie.inputs.values.plain import Bounds, Draw, Theme, literal
from reverie.model.call import Expression, combine
from reverie.syntax.nodes import is_dotted
from reverie.syntax.parsing import parse_expression
from reverie.syntax.unparsing import unparse


class Make(Protocol):
    """`make` itself, handed down: the families of values know one another only through it."""

    def __call__(self, draw: Draw, kind: TypeRef, bounds: Bounds = ..., /) -> Expression:
        """A value of the type."""


_TRANSPARENT = frozenset(
    [
        "Final",
        "ClassVar",
        "Required",
        "NotRequired",
        "ReadOnly",
        "Unpack",
        "InitVar",
        "dataclasses.InitVar",
        "TypeGuard",
        "TypeIs",
        "Mapped",
    ]
)
_SIMPLE = ("int", "str", "float", "bool", "bytes")


def union(draw: Draw, options: list[TypeRef], make: Make) -> Expression:
    """One of the alternatives; None less often, except where nothing is wanted."""
    empty = [each for each in options if _is_none(each)]
    filled = [each for each in options if not _is_none(each)]
    if empty and (not filled or draw.theme is Theme.EMPTY or draw.is_deep):
        return Expression("None")
    if empty and draw.dice.chance(0.2):
        return Expression("None")
    simple = [each for each in filled if unparse(each.node) in _SIMPLE]
    return make(draw, draw.dice.pick(simple if draw.is_deep and simple else filled))


def _is_none(kind: TypeRef) -> bool:
    node = kind.node
    return (isinstance(node, ast.Constant) and node.value in (None, "None")) or (
        isinstance(node, ast.Name) and node.id in ("None", "NoneType")
    )


def special(
    draw: Draw, name: str, arguments: list[TypeRef], base: TypeRef, make: Make
) -> Expression | None:
    """A value of a special form; None when the name is none."""
    any_type = base.at(ast.Name("Any"))
    first = arguments[0] if arguments else any_type
    if name == "Optional":
        return union(draw, [first, base.at(ast.Constant(None))], make)
    if name == "Union":
        return union(draw, arguments or [any_type], make)
    if name == "Literal":
        return _literal(draw, arguments)
    if name in _TRANSPARENT:
        return make(draw, first)
    if name in ("Callable", "functools.partial"):
        return callable_value(draw, arguments, base, make)
    if name in ("Type", "type") and arguments:
        return _class_object(draw, first)
    if name in ("Awaitable", "Coroutine", "asyncio.Future", "Future"):
        value = make(draw.inner(), arguments[-1] if arguments else any_type)
        return combine(f"eventually({value.source})", [value], _defined(EVENTUALLY))
    if name.endswith("ContextManager"):
        value = make(draw.inner(), first)
        needs = Expression("", frozenset({"contextlib"}))
        return combine(f"contextlib.nullcontext({value.source})", [value], needs)
    if name == "IO":
        is_bytes = isinstance(first.node, ast.Name) and first.node.id == "bytes"
        return make(draw, base.at(ast.Name("BinaryIO" if is_bytes else "TextIO")))
    if name == "Self" and draw.owner is not None:
        return make(draw, TypeRef(ast.Name(draw.owner.qualname), draw.owner.scope))
    if name in ("NoReturn", "Never"):
        return Expression("None")
    return None


def _defined(text: str) -> Expression:
    return Expression("", definitions=(text,))


def _literal(draw: Draw, arguments: list[TypeRef]) -> Expression:
    chosen = draw.dice.pick(arguments)
    match chosen.node:
        case ast.Constant(value):
            return Expression(literal(value))
        case ast.Attribute() as member:
            return reference(chosen.at(member))
        case ast.Subscript(slice=ast.Tuple(elts=inner)):
            return _literal(draw, [chosen.at(each) for each in inner])
        case ast.Subscript(slice=inner_one):
            return _literal(draw, [chosen.at(inner_one)])
    return Expression(unparse(chosen.node))


def reference(kind: TypeRef) -> Expression:
    """A dotted name of the scope, reachable from outside."""
    name = unparse(kind.node)
    meaning = kind.scope.find_name(name.partition(".")[0])
    rest = name.partition(".")[2]
    if isinstance(meaning, ClassRef):
        held = class_name(meaning)
        return held.replaced(f"{held.source}.{rest}" if rest else held.source)
    if isinstance(meaning, External) and "." in meaning.name:
        full = f"{meaning.name}.{rest}" if rest else meaning.name
        return Expression(full, frozenset({meaning.name.rpartition(".")[0]}))
    return Expression(name)


def class_name(found: ClassRef) -> Expression:
    """A class by name: bare in the source under test, dotted elsewhere."""
    if found.scope.is_main:
        return Expression(found.qualname, names=frozenset({found.qualname.partition(".")[0]}))
    module = found.scope.module
    if _is_hidden(found.scope):
        source = f"importlib.import_module({module!a}).{found.qualname}"
        return Expression(source, frozenset({"importlib"}))
    return Expression(f"{module}.{found.qualname}", frozenset({module}))


def _is_hidden(scope: Scope) -> bool:
    """Whether the package binds something else to the module's name: `from .duration import …`."""
    package, _, name = scope.module.rpartition(".")
    outer = scope.other(package) if package else None
    bound = None if outer is None else outer.names.get(name)
    if isinstance(bound, Imported):
        return bound.name is not None and bound.module != package
    return bound is not None


def _class_object(draw: Draw, kind: TypeRef) -> Expression:
    node = kind.node
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and is_dotted(node.value):
        node = parse_expression(node.value)
    if isinstance(node, ast.BinOp):
        node = node.left
    if isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Name | ast.Attribute):
        meaning = kind.scope.find(node)
        if isinstance(meaning, TypeRef) and isinstance(meaning.node, ast.Call):
            chosen = draw.bindings.setdefault(unparse(node), _chosen(draw, meaning))
            if chosen.node is not node:
                return _class_object(draw, chosen)
        if isinstance(meaning, ClassRef):
            return class_name(meaning)
        if isinstance(meaning, External) and meaning.name not in ("Any", ""):
            if "." in meaning.name:
                return Expression(meaning.name, frozenset({meaning.name.rpartition(".")[0]}))
            if isinstance(getattr(builtins, meaning.name, None), type):
                return Expression(meaning.name)
    return Expression(draw.dice.pick(("int", "str")))


_RESULTS = {"int": ("len(str({}))",), "str": ("str({})",), "bool": ("bool({})",),
            "float": ("float(len(str({})))",), "None": ("None",)}  # fmt: skip


def callable_value(draw: Draw, arguments: list[TypeRef], base: TypeRef, make: Make) -> Expression:
    """A small lambda that fits the signature; its result has to do with what it is given."""
    any_type = base.at(ast.Name("Any"))
    result = arguments[-1] if arguments else any_type
    taken = arguments[0].node if len(arguments) > 1 else ast.Constant(...)
    if not isinstance(taken, ast.List) or any(map(_is_unpacked, taken.elts)):
        value = make(draw.inner("result"), result)
        first = "args[0] if args else " if _says_nothing(result, draw) else ""
        return combine(f"(lambda *args, **kwargs: {first}{value.source})", [value])
    names = [chr(ord("a") + index) for index in range(len(taken.elts))]
    if _is_awaitable(result):
        value = make(draw.inner("result"), result.at(_awaited(result.node)))
        return combine(f"answering({value.source})", [value], _defined(ANSWERING))
    body = _result(draw, result, [result.at(each) for each in taken.elts], names, make)
    head = f"lambda {', '.join(names)}" if names else "lambda"
    return combine(f"({head}: {body.source})", [body])


def _is_unpacked(node: ast.expr) -> bool:
    return isinstance(node, ast.Starred) or "Unpack[" in unparse(node)


def _says_nothing(kind: TypeRef, draw: Draw) -> bool:
    return isinstance(kind.node, ast.Name) and (
        kind.node.id in ("Any", "object") or kind.node.id in draw.bindings
    )


def _result(
    draw: Draw, result: TypeRef, taken: list[TypeRef], names: list[str], make: Make
) -> Expression:
    wanted = unparse(result.node)
    same = [name for name, each in zip(names, taken, strict=True) if unparse(each.node) == wanted]
    if wanted in ("int", "float") and len(same) > 1:
        return Expression(f"{same[0]} {draw.dice.pick(('+', '-', '*'))} {same[1]}")
    if same and (draw.dice.chance(0.7) or wanted in ("Any", "T", "_T")):
        return Expression(draw.dice.pick(same))
    if names and wanted in ("Any", "object"):
        return Expression(names[0])
    forms = _RESULTS.get(wanted)
    if names and forms is not None and draw.dice.chance(0.8):
        return Expression(draw.dice.pick(forms).format(names[0]))
    return make(draw.inner("result"), result)


def _is_awaitable(kind: TypeRef) -> bool:
    node = kind.node
    return isinstance(node, ast.Subscript) and unparse(node.value).rpartition(".")[2] in (
        "Awaitable",
        "Coroutine",
    )


def _awaited(node: ast.expr) -> ast.expr:
    if isinstance(node, ast.Subscript):
        return node.slice.elts[-1] if isinstance(node.slice, ast.Tuple) else node.slice
    return node


def variable(draw: Draw, name: str, meaning: TypeRef, make: Make) -> Expression:
    """A value for a type variable: the same type wherever it stands in one call."""
    if name not in draw.bindings:
        draw.bindings[name] = _chosen(draw, meaning)
    return make(replace(draw, hops=draw.hops + 1), draw.bindings[name])


def _chosen(draw: Draw, meaning: TypeRef) -> TypeRef:
    node = meaning.node
    if isinstance(node, ast.Call):
        for each in node.keywords:
            if each.arg == "bound":
                return meaning.at(each.value)
        if len(node.args) > 1:
            return meaning.at(draw.dice.pick(node.args[1:]))
    return meaning.at(ast.Name(draw.dice.pick(("int", "int", "str"))))


def bound_variables(draw: Draw, alias: TypeRef, arguments: list[TypeRef]) -> dict[str, TypeRef]:
    """What the arguments of a generic alias are for its variables, in their order."""
    names: dict[str, None] = {}
    for each in ast.walk(alias.node):
        if isinstance(each, ast.Name):
            meaning = alias.scope.find(each)
            if isinstance(meaning, TypeRef) and is_made_by(meaning.node, "TypeVar"):
                names[each.id] = None
    return dict(zip(names, (_settled(draw, each) for each in arguments), strict=False))


def _settled(draw: Draw, kind: TypeRef) -> TypeRef:
    """What a type variable stands for outside, when it is handed on under its own name."""
    if not isinstance(kind.node, ast.Name):
        return kind
    meaning = kind.scope.find(kind.node)
    if not isinstance(meaning, TypeRef) or not is_made_by(meaning.node, "TypeVar"):
        return kind
    return draw.bindings.setdefault(kind.node.id, _chosen(draw, meaning))


def is_made_by(node: ast.expr, maker: str) -> bool:
    """Whether a name is bound to a call of `maker`."""
    return isinstance(node, ast.Call) and unparse(node.func).rpartition(".")[2] == maker


def unknown(draw: Draw, name: str, base: TypeRef, make: Make) -> Expression:
    """A stand-in for a type of which only the name is known."""
    module, _, last = name.rpartition(".")
    mock = Expression("", frozenset({"unittest.mock"}))
    if not last.isidentifier() or not last[:1].isupper() or len(last) < 3:
        return make(draw, base.at(ast.Name("Any")))
    if module and not module.startswith("_"):
        needs = Expression("", frozenset({module}))
        return combine(f"unittest.mock.MagicMock(__class__={name})", [mock], needs)
    return combine(f"unittest.mock.MagicMock(name={last!a})", [mock])
