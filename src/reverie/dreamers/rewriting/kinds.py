"""The kind of value an expression has, by annotations, class fields and known calls.

Only what is sure: no annotation, no kind. Annotations are believed, since they are what the
function's author promises; the trial calls it with values that fit them.
"""

import ast
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from reverie.syntax.nodes import Function
from reverie.syntax.parsing import parse_expression


@cache
def known_calls() -> dict[str, frozenset[str]]:
    """The lists of `calls.toml`."""
    text = files("reverie.dreamers.rewriting").joinpath("calls.toml").read_text("utf-8")
    return {name: frozenset(calls) for name, calls in tomllib.loads(text).items()}


_PLAIN = frozenset({"str", "int", "float", "bool", "bytes", "complex", "None"})
_ALIASES = {
    "List": "list",
    "Dict": "dict",
    "Set": "set",
    "Tuple": "tuple",
    "FrozenSet": "frozenset",
}
_LISTS = frozenset({"list", "Sequence", "MutableSequence"})
_ITERABLES = frozenset(
    {"list", "set", "frozenset", "Sequence", "Iterable", "Iterator", "Collection"}
)
_RETURNS = {"str": "str", "int": "int", "len": "int", "float": "float", "repr": "str", "ord": "int"}


@dataclass(frozen=True, slots=True)
class Kind:
    """A type by name, with what it holds: `list[str]` is `Kind("list", (Kind("str"),))`."""

    name: str
    items: tuple["Kind | None", ...] = ()

    @property
    def is_hashable(self) -> bool:
        """Whether every value of it surely is."""
        if self.name in _PLAIN:
            return True
        held = self.name in ("tuple", "frozenset") and bool(self.items)
        return held and all(item is not None and item.is_hashable for item in self.items)

    @property
    def is_exact(self) -> bool:
        """Whether values can be keys, and an equal key is always found: NaN equals nothing."""
        return self.is_hashable and not self.has_floats

    @property
    def is_ordered(self) -> bool:
        """Whether all values of it have one order, in which only equal ones are level."""
        held = self.name == "tuple" and bool(self.items)
        inner = held and all(each is not None and each.is_ordered for each in self.items)
        return inner or self.name in ("int", "bool", "str", "bytes")

    @property
    def has_floats(self) -> bool:
        """Whether it may hold what does not equal itself."""
        inner = any(each is not None and each.has_floats for each in self.items)
        return inner or self.name in ("float", "complex")

    @property
    def is_whole_number(self) -> bool:
        """Whether sums of it are exact."""
        return self.name in ("int", "bool")

    @property
    def is_list(self) -> bool:
        """Whether it is a list, or may be used like one."""
        return self.name in _LISTS

    @property
    def item(self) -> "Kind | None":
        """What iterating over it gives."""
        if self.name == "str":
            return self
        if self.name in _ITERABLES or (self.name == "dict" and self.items):
            return self.items[0] if self.items else None
        if self.name == "tuple" and self.items and len(set(self.items)) == 1:
            return self.items[0]
        return None


def from_annotation(node: ast.expr | None) -> Kind | None:
    """The kind that an annotation names; None when it is a union or anything unknown."""
    match node:
        case ast.Constant(value=None):
            return Kind("None")
        case ast.Constant(value=str(text)):
            try:
                return from_annotation(parse_expression(text))
            except (SyntaxError, ValueError, RecursionError):
                return None
        case ast.Name(id=name):
            return Kind(_ALIASES.get(name, name))
        case ast.Attribute(attr=name):
            return Kind(_ALIASES.get(name, name))
        case ast.Subscript(value=base, slice=inner):
            outer = from_annotation(base)
            parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            known = [part for part in parts if not _is_ellipsis(part)]
            return outer and Kind(outer.name, tuple(from_annotation(part) for part in known))
    return None


def parameter_kinds(function: Function) -> "dict[str, Kind | None]":
    """The parameters of a function with the kinds they are annotated with."""
    given = function.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs]
    return {each.arg: from_annotation(each.annotation) for each in every}


