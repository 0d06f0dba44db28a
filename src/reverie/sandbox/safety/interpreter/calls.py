"""Call abstract values: who is called, with what, what that changes, and which files it touches.

Symbols report what is done to them; functions of the file are followed.
"""

import ast
import fnmatch
import functools
import posixpath
import re

from reverie.sandbox.safety.interpreter.attributes import (
    MAX_NAME,
    call_method,
    get_attribute,
    get_item,
)
from reverie.sandbox.safety.interpreter.functions import (
    call_bound,
    call_class,
    call_function,
    call_instance,
)
from reverie.sandbox.safety.interpreter.interpreter import (
    Arguments,
    CallSite,
    Dynamic,
    FileAccess,
    Interpreter,
    Invocation,
    Reference,
    Role,
)
from reverie.sandbox.safety.interpreter.knowledge import Argument, Opener, canonical, knowledge
from reverie.sandbox.safety.interpreter.models import find_model
from reverie.sandbox.safety.interpreter.scope import Scope
from reverie.sandbox.safety.interpreter.values import (
    ANYTHING,
    MAX_ITEMS,
    Atom,
    Class,
    Constant,
    Function,
    Getter,
    Instance,
    Items,
    Known,
    Method,
    Partial,
    Parts,
    Symbol,
    Table,
    Unknown,
    Value,
    is_open,
    items_of,
    join,
    merge,
    parts_of,
    strings_of,
    symbols_of,
)
from reverie.sandbox.safety.rule import Access, Place

_HOLE = "\ufffd"
_HERE = "<here>"
_NEAR_LEVELS = 3


def report_accesses(site: CallSite) -> None:
    """Emit what the called symbol does to files."""
    facts, name = knowledge(), site.symbol.name
    unbound = name.replace("pathlib.Path.", "pathlib.Path().", 1)
    for access, argument in facts.accesses.get(name, ()):
        _report(site, access, _paths(site, argument))
    if name in facts.openers:
        opener = facts.openers[name]
        for access in _modes(site, opener):
            _report(site, access, _paths(site, opener.path))
    elif unbound != name and unbound in facts.accesses:
        for access, argument in facts.accesses[unbound]:
            path = Argument(0, None) if argument.is_receiver else argument
            _report(site, access, _paths(site, path))


def _paths(site: CallSite, argument: Argument) -> list[Parts]:
    if argument.is_receiver:
        return [site.symbol.text or (None,)]
    value = site.arguments.get(argument.position, argument.keyword)
    if value is None:
        return [(None,)] if site.arguments.open_ended else []
    spread: list[Value] = [v for a in value if isinstance(a, Items) for v in a.values]
    return [parts_of(atom) for atom in (join(spread) if spread else value)]


def _modes(site: CallSite, opener: Opener) -> list[Access]:
    value = site.arguments.get(opener.mode.position, opener.mode.keyword)
    if value is None:
        modes = [opener.default]
    else:
        modes = strings_of(value)
        flags = knowledge().write_flags
        modes += ["w" for symbol in symbols_of(value) if symbol.name in flags]
    accesses = {Access.WRITE if set(mode) & set("wax+cn") else Access.READ for mode in modes}
    return sorted(accesses) or [Access.READ]


def _report(site: CallSite, access: Access, paths: list[Parts]) -> None:
    for path in paths:
        site.machine.emit(FileAccess(site.node, site.symbol.name, access, path))


@functools.lru_cache(maxsize=1024)
def place_of(path: Parts) -> Place:
    """Where a path points, as far as the source tells."""
    text = "".join(_HOLE if part is None else part for part in merge(path)).replace("\\", "/")
    places = knowledge().places
    if text.startswith(_HERE):
        return _beside_the_module(text.removeprefix(_HERE))
    normal = posixpath.normpath(text).replace("//", "/") if text else "."
    if _matches(normal, places["sensitive"]) or _matches("/" + normal, places["sensitive"]):
        return Place.SENSITIVE
    if _matches(normal, places["scratch"]):
        return Place.SCRATCH
    if normal.startswith("../") or normal == ".." or f"{_HOLE}/../.." in text:
        return Place.ESCAPING
    if normal.startswith(_HOLE):
        return Place.UNKNOWN
    if normal.startswith("~"):
        return Place.HOME
    if _matches(normal, places["system"]):
        return Place.SYSTEM
    return Place.ABSOLUTE if normal.startswith("/") or normal[1:3] == ":/" else Place.RELATIVE


