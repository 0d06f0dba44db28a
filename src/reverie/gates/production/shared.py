"""Values of a module or a class that all calls share: which can be changed, or used up?

A table that functions only read is a constant. An iterator is used up by whoever looks at it, so
it counts calls; a list that is handed on as itself may be changed by whoever gets it.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from reverie.gates.python import origin_of, words
from reverie.syntax.nodes import Function, functions, names_in, parents_in, stored_names
from reverie.syntax.unparsing import unparse

_FIXED_MAKERS = words(
    "str int float complex bytes bool range slice object frozenset tuple property type super "
    "len abs round min max sum ord chr bin hex oct repr ascii divmod pow any all isinstance "
    "dataclasses.field enum.auto functools.partial types.MappingProxyType "
    "collections.namedtuple struct.Struct json.dumps re.compile re.escape str.maketrans "
    "bytes.maketrans dataclasses.dataclass enum.unique os.path.join classmethod staticmethod"
)
_FIXED_MODULES = (
    "math.", "cmath.", "operator.", "typing.", "decimal.", "fractions.", "datetime.", "textwrap.",
    "unicodedata.", "html.", "binascii.", "base64.", "abc.", "numbers.", "urllib.parse.quote",
    "pathlib.Pure", "uuid.", "ipaddress.",
)  # fmt: skip
_CONTAINER_MAKERS = words(
    "list dict set sorted bytearray collections.Counter collections.OrderedDict "
    "collections.deque collections.defaultdict collections.ChainMap dict.fromkeys array.array "
    "json.loads vars copy.copy copy.deepcopy"
)
_ITERATORS = frozenset({"iter", "map", "filter", "zip", "enumerate", "reversed", "open"})
_CONTAINER_METHODS = frozenset(
    {"split", "rsplit", "splitlines", "copy", "items", "keys", "values", "partition", "union"}
)
_READING_METHODS = frozenset(
    {"get", "items", "keys", "values", "index", "count", "copy", "isdisjoint", "issubset",
     "issuperset", "union", "intersection", "difference", "most_common", "elements"}
)  # fmt: skip
_WHOLE = frozenset({"items", "keys", "values", "copy"})
"""Methods that give all that is in a container."""
_READERS = words(
    "len sorted sum min max any all list tuple set dict frozenset enumerate zip map filter "
    "reversed isinstance str repr bool iter range join format maketrans translate Counter "
    "OrderedDict deque chain product nsmallest nlargest fsum prod accumulate count index "
    "startswith endswith sub subn"
)
_TEXT = frozenset(dir(str)) | frozenset(dir(bytes))


class Kind(IntEnum):
    """How much of a value may change, the worst last."""

    FIXED = 0
    CONTAINER = 1
    """Of values that are fixed."""
    DEEP = 2
    """A container of containers."""
    UNKNOWN = 3
    USED_UP = 4
    """By looking at it."""


@dataclass(frozen=True, slots=True)
class Shared:
    """A value that calls share, and one use of it that may change it or use it up."""

    name: str
    kind: Kind
    function: str
    node: ast.AST


class Values:
    """What kind of value the expressions of a module give."""

    def __init__(self, tree: ast.Module, names: dict[str, str]) -> None:
        self._names = names
        self._own = {n.name for n in tree.body if isinstance(n, Function | ast.ClassDef)}
        self._fixed = {n.name for n in tree.body if isinstance(n, ast.ClassDef) and _is_fixed(n)}
        self.bound = {name: value for name, value, _ in _bindings(tree)}

    def kind(self, node: ast.expr | None, depth: int = 8) -> Kind:
        """The worst that an expression may give."""
        if node is None or isinstance(
            node, ast.Constant | ast.Lambda | ast.JoinedStr | ast.Compare
        ):
            return Kind.FIXED
        if depth == 0:
            return Kind.UNKNOWN
        match node:
            case ast.Name(id=name):
                again = self.bound.get(name)
                is_self = again is None or isinstance(again, ast.Name)
                return Kind.FIXED if is_self else self.kind(again, depth - 1)
            case ast.List() | ast.Dict() | ast.Set() | ast.ListComp() | ast.DictComp():
                return self._holding(node, depth)
            case ast.SetComp():
                return self._holding(node, depth)
            case ast.GeneratorExp():
                return Kind.USED_UP
            case ast.Call():
                return self._of_call(node, depth)
            case ast.Attribute():
                return Kind.FIXED
        return self._worst(node, depth)

    def _worst(self, node: ast.AST, depth: int) -> Kind:
        inner = [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr)]
        return max((self.kind(each, depth - 1) for each in inner), default=Kind.FIXED)

    def _holding(self, node: ast.expr, depth: int) -> Kind:
        parts: list[ast.expr | None]
        match node:
            case ast.DictComp(key=key, value=value):
                parts = [key, value]
            case ast.ListComp(elt=element) | ast.SetComp(elt=element):
                parts = [element]
            case _:
                parts = [e for e in ast.iter_child_nodes(node) if isinstance(e, ast.expr)]
        worst = max((self.kind(each, depth - 1) for each in parts), default=Kind.FIXED)
        return Kind.CONTAINER if worst is Kind.FIXED else max(worst, Kind.DEEP)

    def _of_call(self, node: ast.Call, depth: int) -> Kind:
        origin = origin_of(node.func, self._names)
        given = [*node.args, *(each.value for each in node.keywords)]
        if origin in _ITERATORS or origin.startswith("itertools."):
            return Kind.USED_UP
        if any(origin_of(each, self._names) in _ITERATORS for each in given):
            return Kind.USED_UP
        if origin in _FIXED_MAKERS and origin not in ("tuple", "functools.partial", "min", "max"):
            return Kind.FIXED
        if origin.startswith(_FIXED_MODULES) or origin in self._fixed:
            return Kind.FIXED
        inner = max((self._inside(each, depth) for each in given), default=Kind.FIXED)
        if origin in _FIXED_MAKERS:
            return inner
        if origin in _CONTAINER_MAKERS:
            return Kind.CONTAINER if inner is Kind.FIXED else max(inner, Kind.DEEP)
        if isinstance(node.func, ast.Attribute) and node.func.attr in _CONTAINER_METHODS:
            return max(Kind.CONTAINER, self._inside(node.func.value, depth))
        if isinstance(node.func, ast.Attribute) and node.func.attr in _TEXT:
            return self._inside(node.func.value, depth)
        return Kind.UNKNOWN

    def _inside(self, node: ast.expr, depth: int) -> Kind:
        """What is in a container or an iterator that is taken apart where it stands."""
        if isinstance(node, ast.Call) and origin_of(node.func, self._names) in _ITERATORS:
            worst = max((self._inside(each, depth - 1) for each in node.args), default=Kind.FIXED)
            is_made = any(origin_of(e, self._names) in _ITERATORS for e in node.args)
            return Kind.USED_UP if is_made else worst
        if isinstance(node, ast.GeneratorExp):
            return self.kind(node.elt, depth - 1)
        found = self.kind(node, depth - 1)
        return Kind.FIXED if found is Kind.CONTAINER else found


def _is_fixed(node: ast.ClassDef) -> bool:
    """Whether objects of a class stay as they are made."""
    bases = {unparse(each).rpartition(".")[2] for each in node.bases}
    if bases & {"NamedTuple", "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "Exception"}:
        return True
    return any("frozen=True" in unparse(each) for each in node.decorator_list)


def _bindings(tree: ast.Module) -> Iterator[tuple[str, ast.expr, str]]:
    """Names that the module and its classes bind to values, with the class or nothing."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Module | ast.ClassDef):
            continue
        owner = "" if isinstance(node, ast.Module) else node.name
        for each in _statements(node.body):
            match each:
                case ast.Assign(targets=targets, value=value):
                    for target in targets:
                        for name in ast.walk(target):
                            if isinstance(name, ast.Name):
                                yield name.id, value, owner
                case ast.AnnAssign(target=ast.Name(id=bound), value=ast.expr() as value):
                    yield bound, value, owner


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try | ast.With | ast.For | ast.While):
            inner = [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.stmt)]
            inner += [e for h in getattr(node, "handlers", ()) for e in h.body]
            yield from _statements(inner)


