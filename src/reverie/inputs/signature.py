"""The shape of a callable, read from its source: parameters, overloads, and how it is reached.

    shape = read("def area(w: int, h: int) -> int: ...", "area")
    [each.name for each in shape.parameters]  # ['w', 'h']

Also calls with literal arguments that its module shows: in its own code and in its docstrings.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

from reverie.errors import UsageError
from reverie.inputs.literals import arguments_of, doctest_trees, is_literal
from reverie.inputs.scope import ClassRef, Resolver, Scope, TypeRef, definitions, parse
from reverie.inputs.values.plain import literal
from reverie.model.call import Call, Expression
from reverie.model.repository.code import ParameterKind
from reverie.syntax.nodes import Function, own_nodes
from reverie.syntax.unparsing import unparse


class CallableKind(StrEnum):
    """How a callable is reached."""

    FUNCTION = "function"
    METHOD = "method"
    CLASS_METHOD = "class_method"
    STATIC_METHOD = "static_method"
    CONSTRUCTOR = "constructor"
    PROPERTY = "property"


@dataclass(frozen=True, slots=True)
class Home:
    """Where a parameter is declared: its function, and the class around it."""

    node: Function
    scope: Scope
    owner: ClassRef | None = None


@dataclass(frozen=True, slots=True)
class ParameterShape:
    """One parameter. Annotation and default are syntax, never values."""

    name: str
    kind: ParameterKind
    annotation: TypeRef | None = None
    default: ast.expr | None = None
    home: Home | None = None
    declaration: ast.expr | None = None
    """Of a field: the call that declares it, `Field(gt=0)`."""

    @property
    def is_required(self) -> bool:
        """Whether a call must give it."""
        return self.default is None and self.kind not in VARIADIC


VARIADIC = (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)
Parameters = tuple[ParameterShape, ...]


@dataclass(frozen=True, slots=True)
class CallableShape:
    """A callable: what it takes, what it says it returns, how it is driven."""

    qualname: str
    kind: CallableKind
    parameters: Parameters
    scope: Scope
    node: Function | ast.ClassDef
    owner: ClassRef | None = None
    returns: TypeRef | None = None
    overloads: tuple[Parameters, ...] = ()
    is_async: bool = False
    """Calling it gives a coroutine, or an asynchronous iterator if it is a generator too."""
    is_generator: bool = False

    @property
    def signatures(self) -> tuple[Parameters, ...]:
        """The ways to call it: its overloads, or what it takes itself."""
        return self.overloads or (self.parameters,)

    @property
    def returns_source(self) -> str | None:
        """The declared type of the result, as written."""
        return None if self.returns is None else written(self.returns.node)


def read(
    source: str,
    qualname: str | None = None,
    *,
    module: str = "",
    is_package: bool = False,
    resolver: Resolver | None = None,
    stub: str | None = None,
) -> CallableShape:
    """The shape of `qualname` (`function`, `Class`, `Class.method`) in a source.

    Without a name it is the last public function, or else the last public class. `module` is
    the source's own dotted name; `resolver` gives the source of other modules by theirs; `stub`
    is the text of its `.pyi`, which speaks where the source says no types.
    """
    scope = Scope(parse(source), module, is_package, resolver=resolver or _unknown)
    name = qualname or default_entry(scope)
    node = scope.function(name)
    if node is None:
        raise UsageError(f"the source defines no {name!r}")
    shape = shape_of(node, name, scope)
    if stub is None:
        return shape
    typed = Scope(parse(stub), module, is_package, resolver=scope.resolver)
    declared = typed.function(name)
    return shape if declared is None else merged(shape, shape_of(declared, name, typed))


def _unknown(name: str) -> str | None:
    return None


def default_entry(scope: Scope) -> str:
    """The name that is meant when nobody says one."""
    found = list(definitions(scope.tree.body))
    public = [each for each in found if not each.name.startswith("_")]
    functions = [each for each in public if isinstance(each, Function)]
    for options in (functions, public, found):
        if options:
            return options[-1].name
    raise UsageError("the source defines no function and no class")


def shape_of(node: "Function | ast.ClassDef", qualname: str, scope: Scope) -> CallableShape:
    """The shape of a definition that was found in `scope`."""
    owner = _owner(qualname, scope)
    scope = scope.around(node)
    if isinstance(node, ast.ClassDef):
        from reverie.inputs.classes import constructor_parameters

        taken = constructor_parameters(ClassRef(node, scope, qualname))
        return CallableShape(qualname, CallableKind.CONSTRUCTOR, taken, scope, node)
    kind = _kind(node, owner)
    ways = _accessors if kind is CallableKind.PROPERTY else _overloads
    is_bound = kind in (CallableKind.METHOD, CallableKind.CLASS_METHOD, CallableKind.PROPERTY)
    return CallableShape(
        qualname,
        kind,
        parameters_of(Home(node, scope, owner))[is_bound:],
        scope,
        node,
        owner,
        None if node.returns is None else TypeRef(node.returns, scope),
        tuple(
            parameters_of(Home(each, scope, owner))[is_bound:] for each in ways(node, owner, scope)
        ),
        isinstance(node, ast.AsyncFunctionDef),
        any(isinstance(each, ast.Yield | ast.YieldFrom) for each in own_nodes(node)),
    )


def parameters_of(home: Home) -> Parameters:
    """What a function takes, `self` included."""
    arguments = home.node.args
    found = [
        _parameter(each, ParameterKind.POSITIONAL_ONLY, home) for each in arguments.posonlyargs
    ]
    found += [
        _parameter(each, ParameterKind.POSITIONAL_OR_KEYWORD, home) for each in arguments.args
    ]
    first = len(found) - len(arguments.defaults)
    for index, default in enumerate(arguments.defaults):
        found[first + index] = replace(found[first + index], default=default)
    if arguments.vararg is not None:
        found.append(_parameter(arguments.vararg, ParameterKind.VAR_POSITIONAL, home))
    for each, default_node in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        named = _parameter(each, ParameterKind.KEYWORD_ONLY, home)
        found.append(replace(named, default=default_node))
    if arguments.kwarg is not None:
        found.append(_parameter(arguments.kwarg, ParameterKind.VAR_KEYWORD, home))
    return tuple(found)


def _parameter(argument: ast.arg, kind: ParameterKind, home: Home) -> ParameterShape:
    written_type = argument.annotation
    annotation = None if written_type is None else TypeRef(written_type, home.scope)
    return ParameterShape(argument.arg, kind, annotation, home=home)


def decorator_names(node: "Function | ast.ClassDef") -> list[str]:
    """The decorators as written, without their arguments."""
    bare = (each.func if isinstance(each, ast.Call) else each for each in node.decorator_list)
    return [unparse(each) for each in bare]


def written(node: ast.expr) -> str:
    """A type as its author wrote it, without quotes around it."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return unparse(node)