def _beside_the_module(rest: str) -> Place:
    if rest == "/module.py":
        return Place.SOURCE
    normal = posixpath.normpath("." + rest)
    if _matches("/" + normal, knowledge().places["sensitive"]):
        return Place.SENSITIVE
    levels = normal.split("/").count("..")
    return Place.RELATIVE if levels <= _NEAR_LEVELS else Place.ESCAPING


def _matches(text: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatch.fnmatchcase(text, pattern) for pattern in patterns)


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


def evaluate_call(machine: Interpreter, node: ast.Call, scope: Scope) -> Value:
    """What the call may return."""
    callee = machine.evaluate(node.func, scope, Role.CALLEE)
    quiet = any(isinstance(a, Symbol) and a.name in COMPARING for a in callee)
    arguments = _arguments(machine, node, scope, Role.QUIET if quiet else Role.VALUE)
    _mutate(node.func, arguments, scope)
    return machine.call(callee, arguments, node, scope)


def _arguments(machine: Interpreter, node: ast.Call, scope: Scope, role: Role) -> Arguments:
    positional: list[Value] = []
    keywords: dict[str, Value] = {}
    open_ended = False
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            items = items_of(machine.evaluate(argument.value, scope, role))
            open_ended = open_ended or items is None
            positional += items or []
        else:
            positional.append(machine.evaluate(argument, scope, role))
    for keyword in node.keywords:
        value = machine.evaluate(keyword.value, scope, role)
        if keyword.arg is not None:
            keywords[keyword.arg] = value
            continue
        tables = [atom for atom in value if isinstance(atom, Table)]
        open_ended = open_ended or len(tables) < len(value) or not all(t.complete for t in tables)
        for table in tables:
            keywords.update({str(name): entry for name, entry in table.entries})
    return Arguments(tuple(positional), keywords, open_ended)


def _mutate(func: ast.expr, arguments: Arguments, scope: Scope) -> None:
    """`name.append(x)` and its like change what the variable holds."""
    if not isinstance(func, ast.Attribute) or not isinstance(func.value, ast.Name):
        return
    name = func.value.id
    held = scope.variables.get(name)
    if held is None or len(held) != 1:
        return
    changed = _changed(held, func.attr, arguments)
    if changed is not None:
        scope.bind(name, changed)


def _changed(held: Value, method: str, arguments: Arguments) -> Value | None:
    atom = held[0]
    if isinstance(atom, Items) and len(atom.values) < MAX_ITEMS:
        return _changed_items(atom, method, arguments.positional)
    if isinstance(atom, Table) and method == "setdefault" and len(arguments.positional) == 2:
        key, value = arguments.positional
        known_keys = [a.value for a in key if isinstance(a, Known)]
        return (Table((*atom.entries, *((name, value) for name in known_keys)), atom.complete),)
    if isinstance(atom, Table) and method == "update":
        entries: dict[Constant, Value] = dict(atom.entries)
        complete = atom.complete
        for value in arguments.positional:
            tables = [a for a in value if isinstance(a, Table)]
            complete = complete and len(tables) == len(value)
            for table in tables:
                entries.update(dict(table.entries))
        entries.update(arguments.keywords)
        return (Table(tuple(entries.items()), complete),)
    return None


def _changed_items(atom: Items, method: str, positional: tuple[Value, ...]) -> Value | None:
    values = list(atom.values)
    if method in {"append", "add", "appendleft"} and positional:
        values = [positional[0], *values] if method == "appendleft" else [*values, positional[0]]
    elif method == "extend" and positional:
        items = items_of(positional[0])
        values += items if items is not None else [ANYTHING]
    elif method == "insert" and len(positional) == 2:
        index = positional[0][0]
        place = index.value if isinstance(index, Known) and isinstance(index.value, int) else 0
        values.insert(place, positional[1])
    elif method == "reverse":
        values.reverse()
    elif method in {"pop", "remove", "clear", "sort"}:
        return join([(atom,), ANYTHING]) if method != "clear" else (Items(atom.kind, ()),)
    else:
        return None
    return (Items(atom.kind, tuple(values[:MAX_ITEMS])),)