def kind_of(
    node: ast.expr, names: Mapping[str, Kind | None], returns: Mapping[str, Kind | None]
) -> Kind | None:
    """The kind of an expression where `names` are known, `returns` of functions and fields."""
    match node:
        case ast.Constant(value=value):
            return Kind(type(value).__name__ if value is not None else "None")
        case ast.JoinedStr():
            return Kind("str")
        case ast.Name(id=name):
            return names.get(name)
        case ast.Tuple(elts=elts):
            return Kind("tuple", tuple(kind_of(each, names, returns) for each in elts))
        case ast.List(elts=elts):
            held = {kind_of(each, names, returns) for each in elts}
            return Kind("list", (held.pop(),) if len(held) == 1 else ())
        case ast.ListComp(elt=elt, generators=generators):
            return Kind("list", (kind_of(elt, _within(generators, names, returns), returns),))
        case ast.Call(func=ast.Attribute(value=value, attr="copy"), args=[], keywords=[]):
            owner = kind_of(value, names, returns)
            return owner if owner and owner.name in ("list", "dict", "set") else None
        case ast.Call(func=ast.Name(id=name), args=args):
            return _of_call(name, args, names, returns)
        case ast.Call(func=ast.Attribute(value=value, attr="get" | "pop"), args=[_, default]):
            owner = kind_of(value, names, returns)
            is_known = owner is not None and owner.name == "dict" and len(owner.items) == 2
            found = owner.items[1] if owner is not None and is_known else None
            return _or_default(found, default, kind_of(default, names, returns))
        case ast.Call(func=ast.Attribute(value=value, attr=attr)):
            return _of_method(kind_of(value, names, returns), attr, returns)
        case ast.Attribute(value=value, attr=attr):
            owner = kind_of(value, names, returns)
            return returns.get(f"{owner.name}.{attr}") if owner else None
        case ast.Subscript(value=value, slice=index):
            return _of_item(kind_of(value, names, returns), index)
        case ast.BinOp(left=left, right=right, op=operator):
            return _of_operation(
                operator, kind_of(left, names, returns), kind_of(right, names, returns)
            )
        case ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return Kind("bool")
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return kind_of(operand, names, returns)
    return None


def _or_default(held: Kind | None, node: ast.expr, default: Kind | None) -> Kind | None:
    """The kind of a value that another stands in for; nothing is in an empty display."""
    if held is None or default is None or held == default:
        return held if held == default else None
    if not isinstance(node, ast.List | ast.Tuple) or node.elts:
        return None
    if default.name == held.name:
        return held
    return None if held.item is None else Kind("Iterable", (held.item,))


def _of_operation(operator: ast.operator, left: Kind | None, right: Kind | None) -> Kind | None:
    if left is None or left != right:
        return None
    whole = left.name == "int" and isinstance(operator, ast.FloorDiv | ast.Mod)
    return left if whole or isinstance(operator, ast.Add | ast.Sub | ast.Mult) else None


def grown(
    name: str,
    operator: ast.operator,
    value: ast.expr,
    names: Mapping[str, Kind | None],
    returns: Mapping[str, Kind | None],
) -> dict[str, Kind | None]:
    """What a plain value becomes by `name += value`; of a list, nothing is said."""
    before = names.get(name)
    if before is None or before.name not in _PLAIN:
        return {}
    return {name: _of_operation(operator, before, kind_of(value, names, returns))}


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


def _within(
    generators: list[ast.comprehension],
    names: Mapping[str, Kind | None],
    returns: Mapping[str, Kind | None],
) -> dict[str, Kind | None]:
    inside = dict(names)
    for each in generators:
        inside |= bind(each.target, element(each.iter, inside, returns))
    return inside


def element(
    node: ast.expr, names: Mapping[str, Kind | None], returns: Mapping[str, Kind | None]
) -> Kind | None:
    """What iterating over an expression gives."""
    match node:
        case ast.Call(func=ast.Name(id="range")):
            return Kind("int")
        case ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]):
            return Kind("tuple", (Kind("int"), element(inner, names, returns)))
        case ast.Call(
            func=ast.Name(id="list" | "sorted" | "reversed" | "iter" | "set"), args=[inner, *_]
        ):
            return element(inner, names, returns)
        case ast.Call(func=ast.Name(id="zip"), args=[*inner]):
            return Kind("tuple", tuple(element(each, names, returns) for each in inner))
        case ast.Call(
            func=ast.Attribute(value=value, attr="items" | "keys" | "values" as part), args=[]
        ):
            return _of_part(kind_of(value, names, returns), part)
    found = kind_of(node, names, returns)
    return found.item if found else None


def bind(target: ast.expr, kind: Kind | None) -> dict[str, Kind | None]:
    """The names that an assignment to a target binds, with their kinds."""
    if isinstance(target, ast.Name):
        return {target.id: kind}
    if isinstance(target, ast.Tuple) and kind and len(kind.items) == len(target.elts):
        found: dict[str, Kind | None] = {}
        for part, each in zip(target.elts, kind.items, strict=True):
            found |= bind(part, each)
        return found
    while isinstance(target, ast.Subscript):
        target = target.value  # what is put in is not looked at, the place is only read
    return {node.id: None for node in ast.walk(target) if isinstance(node, ast.Name)}


