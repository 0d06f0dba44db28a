"""Define functions and classes of the file, and follow calls into them."""

import ast

from reverie.sandbox.safety.interpreter.attributes import find_member
from reverie.sandbox.safety.interpreter.interpreter import Arguments, Excess, Interpreter, Role
from reverie.sandbox.safety.interpreter.loops import calls_itself_first
from reverie.sandbox.safety.interpreter.scope import Scope
from reverie.sandbox.safety.interpreter.values import (
    ANYTHING,
    Atom,
    Class,
    Function,
    Instance,
    Items,
    Symbol,
    Table,
    Value,
    join,
    strings_of,
)
from reverie.syntax.nodes import Function as Definition

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


_SCRATCH_FIXTURES = frozenset({"tmp_path", "tmpdir"})
_GENERIC = "generic"


def call_function(machine: Interpreter, function: Function, arguments: Arguments) -> Value:
    """What the function may return for these arguments; the same question is asked once."""
    key = (arguments.positional, tuple(arguments.keywords.items()), arguments.open_ended)
    if key in function.results:
        return function.results[key]
    if not machine.enter(function):
        return function.results.get(_GENERIC, ANYTHING)
    function.results[key] = ANYTHING  # what a recursive call sees
    scope = Scope("function", function.scope)
    _bind_parameters(function, arguments, scope)
    _run(machine, function, scope)
    result = machine.leave()
    function.results[key] = result
    return result


def analyse_function(machine: Interpreter, function: Function) -> None:
    """Look at a function as if anybody called it with anything."""
    if not machine.enter(function):
        return
    scope = Scope("function", function.scope)
    receiver = _receiver(function)
    given = Arguments((receiver,) if receiver else (), {}, open_ended=True)
    _bind_parameters(function, given, scope)
    _run(machine, function, scope)
    function.results[_GENERIC] = machine.leave()


def _run(machine: Interpreter, function: Function, scope: Scope) -> None:
    if isinstance(function.node, ast.Lambda):
        machine.give_back(machine.evaluate(function.node.body, scope))
    else:
        machine.execute(function.node.body, scope)


def _receiver(function: Function) -> Value:
    if function.owner is None or function.binding == "static":
        return ()
    if function.binding == "class":
        return (function.owner,)
    return (Instance(function.owner),)


def _bind_parameters(function: Function, arguments: Arguments, scope: Scope) -> None:
    spec = function.node.args
    positional = [*spec.posonlyargs, *spec.args]
    given = list(arguments.positional)
    for index, parameter in enumerate([*positional, *spec.kwonlyargs]):
        name = parameter.arg
        if index < len(given) and index < len(positional):
            value = given[index]
        elif name in arguments.keywords:
            value = arguments.keywords[name]
        else:
            value = _unfilled(function, name, open_ended=arguments.open_ended)
        scope.variables[name] = value
    if spec.vararg is not None:
        rest = tuple(given[len(positional) :])
        scope.variables[spec.vararg.arg] = _rest(rest, arguments)
    if spec.kwarg is not None:
        names = {parameter.arg for parameter in (*positional, *spec.kwonlyargs)}
        extra = tuple((k, v) for k, v in arguments.keywords.items() if k not in names)
        table = Table(extra, complete=not arguments.open_ended)
        scope.variables[spec.kwarg.arg] = (table,)


def _rest(rest: tuple[Value, ...], arguments: Arguments) -> Value:
    exact: Atom = Items("tuple", rest)
    return join([(exact,), ANYTHING]) if arguments.open_ended else (exact,)


def _unfilled(function: Function, name: str, *, open_ended: bool) -> Value:
    found = [function.annotations[name]] if name in function.annotations else []
    if name in function.defaults:
        found.append(function.defaults[name])
        if not open_ended:
            return function.defaults[name]
    if name in _SCRATCH_FIXTURES:
        return (Symbol("pathlib.Path()", ("/tmp/", None)),)
    return join([*found, ANYTHING])


def call_class(machine: Interpreter, of: Class, arguments: Arguments, node: ast.AST) -> Value:
    """Make an instance: `__init__` runs with what was given."""
    instance = Instance(of)
    for name in ("__new__", "__init__", "__post_init__"):
        found = find_member(of, name)
        for member in found or ():
            if isinstance(member, Function):
                own = arguments if name != "__post_init__" else Arguments()
                receiver: Value = (of,) if name == "__new__" else (instance,)
                call_function(machine, member, _with_first(receiver, own))
    if find_member(of, "__init__") is None:
        _fill_fields(of, arguments)
    return (instance,)


def _fill_fields(of: Class, arguments: Arguments) -> None:
    """Without `__init__` in sight it is a record: arguments become attributes."""
    fields = [node.target for node in of.node.body if isinstance(node, ast.AnnAssign)]
    names = [target.id for target in fields if isinstance(target, ast.Name)]
    pairs = [*zip(names, arguments.positional, strict=False), *arguments.keywords.items()]
    for name, value in pairs:
        of.attributes[name] = join([of.attributes.get(name, ()), value])


def call_bound(
    machine: Interpreter, receiver: Atom, function: Function, arguments: Arguments
) -> Value:
    """Call a method that was looked up on an object or class."""
    return call_function(machine, function, _with_first((receiver,), arguments))


def _with_first(first: Value, arguments: Arguments) -> Arguments:
    return Arguments((first, *arguments.positional), arguments.keywords, arguments.open_ended)


def call_instance(machine: Interpreter, of: Class, arguments: Arguments) -> Value:
    """Call an object: `__call__` runs."""
    for member in find_member(of, "__call__") or ():
        if isinstance(member, Function):
            return call_bound(machine, Instance(of), member, arguments)
    return ANYTHING
