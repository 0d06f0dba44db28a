"""Instances of classes that the source under test, or its repository, defines."""

import ast
from dataclasses import replace

from reverie.inputs.classes import (
    ClassKind,
    abstract_methods,
    ancestors,
    constructor_parameters,
    external_bases,
    fields,
    kind_of,
)
from reverie.inputs.scope import ClassRef, FunctionNode, TypeRef, definitions
from reverie.inputs.values.arguments import Presence, draw_arguments
from reverie.inputs.values.draw import Draw
from reverie.inputs.values.forms import Make, bound_variables, class_name
from reverie.inputs.values.write import call, literal, mapping
from reverie.model.call import Expression, combine

_VALUE_BASES = ("str", "int", "float", "list", "dict", "tuple", "set", "bytes", "frozenset")
_MOST_NESTED = 8


def instance(draw: Draw, found: ClassRef, arguments: list[TypeRef], make: Make) -> Expression:
    """An instance of a class, made the way the class wants it."""
    if draw.depth > _MOST_NESTED:
        return Expression("None")
    bindings = {**draw.bindings, **_generic_bindings(found, arguments)}
    within = replace(draw, owner=found, bindings=bindings)
    match kind_of(found):
        case ClassKind.ENUM:
            return member(draw, found)
        case ClassKind.TYPED_DICT:
            return _typed_dict(within, found, make)
        case ClassKind.PROTOCOL:
            return stand_in(within, found, make)
        case _:
            return _constructed(within, found, make)


def _generic_bindings(found: ClassRef, arguments: list[TypeRef]) -> dict[str, TypeRef]:
    for base in found.node.bases:
        if isinstance(base, ast.Subscript) and arguments:
            return bound_variables(TypeRef(base, found.scope), arguments)
    return {}


def member(draw: Draw, found: ClassRef) -> Expression:
    """A member of an enum."""
    names = [
        target.id
        for statement in found.node.body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name) and not target.id.startswith("_")
    ]
    held = class_name(found)
    if not names:
        return combine(f"next(iter({held.source}))", [held])
    return held.replaced(f"{held.source}.{draw.dice.pick(names)}")


def _typed_dict(draw: Draw, found: ClassRef, make: Make) -> Expression:
    pairs = []
    for each in fields(found):
        written = "" if each.annotation is None else ast.unparse(each.annotation.node)
        if "NotRequired" in written and draw.dice.chance(0.5):
            continue
        if each.annotation is not None:
            value = make(draw.inner(each.name), each.annotation)
            pairs.append((Expression(literal(each.name)), value))
    return mapping(pairs)


def _constructed(draw: Draw, found: ClassRef, make: Make) -> Expression:
    if abstract_methods(found):
        concrete = _concrete_subclass(found)
        if concrete is None:
            return stand_in(draw, found, make)
        found = concrete
    parameters = constructor_parameters(found)
    target = class_name(found)
    if not parameters:
        base = next((each for each in external_bases(found) if each in _VALUE_BASES), None)
        has_init = any(isinstance(each, FunctionNode) and each.name in ("__init__", "__new__")
                       for each in found.node.body)  # fmt: skip
        if base is not None and not has_init:
            value = make(draw.inner(), TypeRef(ast.Name(base), found.scope))
            return call(target, [value], [])
    presence = Presence.REQUIRED if draw.depth else Presence.SOME
    args, kwargs = draw_arguments(draw.inner(), parameters, presence, make)
    return call(target, args, kwargs)


def _concrete_subclass(found: ClassRef) -> ClassRef | None:
    """A class of the same module that fills in everything abstract."""
    for node in definitions(found.scope.tree.body):
        if isinstance(node, ast.ClassDef) and node is not found.node:
            option = ClassRef(node, found.scope, node.name)
            line = [each.node for each in ancestors(option) if isinstance(each, ClassRef)]
            if (
                found.node in line
                and not abstract_methods(option)
                and not node.name.startswith("_")
            ):
                return option
    return None


def stand_in(draw: Draw, found: ClassRef, make: Make) -> Expression:
    """A class written for the occasion: a protocol's methods, or an abstract base filled in."""
    is_protocol = kind_of(found) is ClassKind.PROTOCOL
    held = class_name(found)
    bare = found.qualname.replace(".", "").lstrip("_")
    name = f"{bare[:1].upper()}{bare[1:]}StandIn"
    lines, parts = [], []
    for node, home in _methods_to_fill(found, is_protocol):
        value = _answer(draw, node, home, make)
        parts.append(value)
        lines += _method(node, value)
    if is_protocol:
        for field in _attributes(found):
            value = make(draw.inner(field.id), _annotation(found, field.id))
            parts.append(value)
            lines.append(f"    {field.id} = {value.source}")
    base = "" if is_protocol else f"({held.source})"
    text = "\n".join((f"class {name}{base}:", *(lines or ["    pass"]))) + "\n"
    needs = combine(f"{name}()", parts, *(() if is_protocol else (held,)))
    return Expression(needs.source, needs.modules, needs.names, (*needs.definitions, text))


def _methods_to_fill(found: ClassRef, is_protocol: bool) -> list[tuple[FunctionNode, ClassRef]]:
    if not is_protocol:
        return abstract_methods(found)
    methods: dict[str, tuple[FunctionNode, ClassRef]] = {}
    for ancestor in ancestors(found):
        if isinstance(ancestor, ClassRef):
            for each in ancestor.node.body:
                if isinstance(each, FunctionNode):
                    methods.setdefault(each.name, (each, ancestor))
    return list(methods.values())


def _answer(draw: Draw, node: FunctionNode, home: ClassRef, make: Make) -> Expression:
    if node.returns is None or draw.is_deep:
        return Expression("None")
    return make(draw.inner(node.name), TypeRef(node.returns, home.scope))


def _method(node: FunctionNode, value: Expression) -> list[str]:
    """A method that takes anything and answers with `value`."""
    prefix = "async " if isinstance(node, ast.AsyncFunctionDef) else ""
    decorators = [ast.unparse(each) for each in node.decorator_list]
    if any(each.rpartition(".")[2] == "property" for each in decorators):
        return ["    @property", f"    def {node.name}(self):", f"        return {value.source}"]
    return [
        f"    {prefix}def {node.name}(self, *args, **kwargs):",
        f"        return {value.source}",
    ]


def _attributes(found: ClassRef) -> list[ast.Name]:
    return [
        each.target
        for each in found.node.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    ]


def _annotation(found: ClassRef, name: str) -> TypeRef:
    for each in found.node.body:
        match each:
            case ast.AnnAssign(target=ast.Name(field), annotation=written) if field == name:
                return TypeRef(written, found.scope)
    return TypeRef(ast.Name("Any"), found.scope)
