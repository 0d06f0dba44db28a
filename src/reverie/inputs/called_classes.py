"""Classes that a call makes: `namedtuple("Point", "x y")`, `TypedDict("Row", {"from": str})`."""

import ast
from collections.abc import Iterator

from reverie.inputs.scope import ClassRef, TypeRef

ENUMS = {"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum"}


def class_from_call(found: TypeRef) -> ClassRef | None:
    """The class that `namedtuple(…)`, `Enum(…)`, `TypedDict(…)` or `NamedTuple(…)` makes."""
    match found.node:
        case ast.Call(func=maker, args=[ast.Constant(str(name)), members, *_]):
            base = ast.unparse(maker).rpartition(".")[2]
        case _:
            return None
    if base not in {"namedtuple", "NamedTuple", "TypedDict", *ENUMS}:
        return None
    shown = "NamedTuple" if base == "namedtuple" else base
    body = [
        _member(member, kind, index, base in ENUMS)
        for index, (member, kind) in enumerate(_members(members), 1)
        if member.isidentifier() or base == "TypedDict"
    ]
    node = ast.parse(f"class {name}({shown}): pass").body[0]
    if not isinstance(node, ast.ClassDef):
        return None
    node.body = body or node.body
    return ClassRef(node, found.scope, name)


def _member(name: str, kind: str, index: int, is_value: bool) -> ast.stmt:
    """A member under its name, which can be one that a class body could not write: `from`."""
    member = ast.parse(f"_ = {kind or index}" if is_value else f"_: {kind or 'Any'}").body[0]
    for each in ast.walk(member):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            each.id = name
    return member


def _members(node: ast.expr) -> Iterator[tuple[str, str]]:
    match node:
        case ast.Constant(str(text)):
            yield from ((each, "") for each in text.replace(",", " ").split())
        case ast.List(elts=items) | ast.Tuple(elts=items):
            for item in items:
                match item:
                    case ast.Constant(str(name)):
                        yield name, ""
                    case ast.Tuple(elts=[ast.Constant(str(name)), kind]):
                        yield name, ast.unparse(kind)
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value, ast.unparse(value)
