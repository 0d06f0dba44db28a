"""One value of a type: finds out what the type means, and hands it to the family it belongs to.

Lists, sets, mappings, tuples and everything that is iterated are made here.
"""

import ast
from collections.abc import Callable
from dataclasses import replace

from reverie.errors import UsageError
from reverie.inputs.classes import class_from_call
from reverie.inputs.scope import ClassRef, External, TypeRef, parse
from reverie.inputs.values import forms, own
from reverie.inputs.values.catalogue import ASYNC_ITEMS, CATALOGUE, ERRORS
from reverie.inputs.values.plain import (
    LARGE_SIZE,
    MOST_HOPS,
    Bounds,
    Draw,
    Theme,
    blob,
    boolean,
    bounds_of,
    float_source,
    floating,
    integer,
    mapping,
    named_bounds,
    needing,
    sequence,
    text,
    text_source,
)
from reverie.model.call import Expression, combine
from reverie.syntax.nodes import dotted_name, is_ellipsis
from reverie.syntax.unparsing import unparse

Make = Callable[[Draw, TypeRef], Expression]

LISTS = frozenset(
    ["list", "List", "Sequence", "MutableSequence", "Collection", "Reversible", "Container"]
)
ITERABLES = frozenset(("Iterable",))
ITERATORS = frozenset(["Iterator", "Generator"])
SETS = frozenset(["set", "Set", "AbstractSet", "MutableSet", "KeysView"])
MAPPINGS = frozenset(["dict", "Dict", "Mapping", "MutableMapping"])
ASYNC_ITERATORS = frozenset(["AsyncIterator", "AsyncIterable", "AsyncGenerator"])
WRAPPED = {
    "frozenset": "frozenset", "FrozenSet": "frozenset", "deque": "collections.deque",
    "Deque": "collections.deque", "collections.deque": "collections.deque",
    "collections.OrderedDict": "collections.OrderedDict", "OrderedDict": "collections.OrderedDict",
    "collections.Counter": "collections.Counter", "Counter": "collections.Counter",
    "collections.ChainMap": "collections.ChainMap", "ChainMap": "collections.ChainMap",
    "collections.UserDict": "collections.UserDict", "collections.UserList": "collections.UserList",
    "collections.defaultdict": "collections.defaultdict", "DefaultDict": "collections.defaultdict",
    "ValuesView": "values", "ItemsView": "items", "MappingView": "values",
    "queue.Queue": "queue.Queue",
}  # fmt: skip
_WRAPPED_MAPPINGS = ("OrderedDict", "ChainMap", "UserDict", "defaultdict")


def size(draw: Draw, bounds: Bounds) -> int:
    """How many elements."""
    match draw.theme:
        case Theme.EMPTY:
            usual = 0
        case Theme.SINGLE:
            usual = 1
        case _:
            usual = 1 if draw.is_deep else draw.dice.pick((0, 1, 2, 2, 3, 3, 4, 5))
            if usual == 0 and draw.theme is Theme.TYPICAL and draw.depth == 0:
                usual = 3
    return bounds.length(draw, usual)


def items(draw: Draw, kind: TypeRef, make: Make, bounds: Bounds) -> list[Expression]:
    """Elements; now and then one is there twice."""
    found: list[Expression] = []
    for _ in range(size(draw, bounds)):
        again = found and draw.dice.chance(0.2)
        found.append(draw.dice.pick(found) if again else make(draw.inner(), kind))
    return found


def listed(draw: Draw, kind: TypeRef, make: Make, bounds: Bounds) -> Expression:
    """A list, large ones written short."""
    if draw.theme is Theme.LARGE and draw.depth == 0 and bounds.longest is None:
        one = make(draw.inner(), kind)
        if one.source.lstrip("-").isdigit():
            return Expression(f"list(range({LARGE_SIZE}))")
        return combine(f"[{one.source}] * {LARGE_SIZE}", [one])
    return sequence(items(draw, kind, make, bounds))


