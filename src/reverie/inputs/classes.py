"""Classes and what it takes to make an instance, read from the definition and the bases.

Also classes that a call makes, `namedtuple("Point", "x y")` or `TypedDict("Row", {"from": str})`,
and classes that are meant to be derived from, with the classes that do.
"""

import ast
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache

from reverie.inputs.scope import ClassRef, External, TypeRef, definitions
from reverie.inputs.signature import (
    Home,
    Parameters,
    ParameterShape,
    decorator_names,
    parameters_of,
)
from reverie.model.repository.code import ParameterKind
from reverie.syntax.nodes import Function, is_bare_constant, is_ellipsis
from reverie.syntax.parsing import fresh_module
from reverie.syntax.unparsing import unparse

ENUMS = {"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum"}


def class_from_call(found: TypeRef) -> ClassRef | None:
    """The class that `namedtuple(…)`, `Enum(…)`, `TypedDict(…)` or `NamedTuple(…)` makes."""
    match found.node:
        case ast.Call(func=maker, args=[ast.Constant(str(name)), members, *_]):
            base = unparse(maker).rpartition(".")[2]
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
    node = fresh_module(f"class {name}({shown}): pass").body[0]
    if not isinstance(node, ast.ClassDef):
        return None
    node.body = body or node.body
    return ClassRef(node, found.scope, name)


def _member(name: str, kind: str, index: int, is_value: bool) -> ast.stmt:
    """A member under its name, which can be one that a class body could not write: `from`."""
    member = fresh_module(f"_ = {kind or index}" if is_value else f"_: {kind or 'Any'}").body[0]
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
                        yield name, unparse(kind)
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value, unparse(value)


class ClassKind(StrEnum):
    """How instances of a class come to be."""

    ENUM = "enum"
    TYPED_DICT = "typed_dict"
    NAMED_TUPLE = "named_tuple"
    FIELDS = "fields"  # dataclasses, attrs, pydantic: the annotated names are the parameters
    PROTOCOL = "protocol"
    PLAIN = "plain"


_RECORD_DECORATORS = {"dataclass", "define", "mutable", "frozen", "attrs", "attributes"}
_MODELS = {"BaseModel", "RootModel", "BaseSettings", "Struct", "SQLModel"}
_NO_FIELD = {"ClassVar", "KW_ONLY"}
_FIELD_MAKERS = {"attr.ib", "attr.attrib", "attrs.field", "field", "ib"}
_MOST_ANCESTORS = 50


def ancestors(found: ClassRef) -> list[ClassRef | External]:
    """The class and its bases, nearest first; what cannot be read is there by name."""
    return list(_ancestors(found))


@lru_cache(maxsize=1024)
def _ancestors(found: ClassRef) -> tuple[ClassRef | External, ...]:
    line: list[ClassRef | External] = []
    waiting: list[ClassRef | External] = [found]
    while waiting and len(line) < _MOST_ANCESTORS:
        current = waiting.pop(0)
        if current in line:
            continue
        line.append(current)
        if isinstance(current, ClassRef):
            waiting[:0] = list(_bases(current))
    return tuple(line)


def _bases(found: ClassRef) -> Iterator[ClassRef | External]:
    for base in found.node.bases:
        bare = base.value if isinstance(base, ast.Subscript) else base
        meaning = found.scope.find(bare)
        if isinstance(meaning, TypeRef):
            made = class_from_call(meaning)
            if made is not None:
                yield made
        else:
            yield meaning


def external_bases(found: ClassRef) -> list[str]:
    """Last parts of the names of all bases that are defined elsewhere."""
    line = ancestors(found)
    return [each.name.rpartition(".")[2] for each in line if isinstance(each, External)]


@lru_cache(maxsize=1024)
def kind_of(found: ClassRef) -> ClassKind:
    """How instances of this class are made."""
    bases = external_bases(found)
    if ENUMS.intersection(bases):
        return ClassKind.ENUM
    if "TypedDict" in bases:
        return ClassKind.TYPED_DICT
    if "NamedTuple" in bases:
        return ClassKind.NAMED_TUPLE
    own = [unparse(b.value if isinstance(b, ast.Subscript) else b) for b in found.node.bases]
    if any(base.rpartition(".")[2] == "Protocol" for base in own):
        return ClassKind.PROTOCOL
    has_own_init = any(each.name == "__init__" for each in methods(found, "__init__")[:1])
    if not has_own_init and (_is_record(found) or _MODELS.intersection(bases)):
        return ClassKind.FIELDS
    return ClassKind.PLAIN


