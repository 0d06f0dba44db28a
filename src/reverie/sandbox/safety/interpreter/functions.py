"""Follow calls into functions and classes of the file."""

import ast

from reverie.sandbox.safety.interpreter.attributes import find_member
from reverie.sandbox.safety.interpreter.events import Arguments
from reverie.sandbox.safety.interpreter.interpreter import Interpreter
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
)

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