def distinct(draw: Draw, kind: TypeRef, make: Make, bounds: Bounds) -> list[Expression]:
    """Elements that differ and can be hashed."""
    drawn = [make(draw.inner(), kind) for _ in range(size(draw, bounds))]
    hashable = [each for each in drawn if not each.source.startswith(("[", "{"))]
    return list({each.source: each for each in hashable}.values())


def set_of(draw: Draw, kind: TypeRef, make: Make, bounds: Bounds) -> Expression:
    """A set."""
    if draw.theme is Theme.LARGE and draw.depth == 0:
        one = make(draw.inner(), kind)
        if one.source.lstrip("-").isdigit():
            return Expression(f"set(range({LARGE_SIZE}))")
    found = distinct(draw, kind, make, bounds)
    return sequence(found, "{", "}") if found else Expression("set()")


def mapped(draw: Draw, key: TypeRef, value: TypeRef, make: Make, bounds: Bounds) -> Expression:
    """A dict."""
    if draw.theme is Theme.LARGE and draw.depth == 0:
        one, item = make(draw.inner("key"), key), make(draw.inner(), value)
        numbers = f"range({LARGE_SIZE})"
        if one.source.lstrip("-").isdigit():
            return combine(f"dict.fromkeys({numbers}, {item.source})", [item])
        if one.source.startswith(("'", '"')):
            return combine(f"dict.fromkeys(map(str, {numbers}), {item.source})", [item])
    keys = distinct(draw, key, make, bounds)
    return mapping([(each, make(draw.inner(), value)) for each in keys])


def tuple_of(
    draw: Draw, arguments: list[TypeRef], any_type: TypeRef, make: Make, bounds: Bounds
) -> Expression:
    """A tuple, of fixed length or open."""
    if not arguments:
        return sequence(items(draw, any_type, make, bounds), "(", ")")
    if len(arguments) == 2 and is_ellipsis(arguments[1].node):
        return sequence(items(draw, arguments[0], make, bounds), "(", ")")
    if isinstance(arguments[0].node, ast.Tuple):  # `tuple[()]`
        return Expression("()")
    return sequence([make(draw.inner(), each) for each in arguments], "(", ")")


def container(
    draw: Draw, name: str, arguments: list[TypeRef], any_type: TypeRef, make: Make,
    bounds: Bounds = Bounds(),  # noqa: B008  frozen
) -> Expression | None:  # fmt: skip
    """A container of this name; None when it is no container."""
    if not arguments:
        any_type = any_type.at(ast.Name(draw.dice.pick(("int", "int", "int", "str"))))
    first = arguments[0] if arguments else any_type
    if name in LISTS:
        return listed(draw, first, make, bounds)
    if name in ITERABLES:
        made = listed(draw, first, make, bounds)
        return _as_iterable(draw, made)
    if name in ITERATORS:
        made = listed(draw, first, make, bounds)
        form = "iter({})" if name == "Iterator" else "(each for each in {})"
        return combine(form.format(made.source), [made])
    if name in ASYNC_ITERATORS:
        made = listed(draw, first, make, bounds)
        helper = Expression("", definitions=(ASYNC_ITEMS,))
        return combine(f"async_items({made.source})", [made], helper)
    if name in SETS:
        return set_of(draw, first, make, bounds)
    if name in MAPPINGS:
        pair = arguments if len(arguments) == 2 else [any_type.at(ast.Name("str")), any_type]
        return mapped(draw, pair[0], pair[1], make, bounds)
    if name in ("tuple", "Tuple"):
        return tuple_of(draw, arguments, any_type, make, bounds)
    return _wrapped(draw, name, arguments, any_type, make, bounds)


def _as_iterable(draw: Draw, made: Expression) -> Expression:
    """Mostly the list itself; sometimes something that can be read once, or not be indexed."""
    if draw.depth or not draw.dice.chance(0.3) or not made.source.startswith("["):
        return made
    form = draw.dice.pick(("tuple({})", "iter({})"))
    return combine(form.format(made.source), [made])


