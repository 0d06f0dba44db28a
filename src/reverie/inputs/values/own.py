"""Instances of classes that the source under test, or its repository, defines."""

import ast
from dataclasses import replace

from reverie.inputs.classes import (
    ClassKind,
    abstract_methods,
    ancestors,
    concrete_subclass,
    constructor_parameters,
    external_bases,
    factories,
    fields,
    is_closed,
    is_unfinished,
    kind_of,
    methods,
)
from reverie.inputs.rehearsal import constructor_refusal
from reverie.inputs.scope import ClassRef, External, TypeRef
from reverie.inputs.signature import Home, Parameters, binds, parameters_of, shown_instances
from reverie.inputs.values.arguments import Arguments, Presence, draw_arguments
from reverie.inputs.values.catalogue import CATALOGUE
from reverie.inputs.values.forms import Make, bound_variables, class_name
from reverie.inputs.values.plain import Draw, Tactic, Theme, call, literal, mapping
from reverie.model.call import Expression, combine
from reverie.model.repository.code import ParameterKind
from reverie.syntax.nodes import Function
from reverie.syntax.parsing import parse_expression
from reverie.syntax.unparsing import unparse

_VALUE_BASES = ("str", "int", "float", "list", "dict", "tuple", "set", "bytes", "frozenset")
_MOST_NESTED = 8
_SHOWN_TAKEN = 0.9
_TRIES, _TRIES_EACH, _MOST_SINGLED, _DEEPEST_TRIED = 24, 4, 2, 2
"""How often a constructor is offered something else: its first optional parameters one by one."""
_NAMED = (ParameterKind.POSITIONAL_OR_KEYWORD, ParameterKind.KEYWORD_ONLY)
_MOCKED = 0.8
_MORE, _MORE_FIELDS = 0.1, 0.5
"""How often an instance is given more than it needs."""


def value(draw: Draw, found: ClassRef, arguments: list[TypeRef], make: Make) -> Expression:
    """An instance as an argument: with the tactic for it, sometimes a mock of its class."""
    is_plain = kind_of(found) is ClassKind.PLAIN
    if draw.tactic is Tactic.MOCKED and is_plain and draw.dice.chance(_MOCKED):
        held = class_name(found)
        needs = Expression("", frozenset({"unittest.mock"}))
        return combine(f"unittest.mock.MagicMock(__class__={held.source})", [held], needs)
    return instance(draw, found, arguments, make)


def instance(draw: Draw, found: ClassRef, arguments: list[TypeRef], make: Make) -> Expression:
    """An instance of a class, made the way the class wants it."""
    if draw.depth > _MOST_NESTED:
        return Expression("None")
    bindings = {**draw.bindings, **_generic_bindings(draw, found, arguments)}
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


def _generic_bindings(draw: Draw, found: ClassRef, arguments: list[TypeRef]) -> dict[str, TypeRef]:
    """What the type variables of a class stand for, and those of the bases it hands them on to."""
    known: dict[str, TypeRef] = {}
    for base in found.node.bases:
        if isinstance(base, ast.Subscript) and arguments:
            known |= bound_variables(draw, TypeRef(base, found.scope), arguments)
    for base in found.node.bases:
        if isinstance(base, ast.Subscript):
            meaning = found.scope.find(base.value)
            if isinstance(meaning, ClassRef) and meaning.node is not found.node:
                parts = base.slice.elts if isinstance(base.slice, ast.Tuple) else [base.slice]
                given = [known.get(unparse(e), TypeRef(e, found.scope)) for e in parts]
                known = _generic_bindings(draw, meaning, given) | known
    return known


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
        written = "" if each.annotation is None else unparse(each.annotation.node)
        if "NotRequired" in written and draw.dice.chance(0.5):
            continue
        if each.annotation is not None:
            value = make(draw.inner(each.name), each.annotation)
            pairs.append((Expression(literal(each.name)), value))
    return mapping(pairs)


def _constructed(draw: Draw, found: ClassRef, make: Make) -> Expression:
    if abstract_methods(found) or is_unfinished(found):
        concrete = concrete_subclass(found)
        if concrete is None and abstract_methods(found):
            return stand_in(draw, found, make)
        found = concrete or found
    if is_closed(found):
        for factory in factories(found):
            return _made_by(draw, found, factory, make)
    parameters = constructor_parameters(found)
    target = class_name(found)
    shown = shown_instances(found, parameters)
    if shown and draw.dice.chance(_SHOWN_TAKEN):
        example = draw.dice.pick(shown)
        return call(target, list(example.args), list(example.kwargs))
    inherited = _as_its_base(draw, found, parameters)
    if inherited is not None:
        return target.replaced(f"{target.source}({inherited})")
    if not parameters:
        base = next((each for each in external_bases(found) if each in _VALUE_BASES), None)
        if base is not None and not methods(found, "__init__") and not methods(found, "__new__"):
            value = make(draw.inner(), TypeRef(ast.Name(base), found.scope))
            return call(target, [value], [])
    more = _MORE_FIELDS if kind_of(found) is ClassKind.FIELDS else _MORE
    is_rich = draw.tactic is Tactic.RICH or (not draw.depth and draw.dice.chance(more))
    args, kwargs = _admitted(draw, found, parameters, is_rich, make)
    return call(target, args, kwargs)