def put(
    target: ast.expr,
    value: ast.expr,
    names: Mapping[str, Kind | None],
    returns: Mapping[str, Kind | None],
) -> dict[str, Kind | None]:
    """The names whose kind is another one when a value is put into a target."""
    match target, value:
        case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
            found: dict[str, Kind | None] = {}
            for part, each in zip(targets, values, strict=True):
                found |= put(part, each, names, returns)
            return found
        case ast.Subscript(value=ast.Name(id=owner)), _:
            kind = kind_of(value, names, returns)
            is_same = kind is not None and kind_of(target, names, returns) == kind
            return {} if is_same else {owner: None}
    return bind(target, kind_of(value, names, returns))


def _of_call(
    name: str,
    args: list[ast.expr],
    names: Mapping[str, Kind | None],
    returns: Mapping[str, Kind | None],
) -> Kind | None:
    if name in _RETURNS and name not in returns:
        return Kind(_RETURNS[name])
    if name in ("list", "sorted", "set") and len(args) == 1:
        return Kind("set" if name == "set" else "list", (element(args[0], names, returns),))
    if name in ("list", "dict", "set") and not args:
        return Kind(name)
    return returns.get(name)


def _of_method(owner: Kind | None, attr: str, returns: Mapping[str, Kind | None]) -> Kind | None:
    if owner and owner.name == "str":
        if attr in known_calls()["texts"]:
            return Kind("str")
        return Kind("list", (Kind("str"),)) if attr in ("split", "splitlines", "rsplit") else None
    if owner and owner.name in ("list", "set", "deque") and attr in ("pop", "popleft"):
        return owner.items[0] if owner.items else None
    return None if owner is None else returns.get(f"{owner.name}.{attr}()")


def _of_part(owner: Kind | None, part: str) -> Kind | None:
    """What the keys, values or items of a dictionary are."""
    if owner is None or owner.name != "dict" or len(owner.items) != 2:
        return None
    return {"keys": owner.items[0], "values": owner.items[1]}.get(part, Kind("tuple", owner.items))


def _of_item(owner: Kind | None, index: ast.expr) -> Kind | None:
    if owner is None:
        return None
    if isinstance(index, ast.Slice):
        return owner
    if owner.name == "dict":
        return owner.items[1] if len(owner.items) == 2 else None
    if owner.name == "tuple" and isinstance(index, ast.Constant) and isinstance(index.value, int):
        position = index.value
        return owner.items[position] if 0 <= position < len(owner.items) else None
    return owner.item


def owner_of(tree: ast.Module, function: ast.AST) -> ast.ClassDef | None:
    """The class of the module that a method belongs to."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and function in node.body:
            return node
    return None


def field_kinds(tree: ast.Module) -> dict[str, Kind | None]:
    """By `Class.field`: declared fields, and what `__init__` binds to annotated parameters.

    By `Class.method()`: what methods say they return.
    """
    found: dict[str, Kind | None] = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            found[node.name] = Kind(node.name)  # what calling it gives
            for name, kind in _fields(node):
                key = f"{node.name}.{name}"
                found[key] = kind if key not in found or found[key] == kind else None
            found |= {f"{node.name}.{name}()": kind for name, kind in _answers(node)}
    return found


def _fields(node: ast.ClassDef) -> Iterator[tuple[str, Kind | None]]:
    for each in node.body:
        match each:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
                yield name, from_annotation(annotation)
            case ast.FunctionDef():
                known = parameter_kinds(each)
                for part in ast.walk(each):
                    yield from _bound_to_self(part, known)


def _answers(node: ast.ClassDef) -> Iterator[tuple[str, Kind | None]]:
    """What methods say they return."""
    for each in node.body:
        if isinstance(each, ast.FunctionDef) and not each.decorator_list:
            yield each.name, from_annotation(each.returns)


def _bound_to_self(
    node: ast.AST, known: dict[str, Kind | None]
) -> Iterator[tuple[str, Kind | None]]:
    match node:
        case ast.AnnAssign(
            target=ast.Attribute(value=ast.Name(id="self"), attr=name), annotation=annotation
        ):
            yield name, from_annotation(annotation)
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)], value=value):
            yield name, kind_of(value, known, {})


def constant_kinds(tree: ast.Module) -> dict[str, Kind | None]:
    """Names that the module binds once, to something whose kind is plain to see."""
    found: dict[str, Kind | None] = {}
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found[name] = None if name in found else kind_of(value, {}, {})
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
                found[name] = None if name in found else from_annotation(annotation)
    return found