def merged(shape: CallableShape, stub: CallableShape) -> CallableShape:
    """A shape with the annotations of its stub where it has none itself."""
    known = {each.name: each.annotation for each in stub.parameters}
    taken = tuple(
        replace(each, annotation=each.annotation or known.get(each.name))
        for each in shape.parameters
    )
    return replace(
        shape,
        parameters=taken,
        overloads=shape.overloads or stub.overloads,
        returns=shape.returns or stub.returns,
    )


def _owner(qualname: str, scope: Scope) -> ClassRef | None:
    outer, _, _ = qualname.rpartition(".")
    found = scope.function(outer) if outer else None
    return ClassRef(found, scope, outer) if isinstance(found, ast.ClassDef) else None


def _kind(node: Function, owner: ClassRef | None) -> CallableKind:
    if owner is None:
        return CallableKind.FUNCTION
    last = [name.rpartition(".")[2] for name in decorator_names(node)]
    if "staticmethod" in last:
        return CallableKind.STATIC_METHOD
    if "classmethod" in last or node.name in ("__new__", "__init_subclass__"):
        return CallableKind.CLASS_METHOD
    if {"property", "cached_property", "setter", "deleter"}.intersection(last):
        return CallableKind.PROPERTY
    return CallableKind.METHOD


def _overloads(node: Function, owner: ClassRef | None, scope: Scope) -> Iterator[Function]:
    body = scope.tree.body if owner is None else owner.node.body
    for each in definitions(body):
        is_namesake = isinstance(each, Function) and each.name == node.name
        if is_namesake and any("overload" in name for name in decorator_names(each)):
            yield each  # type: ignore[misc]