def _wrapped(
    draw: Draw, name: str, arguments: list[TypeRef], any_type: TypeRef, make: Make, bounds: Bounds
) -> Expression | None:
    maker = WRAPPED.get(name)
    if maker is None:
        return None
    text = any_type.at(ast.Name("str"))
    module = maker.rpartition(".")[0]
    extra = Expression("", frozenset((module,) if module else ()))
    if maker in ("values", "items"):
        inner = mapped(draw, text, arguments[-1] if arguments else any_type, make, bounds)
        return combine(f"{inner.source}.{maker}()", [inner])
    if maker == "queue.Queue":
        return combine("queue.Queue()", [], extra)
    if maker.endswith(_WRAPPED_MAPPINGS):
        pair = arguments if len(arguments) == 2 else [text, any_type]
        inner = mapped(draw, pair[0], pair[1], make, bounds)
        first = f"{_factory(pair[1])}, " if maker.endswith("defaultdict") else ""
        return combine(f"{maker}({first}{inner.source})", [inner], extra)
    kind = arguments[0] if arguments else any_type
    inner = sequence(items(draw, kind, make, bounds))
    return combine(f"{maker}({inner.source})", [inner], extra)


def _factory(kind: TypeRef) -> str:
    bare = kind.node.value if isinstance(kind.node, ast.Subscript) else kind.node
    name = unparse(bare).rpartition(".")[2].lower()
    return name if name in ("int", "float", "str", "list", "dict", "set", "bool") else "list"


_ANY = ast.Name("Any")
_PYDANTIC_TEXTS = {
    "EmailStr": "'ada@example.org'", "HttpUrl": "'https://example.org/'",
    "AnyUrl": "'https://example.org/'", "StrictStr": "'abc'", "SecretStr": "'secret'",
    "StrictInt": "3", "StrictBool": "True", "StrictFloat": "1.5", "FilePath": "'notes.txt'",
}  # fmt: skip


def make(draw: Draw, kind: TypeRef, bounds: Bounds = Bounds()) -> Expression:  # noqa: B008  frozen
    """An expression whose value has the type."""
    if draw.hops > MOST_HOPS:
        return Expression("None")
    match kind.node:
        case ast.Constant(None):
            return Expression("None")
        case ast.Constant(str(source)):
            return make(draw, kind.at(_parsed(source)), bounds)
        case ast.BinOp(op=ast.BitOr()):
            return forms.union(draw, _alternatives(kind), make)
        case ast.Subscript(base, ast.Tuple(elts=parts)) if parts:
            return _generic(draw, kind.at(base), [kind.at(each) for each in parts], bounds)
        case ast.Subscript(base, inner):
            return _generic(draw, kind.at(base), [kind.at(inner)], bounds)
        case ast.Starred(inner):
            return make(draw, kind.at(inner), bounds)
        case ast.Call():
            return _from_call(draw, kind)
        case _:
            return _generic(draw, kind, [], bounds)


def _parsed(source: str) -> ast.expr:
    try:
        statement = parse(f"({source})").body[0]
    except (UsageError, IndexError):
        return _ANY
    return statement.value if isinstance(statement, ast.Expr) else _ANY


def _alternatives(kind: TypeRef) -> list[TypeRef]:
    if isinstance(kind.node, ast.BinOp):
        return [
            *_alternatives(kind.at(kind.node.left)),
            *_alternatives(kind.at(kind.node.right)),
        ]
    return [kind]


def _generic(draw: Draw, base: TypeRef, arguments: list[TypeRef], bounds: Bounds) -> Expression:
    """A value of a named type with its arguments."""
    if not dotted_name(base.node):
        return make(draw, base.at(_ANY))
    meaning = base.scope.find(base.node)
    if isinstance(meaning, ClassRef):
        return own.value(draw, meaning, arguments, make)
    if isinstance(meaning, TypeRef):
        return _aliased(draw, base, meaning, arguments, bounds)
    return _external(draw, meaning, base, arguments, bounds)


