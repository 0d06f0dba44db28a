"""Lists, sets, mappings, tuples and everything that is iterated."""

import ast
from collections.abc import Callable

from reverie.inputs.scope import TypeRef
from reverie.inputs.values.constraints import Bounds
from reverie.inputs.values.draw import Draw, Theme
from reverie.inputs.values.plain import LARGE_SIZE
from reverie.inputs.values.standins import ASYNC_ITEMS
from reverie.inputs.values.write import mapping, sequence
from reverie.model.call import Expression, combine

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


def is_ellipsis(node: ast.expr) -> bool:
    """Whether a node is `...`."""
    return isinstance(node, ast.Constant) and node.value is Ellipsis


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
    name = ast.unparse(bare).rpartition(".")[2].lower()
    return name if name in ("int", "float", "str", "list", "dict", "set", "bool") else "list"
