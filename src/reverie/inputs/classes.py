"""What it takes to make an instance of a class, read from its definition and its bases."""

import ast
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache

from reverie.inputs.called_classes import ENUMS, class_from_call
from reverie.inputs.scope import ClassRef, External, FunctionNode, TypeRef
from reverie.inputs.signature import (
    Home,
    Parameters,
    ParameterShape,
    decorator_names,
    parameters_of,
)
from reverie.model.code import ParameterKind


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
    own = [ast.unparse(b.value if isinstance(b, ast.Subscript) else b) for b in found.node.bases]
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


def methods(found: ClassRef, name: str) -> list[FunctionNode]:
    """The definitions of a method along the line of ancestors, nearest first."""
    return [
        each
        for ancestor in ancestors(found)
        if isinstance(ancestor, ClassRef)
        for each in ancestor.node.body
        if isinstance(each, FunctionNode) and each.name == name
    ]


def abstract_methods(found: ClassRef) -> list[tuple[FunctionNode, ClassRef]]:
    """Methods that keep the class from being instantiated."""
    return list(_abstract_methods(found))


@lru_cache(maxsize=1024)
def _abstract_methods(found: ClassRef) -> tuple[tuple[FunctionNode, ClassRef], ...]:
    concrete: set[str] = set()
    missing: dict[str, tuple[FunctionNode, ClassRef]] = {}
    for ancestor in ancestors(found):
        if not isinstance(ancestor, ClassRef):
            continue
        for each in ancestor.node.body:
            if not isinstance(each, FunctionNode) or each.name in concrete | set(missing):
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
                if isinstance(each, FunctionNode) and each.name == name:
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
                if ast.unparse(maker) in _FIELD_MAKERS and not _is_left_out(value):
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
    text = ast.unparse(written).strip("'\"").partition("[")[0]
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
    if ast.unparse(value.func).rpartition(".")[2] not in ("field", "Field", "ib", "attrib"):
        return value
    for each in value.keywords:
        if each.arg in ("default", "default_factory", "factory"):
            return each.value
    if value.args and not _is_ellipsis(value.args[0]):
        return value.args[0]
    return None


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is Ellipsis


def factories(found: ClassRef) -> list[FunctionNode]:
    """Public class methods that give an instance."""
    own = (found.qualname.rpartition(".")[2], "Self")
    return [
        each
        for each in found.node.body
        if isinstance(each, FunctionNode)
        and not each.name.startswith("_")
        and "classmethod" in decorator_names(each)
        and each.returns is not None
        and ast.unparse(each.returns).strip("'\"").rpartition(".")[2] in own
    ]


def is_closed(found: ClassRef) -> bool:
    """Whether the constructor only refuses: instances come from somewhere else."""
    for name in ("__init__", "__new__"):
        for method in methods(found, name)[:1]:
            body = [each for each in method.body if not _is_text(each)]
            says_so = method.returns is not None and "NoReturn" in ast.unparse(method.returns)
            if says_so or (body and isinstance(body[0], ast.Raise)):
                return True
    return False


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