def _aliased(
    draw: Draw, base: TypeRef, meaning: TypeRef, arguments: list[TypeRef], bounds: Bounds
) -> Expression:
    """What stands behind a name: a type variable, a new type, a made class or an alias."""
    node = meaning.node
    if isinstance(node, ast.Call):
        maker = unparse(node.func).rpartition(".")[2]
        if maker in ("TypeVar", "ParamSpec", "TypeVarTuple"):
            return forms.variable(draw, unparse(base.node), meaning, make)
        if maker == "NewType" and len(node.args) == 2:
            return make(draw, meaning.at(node.args[1]), bounds)
        if maker == "TypeAliasType" and len(node.args) == 2:
            return make(draw, meaning.at(node.args[1]), bounds)
        made = class_from_call(meaning)
        if made is not None:
            return own.value(draw, replace(made, qualname=unparse(base.node)), [], make)
        return _from_call(draw, meaning)
    bound = {**draw.bindings, **forms.bound_variables(draw, meaning, arguments)}
    return make(replace(draw, bindings=bound, hops=draw.hops + 1), meaning, bounds)


def _external(
    draw: Draw, meaning: External, base: TypeRef, arguments: list[TypeRef], bounds: Bounds
) -> Expression:
    name = meaning.name
    plain = _plain(draw, name, bounds)
    if plain is not None:
        return plain
    if name == "Annotated" and arguments:
        found = bounds_of([each.node for each in arguments[1:]])
        return make(draw, arguments[0], found)
    special = forms.special(draw, name, arguments, base, make)
    if special is not None:
        return special
    held = container(draw, name, arguments, base.at(_ANY), make, bounds)
    if held is not None:
        return held
    if name in CATALOGUE:
        return _catalogued(draw, name)
    if name in ERRORS:
        return Expression(f"{name}({text(draw)!a})")
    last = name.rpartition(".")[2]
    if last in _PYDANTIC_TEXTS:
        return Expression(_PYDANTIC_TEXTS[last])
    return forms.unknown(draw, name, base, make)


def _plain(draw: Draw, name: str, bounds: Bounds) -> Expression | None:
    limits = bounds if bounds.binds else named_bounds(name)
    if limits is not None and limits.binds and name.rpartition(".")[2] not in ("str", "bytes"):
        last = name.rpartition(".")[2]
        if last == "int" or last.endswith("Int"):
            return Expression(limits.number(draw, whole=True))
        if last == "float" or last.endswith("Float"):
            return Expression(limits.number(draw, whole=False))
        if last == "Decimal":
            number = limits.number(draw, whole=True)
            return Expression(f"decimal.Decimal({number})", frozenset({"decimal"}))
    match name:
        case "int":
            return Expression(str(integer(draw)))
        case "float":
            return Expression(float_source(floating(draw)))
        case "bool":
            return Expression(str(boolean(draw)))
        case "str" if bounds.binds:
            drawn = text(draw)
            length = bounds.length(draw, len(drawn))
            return Expression(ascii((drawn or "a").ljust(length, "a")[:length]))
        case "str":
            return Expression(text_source(draw))
        case "bytes":
            return Expression(ascii(blob(draw)))
    return None


def _catalogued(draw: Draw, name: str) -> Expression:
    entry = CATALOGUE[name]
    wants_edge = draw.theme not in (Theme.TYPICAL, Theme.UNICODE, Theme.LARGE)
    options = entry.edges if wants_edge and entry.edges else entry.typical
    return needing(draw.dice.pick(options), entry.modules)


def _from_call(draw: Draw, kind: TypeRef) -> Expression:
    """Types that are made by a call in place: `conint(gt=0)`, `Optional[conlist(…)]`."""
    node = kind.node
    if not isinstance(node, ast.Call):
        return make(draw, kind.at(_ANY))
    name = unparse(node.func).rpartition(".")[2]
    kinds = {"conint": "int", "confloat": "float", "constr": "str", "conbytes": "bytes",
             "condecimal": "decimal.Decimal", "conlist": "list"}  # fmt: skip
    if name not in kinds:
        return make(draw, kind.at(_ANY))
    return make(draw, kind.at(_parsed(kinds[name])), bounds_of([node]))