def _is_record(found: ClassRef) -> bool:
    line = [each for each in ancestors(found) if isinstance(each, ClassRef)]
    return any(_is_record_maker(name) for each in line for name in decorator_names(each.node))


def _is_record_maker(name: str) -> bool:
    return name == "attr.s" or name.rpartition(".")[2] in _RECORD_DECORATORS


def methods(found: ClassRef, name: str) -> list[Function]:
    """The definitions of a method along the line of ancestors, nearest first."""
    return [
        each
        for ancestor in ancestors(found)
        if isinstance(ancestor, ClassRef)
        for each in ancestor.node.body
        if isinstance(each, Function) and each.name == name
    ]


def abstract_methods(found: ClassRef) -> list[tuple[Function, ClassRef]]:
    """Methods that keep the class from being instantiated."""
    return list(_abstract_methods(found))


@lru_cache(maxsize=1024)
def _abstract_methods(found: ClassRef) -> tuple[tuple[Function, ClassRef], ...]:
    concrete: set[str] = set()
    missing: dict[str, tuple[Function, ClassRef]] = {}
    for ancestor in ancestors(found):
        if not isinstance(ancestor, ClassRef):
            continue
        for each in ancestor.node.body:
            if not isinstance(each, Function) or each.name in concrete | set(missing):
                continue
            if "overload" in " ".join(decorator_names(each)):
                continue
            if any("abstract" in name for name in decorator_names(each)):
                missing[each.name] = (each, ancestor)
            else:
                concrete.add(each.name)
    return tuple(missing.values())


def constructor_parameters(found: ClassRef) -> Parameters:
    """What the class takes when it is called."""
    if kind_of(found) in (ClassKind.FIELDS, ClassKind.NAMED_TUPLE, ClassKind.TYPED_DICT):
        return fields(found)
    for ancestor in ancestors(found):
        if not isinstance(ancestor, ClassRef):
            continue
        for name in ("__init__", "__new__"):
            for each in reversed(ancestor.node.body):
                if isinstance(each, Function) and each.name == name:
                    return parameters_of(Home(each, ancestor.scope, ancestor))[1:]
        if kind_of(ancestor) is ClassKind.FIELDS:
            return fields(ancestor)
    return _inherited_parameters(found)


def _inherited_parameters(found: ClassRef) -> Parameters:
    """What builtin bases take: an exception a message, the rest nothing."""
    is_error = any(name.endswith(("Error", "Exception")) for name in external_bases(found))
    if not is_error:
        return ()
    message = TypeRef(ast.Name("str"), found.scope)
    return (ParameterShape("message", ParameterKind.POSITIONAL_ONLY, message),)


def fields(found: ClassRef) -> Parameters:
    """The fields of a record, bases first, as the parameters of its constructor."""
    line = [each for each in reversed(ancestors(found)) if isinstance(each, ClassRef)]
    known: dict[str, ParameterShape] = {}
    for ancestor in line:
        for each in _own_fields(ancestor):
            known[each.name] = each
    return tuple(known.values())


def _own_fields(found: ClassRef) -> Iterator[ParameterShape]:
    for statement in found.node.body:
        match statement:
            case ast.AnnAssign(target=ast.Name(name), annotation=written, value=value):
                if not _is_no_field(written) and not _is_left_out(value) and name != "model_config":
                    yield _field(found, name, TypeRef(written, found.scope), value)
            case ast.Assign(targets=[ast.Name(name)], value=ast.Call(func=maker) as value):
                if unparse(maker) in _FIELD_MAKERS and not _is_left_out(value):
                    yield _field(found, name, _declared_type(value, found), value)


def _field(
    found: ClassRef, name: str, annotation: TypeRef | None, value: ast.expr | None
) -> ParameterShape:
    attrs_made = any("attr" in each for each in decorator_names(found.node))
    return ParameterShape(
        name.lstrip("_") if attrs_made else name,
        ParameterKind.KEYWORD_ONLY,
        annotation,
        _default(value),
        declaration=value,
    )


def _is_no_field(written: ast.expr) -> bool:
    text = unparse(written).strip("'\"").partition("[")[0]
    return text.rpartition(".")[2] in _NO_FIELD