def shared_uses(tree: ast.Module, names: dict[str, str]) -> Iterator[Shared]:
    """Every use by a function of a shared value that could change it, or use it up."""
    values = Values(tree, names)
    kinds = {name: values.kind(value) for name, value, owner in _bindings(tree) if not owner}
    inner = {(owner, name): values.kind(v) for name, v, owner in _bindings(tree) if owner}
    classes = {owner for owner, _ in inner}
    for qualname, function in functions(tree):
        parents = parents_in(function)
        local = _given(function)
        for node in ast.walk(function):
            kind, name = Kind.FIXED, ""
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                name = node.id
                kind = kinds.get(name, Kind.FIXED) if name not in local else Kind.FIXED
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                name = node.attr
                kind = _class_value(node, qualname, inner, classes)
            if kind is not Kind.FIXED and not _is_reading(node, parents, kind):
                yield Shared(name, kind, qualname, node)


def _class_value(
    node: ast.Attribute, qualname: str, inner: dict[tuple[str, str], Kind], classes: set[str]
) -> Kind:
    """What a class gives all its objects, as it is reached by name or by `self`."""
    match node.value:
        case ast.Name(id="self" | "cls"):
            owners = {qualname.rpartition(".")[0].rpartition(".")[2]}
        case ast.Name(id=name) if name in classes:
            owners = {name}
        case ast.Call(func=ast.Name(id="type")) | ast.Attribute(attr="__class__"):
            owners = classes
        case _:
            return Kind.FIXED
    return max((inner.get((owner, node.attr), Kind.FIXED) for owner in owners), default=Kind.FIXED)