def _accessors(node: Function, owner: ClassRef | None, scope: Scope) -> Iterator[Function]:
    """The getter and the setter of a property: it can be read and, if there is one, set."""
    for each in definitions([] if owner is None else owner.node.body):
        is_namesake = isinstance(each, Function) and each.name == node.name
        if is_namesake and not any(name.endswith(".deleter") for name in decorator_names(each)):
            yield each  # type: ignore[misc]


_MOST_EACH = 12


def shown_calls(scope: Scope, name: str, parameters: Parameters) -> list[Call]:
    """Calls of `name` that the module shows and that would bind to the parameters."""
    return [_as_call(each) for each in _by_name(scope).get(name, ()) if binds(each, parameters)]


def shown_instances(found: ClassRef, parameters: Parameters) -> list[Call]:
    """Constructor calls of a class that its own module shows."""
    name = found.qualname.rpartition(".")[2]
    return [each for each in shown_calls(found.scope, name, parameters) if each.args or each.kwargs]


@lru_cache(maxsize=256)
def _by_name(scope: Scope) -> dict[str, tuple[ast.Call, ...]]:
    found: dict[str, list[ast.Call]] = {}
    for call in _calls(scope.tree):
        name = unparse(call.func).rpartition(".")[2] if _is_name(call.func) else ""
        known = found.setdefault(name, [])
        has_stars = any(each.arg is None for each in call.keywords)
        if len(known) < _MOST_EACH and not has_stars and all(map(is_literal, arguments_of(call))):
            known.append(call)
    return {name: tuple(calls) for name, calls in found.items() if name}


def _is_name(node: ast.expr) -> bool:
    return isinstance(node, ast.Name | ast.Attribute)


def _calls(tree: ast.Module) -> Iterator[ast.Call]:
    """Those of the docstrings first: they are meant to be shown."""
    for node in ast.walk(tree):
        if isinstance(node, Function | ast.ClassDef | ast.Module):
            for shown in doctest_trees(ast.get_docstring(node)):
                yield from (each for each in ast.walk(shown) if isinstance(each, ast.Call))
    yield from (each for each in ast.walk(tree) if isinstance(each, ast.Call))


def binds(call: ast.Call, parameters: Parameters) -> bool:
    """Whether a call would bind to the parameters."""
    by_name = {each.name: each for each in parameters}
    by_place = [each for each in parameters if each.kind in _BY_PLACE]
    takes_rest = any(each.kind is ParameterKind.VAR_POSITIONAL for each in parameters)
    if len(call.args) > len(by_place) and not takes_rest:
        return False
    given = {each.name for each in by_place[: len(call.args)]}
    named = {str(each.arg) for each in call.keywords}
    required = {each.name for each in parameters if each.is_required}
    return named <= set(by_name) and not named & given and required <= given | named


_BY_PLACE = (ParameterKind.POSITIONAL_ONLY, ParameterKind.POSITIONAL_OR_KEYWORD)


def _as_call(node: ast.Call) -> Call:
    args = tuple(_expression(each) for each in node.args)
    return Call(args, tuple((str(each.arg), _expression(each.value)) for each in node.keywords))


def _expression(node: ast.expr) -> Expression:
    return Expression(literal(ast.literal_eval(node)))