def _is_left_out(value: ast.expr | None) -> bool:
    """`field(init=False)` and its like."""
    if not isinstance(value, ast.Call):
        return False
    return any(
        each.arg == "init" and isinstance(each.value, ast.Constant) and each.value.value is False
        for each in value.keywords
    )


def _declared_type(value: ast.Call, found: ClassRef) -> TypeRef | None:
    for each in value.keywords:
        if each.arg == "type":
            return TypeRef(each.value, found.scope)
    return None


def _default(value: ast.expr | None) -> ast.expr | None:
    """The default of a field; `field(default_factory=…)` counts as one."""
    if not isinstance(value, ast.Call):
        return value
    if unparse(value.func).rpartition(".")[2] not in ("field", "Field", "ib", "attrib"):
        return value
    for each in value.keywords:
        if each.arg in ("default", "default_factory", "factory"):
            return each.value
    if value.args and not is_ellipsis(value.args[0]):
        return value.args[0]
    return None


def factories(found: ClassRef) -> list[Function]:
    """Public class methods that give an instance."""
    own = (found.qualname.rpartition(".")[2], "Self")
    return [
        each
        for each in found.node.body
        if isinstance(each, Function)
        and not each.name.startswith("_")
        and "classmethod" in decorator_names(each)
        and each.returns is not None
        and unparse(each.returns).strip("'\"").rpartition(".")[2] in own
    ]


def is_closed(found: ClassRef) -> bool:
    """Whether the constructor only refuses: instances come from somewhere else."""
    for name in ("__init__", "__new__"):
        for method in methods(found, name)[:1]:
            body = [each for each in method.body if not is_bare_constant(each)]
            says_so = method.returns is not None and "NoReturn" in unparse(method.returns)
            if says_so or (body and isinstance(body[0], ast.Raise)):
                return True
    return False


@lru_cache(maxsize=1024)
def is_unfinished(found: ClassRef) -> bool:
    """Whether a class reads an attribute that it only declares: `config: dict` and no value."""
    if kind_of(found) is not ClassKind.PLAIN:
        return False
    line = [each.node for each in ancestors(found) if isinstance(each, ClassRef)]
    declared = {
        each.target.id
        for node in line
        for each in node.body
        if isinstance(each, ast.AnnAssign) and each.value is None
        if isinstance(each.target, ast.Name)
    }
    inside = [each for node in line for each in ast.walk(node)] if declared else []
    attributes = [each for each in inside if isinstance(each, ast.Attribute)]
    read = {each.attr for each in attributes if _is_own(each) and isinstance(each.ctx, ast.Load)}
    given = {each.attr for each in attributes if isinstance(each.ctx, ast.Store)}
    given |= {name for node in line for name in _assigned(node)}
    return bool((declared & read) - given)


def _is_own(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")


def _assigned(node: ast.ClassDef) -> Iterator[str]:
    """Names that the body of a class gives a value, or defines."""
    for each in node.body:
        match each:
            case ast.Assign(targets=targets):
                yield from (target.id for target in targets if isinstance(target, ast.Name))
            case ast.AnnAssign(target=ast.Name(name), value=ast.expr()):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name


@lru_cache(maxsize=1024)
def concrete_subclass(found: ClassRef) -> ClassRef | None:
    """A public class that fills in what is missing: of the same module, or of the package's own."""
    return next(filter(_is_concrete, _derived(found)), None)


def _is_concrete(option: ClassRef) -> bool:
    return not abstract_methods(option) and not is_unfinished(option)


def _derived(found: ClassRef) -> Iterator[ClassRef]:
    for node in definitions(found.scope.tree.body):
        if isinstance(node, ast.ClassDef):
            yield from _if_derived(ClassRef(node, found.scope, node.name), found)
    package = found.scope.other(found.scope.module.partition(".")[0])
    for name in package.names if package is not None else ():
        meaning = package.find_name(name) if package is not None else None
        if isinstance(meaning, ClassRef):
            yield from _if_derived(meaning, found)


def _if_derived(option: ClassRef, found: ClassRef) -> Iterator[ClassRef]:
    line = [_identity(each) for each in ancestors(option)[1:] if isinstance(each, ClassRef)]
    if _identity(found) in line and not option.qualname.startswith("_"):
        yield option


def _identity(found: ClassRef) -> tuple[str, str]:
    return found.scope.module, found.qualname
