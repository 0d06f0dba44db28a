"""One value of a type: finds out what the type means, and hands it to the family it belongs to."""

import ast
from dataclasses import replace

from reverie.errors import UsageError
from reverie.inputs.called_classes import class_from_call
from reverie.inputs.scope import ClassRef, External, TypeRef, dotted, parse
from reverie.inputs.values import forms, own
from reverie.inputs.values.catalogue import CATALOGUE, ERRORS
from reverie.inputs.values.constraints import Bounds, bounds_of, named_bounds
from reverie.inputs.values.containers import container
from reverie.inputs.values.draw import MOST_HOPS, Draw, Theme
from reverie.inputs.values.plain import (
    blob,
    boolean,
    float_source,
    floating,
    integer,
    text,
    text_source,
)
from reverie.inputs.values.write import needing
from reverie.model.call import Expression

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
    if not dotted(base.node):
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
        maker = ast.unparse(node.func).rpartition(".")[2]
        if maker in ("TypeVar", "ParamSpec", "TypeVarTuple"):
            return forms.variable(draw, ast.unparse(base.node), meaning, make)
        if maker == "NewType" and len(node.args) == 2:
            return make(draw, meaning.at(node.args[1]), bounds)
        if maker == "TypeAliasType" and len(node.args) == 2:
            return make(draw, meaning.at(node.args[1]), bounds)
        made = class_from_call(meaning)
        if made is not None:
            return own.value(draw, replace(made, qualname=ast.unparse(base.node)), [], make)
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
    name = ast.unparse(node.func).rpartition(".")[2]
    kinds = {"conint": "int", "confloat": "float", "constr": "str", "conbytes": "bytes",
             "condecimal": "decimal.Decimal", "conlist": "list"}  # fmt: skip
    if name not in kinds:
        return make(draw, kind.at(_ANY))
    return make(draw, kind.at(_parsed(kinds[name])), bounds_of([node]))
