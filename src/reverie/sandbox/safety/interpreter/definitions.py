"""Define functions and classes of the file."""

import ast

from reverie.sandbox.safety.interpreter.events import Arguments, Excess, Role
from reverie.sandbox.safety.interpreter.interpreter import Interpreter
from reverie.sandbox.safety.interpreter.loops import calls_itself_first
from reverie.sandbox.safety.interpreter.scope import Scope
from reverie.sandbox.safety.interpreter.values import (
    Class,
    Function,
    Symbol,
    Value,
    join,
    strings_of,
)

Definition = ast.FunctionDef | ast.AsyncFunctionDef
_TRANSPARENT_TYPES = frozenset({"typing.Optional", "typing.Union", "typing.Annotated"})
_BINDINGS = {
    "builtins.property": "property",
    "functools.cached_property": "property",
    "builtins.staticmethod": "static",
    "builtins.classmethod": "class",
}


def make_lambda(machine: Interpreter, node: ast.Lambda, scope: Scope) -> Value:
    """A lambda is a function without decorators."""
    function = Function(node, scope)
    _evaluate_defaults(machine, function, scope)
    machine.define(function)
    return (function,)


def define_function(
    machine: Interpreter, node: Definition, scope: Scope, owner: Class | None
) -> None:
    """Bind the name to the function as its decorators leave it."""
    function = Function(node, scope, owner)
    _evaluate_defaults(machine, function, scope)
    _evaluate_annotations(machine, function, scope)
    machine.define(function)
    if owner is None and not node.decorator_list and calls_itself_first(node):
        machine.emit(Excess(node, "recursion", "nothing in it ends it"))
    scope.bind(node.name, _decorated(machine, node.decorator_list, (function,), scope))


def _evaluate_defaults(machine: Interpreter, function: Function, scope: Scope) -> None:
    spec = function.node.args
    positional = [*spec.posonlyargs, *spec.args]
    with_default = positional[len(positional) - len(spec.defaults) :]
    for parameter, default in zip(with_default, spec.defaults, strict=True):
        function.defaults[parameter.arg] = machine.evaluate(default, scope)
    for parameter, optional in zip(spec.kwonlyargs, spec.kw_defaults, strict=True):
        if optional is not None:
            function.defaults[parameter.arg] = machine.evaluate(optional, scope)


def _evaluate_annotations(machine: Interpreter, function: Function, scope: Scope) -> None:
    spec = function.node.args
    extra = [p for p in (spec.vararg, spec.kwarg) if p is not None]
    for parameter in [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, *extra]:
        if parameter.annotation is not None:
            value = annotated_value(machine, parameter.annotation, scope)
            if value and parameter not in extra:
                function.annotations[parameter.arg] = value
    if not isinstance(function.node, ast.Lambda) and function.node.returns is not None:
        machine.evaluate(function.node.returns, scope, Role.QUIET)


def annotated_value(machine: Interpreter, node: ast.expr, scope: Scope) -> Value:
    """An object of the annotated type, when that type comes from outside the file."""
    value = machine.evaluate(node, scope, Role.QUIET)
    if isinstance(node, ast.Subscript):
        base = machine.evaluate(node.value, scope, Role.QUIET)
        if not any(isinstance(a, Symbol) and a.name in _TRANSPARENT_TYPES for a in base):
            return ()
        value = machine.evaluate(node.slice, scope, Role.QUIET)
    found = list(value)
    for text in strings_of(value):
        if all(part.isidentifier() for part in text.split(".")):
            found += machine.evaluate(_dotted(text, node), scope, Role.QUIET)
    names = [a.name for a in found if isinstance(a, Symbol)]
    kept = [name for name in names if not name.startswith(("builtins.", "typing.", "<"))]
    return join([(Symbol(f"{name}()"),) for name in kept]) if kept else ()


def _dotted(text: str, node: ast.expr) -> ast.expr:
    first, *rest = text.split(".")
    expression: ast.expr = ast.copy_location(ast.Name(first, ast.Load()), node)
    for attribute in rest:
        expression = ast.copy_location(ast.Attribute(expression, attribute, ast.Load()), node)
    return expression


def _decorated(
    machine: Interpreter, decorators: list[ast.expr], value: Value, scope: Scope
) -> Value:
    """Decorators from outside are taken to wrap what they are given."""
    for decorator in reversed(decorators):
        callee = machine.evaluate(decorator, scope, Role.CALLEE)
        _set_binding(callee, value)
        result = machine.call(callee, Arguments((value,)), decorator, scope)
        own = tuple(atom for atom in result if isinstance(atom, (Function, Class)))
        value = join([own, value]) if own else value
    return value


def _set_binding(callee: Value, value: Value) -> None:
    for atom in callee:
        if isinstance(atom, Symbol) and atom.name in _BINDINGS:
            for target in value:
                if isinstance(target, Function):
                    target.binding = _BINDINGS[atom.name]  # type: ignore[assignment]


def define_class(machine: Interpreter, node: ast.ClassDef, scope: Scope) -> None:
    """Run the class body, then bind the name to the class as its decorators leave it."""
    bases = [machine.evaluate(base, scope) for base in node.bases]
    for keyword in node.keywords:
        machine.evaluate(keyword.value, scope)
    made = Class(node, tuple(bases))
    inner = Scope("class", scope)
    inner.owner = made
    machine.execute(node.body, inner)
    made.attributes = {**inner.variables, **made.attributes}
    scope.bind(node.name, _decorated(machine, node.decorator_list, (made,), scope))