def _admitted(
    draw: Draw, found: ClassRef, parameters: Parameters, is_rich: bool, make: Make
) -> Arguments:
    """Arguments that the constructor does not refuse; with more than it asks for, if need be."""
    presence = Presence.SOME if is_rich else Presence.REQUIRED
    drawn = draw_arguments(draw.inner(), parameters, presence, make)
    if draw.depth > _DEEPEST_TRIED:
        return drawn
    for turn in range(_TRIES):
        if constructor_refusal(found, drawn[0], dict(drawn[1])) is None:
            return drawn
        taken = _with_one_more(parameters, turn // _TRIES_EACH)
        presence = Presence.SOME if taken == parameters else Presence.ALL
        plainest = Theme.TYPICAL if turn % 2 else Theme.SINGLE
        drawn = draw_arguments(replace(draw.inner(), theme=plainest), taken, presence, make)
    return drawn


def _with_one_more(parameters: Parameters, place: int) -> Parameters:
    """What is required and the optional parameter at that place, by name; all if there is none."""
    optional = [each for each in parameters if not each.is_required and each.kind in _NAMED]
    if place >= min(len(optional), _MOST_SINGLED):
        return parameters
    chosen = replace(optional[place], kind=ParameterKind.KEYWORD_ONLY)
    return (*(each for each in parameters if each.is_required), chosen)


def _as_its_base(draw: Draw, found: ClassRef, parameters: Parameters) -> str | None:
    """The arguments that a catalogued base of the class takes: a date is made like a date."""
    known = [each.name for each in ancestors(found) if isinstance(each, External)]
    for name in known:
        if name not in CATALOGUE or (parameters and not draw.dice.chance(_SHOWN_TAKEN)):
            continue
        opening = f"{name}("
        typical = [each for each in CATALOGUE[name].typical if each.startswith(opening)]
        plain = [each.removeprefix(opening).removesuffix(")") for each in typical]
        fitting = [each for each in plain if "." not in each and _fits(each, parameters)]
        if fitting:
            return draw.dice.pick(fitting)
    return None


def _fits(arguments: str, parameters: Parameters) -> bool:
    """Without parameters of its own the class takes what its base does."""
    shown = parse_expression(f"f({arguments})")
    return not parameters or (isinstance(shown, ast.Call) and binds(shown, parameters))


def _made_by(draw: Draw, found: ClassRef, factory: Function, make: Make) -> Expression:
    taken = parameters_of(Home(factory, found.scope, found))[1:]
    args, kwargs = draw_arguments(draw.inner(), taken, Presence.REQUIRED, make)
    held = class_name(found)
    return call(held.replaced(f"{held.source}.{factory.name}"), args, kwargs)


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
    arguments = "" if is_protocol else _base_arguments(draw, found, parts, make)
    needs = combine(f"{name}({arguments})", parts, *(() if is_protocol else (held,)))
    return Expression(needs.source, needs.modules, needs.names, (*needs.definitions, text))


def _base_arguments(draw: Draw, found: ClassRef, parts: list[Expression], make: Make) -> str:
    """What the constructor of an abstract base needs; its needs go to `parts`."""
    taken = constructor_parameters(found)
    args, kwargs = draw_arguments(draw.inner(), taken, Presence.REQUIRED, make)
    made = call(Expression(""), args, kwargs)
    parts.append(made)
    return made.source[1:-1]


def _methods_to_fill(found: ClassRef, is_protocol: bool) -> list[tuple[Function, ClassRef]]:
    if not is_protocol:
        return abstract_methods(found)
    methods: dict[str, tuple[Function, ClassRef]] = {}
    for ancestor in ancestors(found):
        if isinstance(ancestor, ClassRef):
            for each in ancestor.node.body:
                if isinstance(each, Function):
                    methods.setdefault(each.name, (each, ancestor))
    return list(methods.values())


def _answer(draw: Draw, node: Function, home: ClassRef, make: Make) -> Expression:
    if node.returns is None or draw.is_deep:
        return Expression("None")
    return make(draw.inner(node.name), TypeRef(node.returns, home.scope))


def _method(node: Function, value: Expression) -> list[str]:
    """A method that takes anything and answers with `value`."""
    prefix = "async " if isinstance(node, ast.AsyncFunctionDef) else ""
    decorators = [unparse(each) for each in node.decorator_list]
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