def _given(function: Function) -> set[str]:
    stored = stored_names(function)
    arguments = {each.arg for each in ast.walk(function) if isinstance(each, ast.arg)}
    rebound = {n for e in ast.walk(function) if isinstance(e, ast.Global) for n in e.names}
    return (stored | arguments) - rebound


def _is_reading(node: ast.AST, parents: dict[ast.AST, ast.AST], kind: Kind) -> bool:
    """Whether a use takes something out of a container, and leaves the container as it is."""
    if kind is Kind.USED_UP:
        return False
    parent = parents.get(node)
    is_flat = kind is Kind.CONTAINER
    match parent:
        case ast.Subscript(value=value, ctx=ast.Load()) if value is node:
            return is_flat or kind is Kind.UNKNOWN or _is_reading(parent, parents, Kind.CONTAINER)
        case ast.Attribute(attr=name) if kind is Kind.UNKNOWN:
            return name == "get"
        case ast.Attribute(attr=name) if name in _READING_METHODS:
            call = parents.get(parent)
            if not isinstance(call, ast.Call):
                return False
            inside = Kind.DEEP if name in _WHOLE else Kind.CONTAINER
            return is_flat or _is_reading(call, parents, inside)
        case ast.Attribute(attr=name):
            return name in _TEXT and name not in ("pop", "append")
    if kind is Kind.UNKNOWN:
        return False
    return _is_taken_apart(node, parents, is_flat)


def _is_taken_apart(node: ast.AST, parents: dict[ast.AST, ast.AST], is_flat: bool) -> bool:
    parent = parents.get(node)
    match parent:
        case ast.Compare() | ast.BoolOp() | ast.UnaryOp() | ast.FormattedValue():
            return True
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test) if test is node:
            return True
        case ast.For(target=target, iter=items) | ast.comprehension(target=target, iter=items):
            return items is node and (is_flat or _are_read(target, parents, Kind.CONTAINER))
        case ast.Tuple() | ast.List():
            return _is_gone_through(parent, parents, Kind.CONTAINER if is_flat else Kind.DEEP)
        case ast.Call(func=func, args=args) if node in args:
            called = func.attr if isinstance(func, ast.Attribute) else unparse(func)
            return called in _READERS and is_flat
        case ast.Starred() | ast.BinOp() | ast.keyword(arg=None) | ast.Subscript() | ast.Dict():
            return is_flat and not (isinstance(parent, ast.Dict) and node not in _spread(parent))
        case ast.Assign(targets=[ast.Tuple()]) | ast.YieldFrom():
            return is_flat
    return False


def _is_gone_through(
    display: ast.Tuple | ast.List, parents: dict[ast.AST, ast.AST], kind: Kind
) -> bool:
    """Whether a loop goes through a few shared values, and only reads them by its own name."""
    match parents.get(display):
        case ast.For(target=target, iter=items) | ast.comprehension(target=target, iter=items):
            is_named = isinstance(target, ast.Name)
            return items is display and is_named and _are_read(target, parents, kind)
    return False


def _are_read(target: ast.expr, parents: dict[ast.AST, ast.AST], kind: Kind) -> bool:
    """Whether what a loop takes out of a container is only read."""
    names = names_in(target)
    return all(
        _is_reading(each, parents, kind)
        for each in parents
        if isinstance(each, ast.Name) and each.id in names and isinstance(each.ctx, ast.Load)
    )


def _spread(node: ast.Dict) -> list[ast.expr]:
    return [value for key, value in zip(node.keys, node.values, strict=True) if key is None]
