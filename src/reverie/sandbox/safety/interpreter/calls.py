"""Call abstract values: symbols report what is done to them, functions of the file are followed."""

import ast
import re

from reverie.sandbox.safety.interpreter.accesses import report_accesses
from reverie.sandbox.safety.interpreter.attributes import MAX_NAME, get_attribute, get_item
from reverie.sandbox.safety.interpreter.events import (
    Arguments,
    Dynamic,
    Invocation,
    Reference,
    Role,
)
from reverie.sandbox.safety.interpreter.functions import (
    call_bound,
    call_class,
    call_function,
    call_instance,
)
from reverie.sandbox.safety.interpreter.interpreter import CallSite, Interpreter
from reverie.sandbox.safety.interpreter.knowledge import canonical
from reverie.sandbox.safety.interpreter.methods import call_method
from reverie.sandbox.safety.interpreter.models import find_model
from reverie.sandbox.safety.interpreter.scope import Scope
from reverie.sandbox.safety.interpreter.values import (
    ANYTHING,
    Atom,
    Class,
    Function,
    Getter,
    Instance,
    Method,
    Partial,
    Symbol,
    Unknown,
    Value,
    is_open,
    join,
    strings_of,
    symbols_of,
)

MAX_CALLEES = 8
COMPARING = frozenset({"builtins.isinstance", "builtins.issubclass", "builtins.hasattr"})
"""They only look at the types they are given."""
_LOOKS_ONLY = re.compile(
    r"^builtins\.(print|repr|str|id|dir|hash|help|type|vars|callable|getattr|setattr|format|bool)$"
    r"|^(inspect|pprint|unittest\.mock)\.|patch|setattr|spy|reload|logg|log\."
)
_OPAQUE = Arguments(open_ended=True)


def call_value(
    machine: Interpreter, callee: Value, arguments: Arguments, node: ast.AST, scope: Scope
) -> Value:
    """What calling any of the possibilities may return."""
    results = [_call(machine, a, arguments, node, scope) for a in callee[:MAX_CALLEES]]
    return join(results)


def _call(
    machine: Interpreter, atom: Atom, arguments: Arguments, node: ast.AST, scope: Scope
) -> Value:
    match atom:
        case Symbol():
            return _call_symbol(CallSite(machine, atom, arguments, node, scope))
        case Function():
            return call_function(machine, atom, arguments)
        case Class():
            return call_class(machine, atom, arguments, node)
        case Instance(of):
            return call_instance(machine, of, arguments)
        case Method(receiver, _, Function() as function):
            return call_bound(machine, receiver, function, arguments)
        case Method(receiver, name):
            return _call_method(machine, receiver, name, arguments, node, scope)
        case Partial():
            return machine.call(atom.target, _extended(atom, arguments), node, scope)
        case Getter():
            return _call_getter(machine, atom, arguments, node, scope)
        case _:
            return _call_unknown(machine, Symbol("<unknown>"), arguments, node, scope)


def _call_symbol(site: CallSite) -> Value:
    machine, symbol = site.machine, site.symbol
    machine.emit(Reference(site.node, symbol.name, Role.CALLEE))
    machine.emit(Invocation(site.node, symbol, site.arguments))
    report_accesses(site)
    if "()" in symbol.name:
        method = symbol.name.rpartition(".")[2]
        _run_query(machine, method, site.arguments, site.node, site.scope)
    model = find_model(symbol.name)
    if model is not None:
        result = model(site)
        if result is not None:
            return result
    if symbol.name not in COMPARING:
        _report_callbacks(machine, site.arguments, site.node, site.scope)
        _report_passed(machine, symbol.name, site.arguments, site.node)
    name = canonical(f"{symbol.name}()")
    return (Symbol(name, symbol.text),) if len(name) <= MAX_NAME else ANYTHING


def _call_method(
    machine: Interpreter,
    receiver: Atom,
    name: str,
    arguments: Arguments,
    node: ast.AST,
    scope: Scope,
) -> Value:
    if isinstance(receiver, Unknown):
        symbol = Symbol(f"<unknown>.{name}")
        _run_query(machine, name, arguments, node, scope)
        return _call_unknown(machine, symbol, arguments, node, scope)
    result = call_method(machine, receiver, name, arguments, node)
    if result is None:
        _report_callbacks(machine, arguments, node, scope)
        return ANYTHING
    return result


def _run_query(
    machine: Interpreter, name: str, arguments: Arguments, node: ast.AST, scope: Scope
) -> None:
    """Data frames evaluate expressions in which `@` reaches the caller's variables."""
    if name in {"eval", "query"} and arguments.positional:
        for text in strings_of(arguments.positional[0]):
            if "@" in text:
                machine.run_payload(text.replace("@", ""), scope, node)


def _call_unknown(
    machine: Interpreter, symbol: Symbol, arguments: Arguments, node: ast.AST, scope: Scope
) -> Value:
    machine.emit(Invocation(node, symbol, arguments))
    report_accesses(CallSite(machine, symbol, arguments, node, scope))
    _report_callbacks(machine, arguments, node, scope)
    _report_passed(machine, symbol.name, arguments, node)
    return ANYTHING


def _report_passed(machine: Interpreter, callee: str, arguments: Arguments, node: ast.AST) -> None:
    """A module handed to code outside the file can come back under any name."""
    if _LOOKS_ONLY.search(callee):
        return
    for value in (*arguments.positional, *arguments.keywords.values()):
        for atom in value:
            if isinstance(atom, Symbol) and "(" not in atom.name:
                machine.emit(Reference(node, f"<passed>.{atom.name}", Role.CALLEE))


def _report_callbacks(
    machine: Interpreter, arguments: Arguments, node: ast.AST, scope: Scope
) -> None:
    """Whoever receives a callable may call it, with anything."""
    for value in (*arguments.positional, *arguments.keywords.values()):
        for atom in value:
            if isinstance(atom, Symbol) and not atom.name.endswith("()"):
                machine.emit(Invocation(node, atom, _OPAQUE))
                report_accesses(CallSite(machine, atom, _OPAQUE, node, scope))
            elif isinstance(atom, Partial):
                opened = Arguments(open_ended=True)
                machine.call(atom.target, _extended(atom, opened), node, scope)


def _extended(atom: Partial, arguments: Arguments) -> Arguments:
    positional = (*atom.positional, *arguments.positional)
    keywords = {**dict(atom.keywords), **arguments.keywords}
    return Arguments(positional, keywords, arguments.open_ended)


def _call_getter(
    machine: Interpreter, atom: Getter, arguments: Arguments, node: ast.AST, scope: Scope
) -> Value:
    if not arguments.positional:
        return ANYTHING
    target = arguments.positional[0]
    if atom.kind == "item":
        return get_item(machine, target, atom.key, node, scope)
    if is_open(atom.key):
        for owner in symbols_of(target):
            machine.emit(Dynamic(node, owner.name))
    results: list[Value] = []
    for path in strings_of(atom.key):
        value = target
        for name in path.split("."):
            value = get_attribute(machine, value, name, node)
        results.append(value)
    found = join(results)
    if atom.kind == "attribute":
        return found
    return machine.call(found, Arguments(atom.positional), node, scope)
