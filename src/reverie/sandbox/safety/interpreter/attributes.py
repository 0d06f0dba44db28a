"""Look up attributes and items on abstract values; call methods of built-in types."""

import ast
import string
from collections.abc import Sequence

from reverie.sandbox.safety.interpreter.folding import (
    NotConstant,
    apply_operator,
    fold_item,
    fold_method,
    is_decoded,
)
from reverie.sandbox.safety.interpreter.interpreter import (
    Arguments,
    AttributeUse,
    Dynamic,
    FormatUse,
    Interpreter,
    Reference,
    Role,
)
from reverie.sandbox.safety.interpreter.knowledge import canonical
from reverie.sandbox.safety.interpreter.scope import Scope
from reverie.sandbox.safety.interpreter.values import (
    ANYTHING,
    UNKNOWN,
    Atom,
    Class,
    Function,
    Instance,
    Items,
    Known,
    Method,
    Namespace,
    Partial,
    Symbol,
    Table,
    Text,
    Value,
    concatenate,
    items_of,
    join,
    known,
    members_of,
    name_of,
    parent_of,
    parts_of,
    separate,
    strings_of,
    symbol,
    symbols_of,
    text_atom,
)

MAX_NAME = 200
PATH = "pathlib.Path()"
_SELF = frozenset({"__call__", "__func__", "__wrapped__"})
_LOOKUPS = frozenset({"__getattribute__", "__getattr__"})
_UNBOUND = frozenset({"builtins.object", "builtins.type", "types.ModuleType", "<class>"})
_CLASS_WALK = frozenset({"__base__", "__bases__", "__mro__", "mro"})


def get_attribute(
    machine: Interpreter, base: Value, name: str, node: ast.AST, then: str | None = None
) -> Value:
    """What `base.name` may be."""
    machine.emit(AttributeUse(node, name, then))
    return join([_attribute(machine, atom, name, node) for atom in base])


def _attribute(machine: Interpreter, atom: Atom, name: str, node: ast.AST) -> Value:
    if name in _SELF and not isinstance(atom, Instance):
        return (atom,)
    if name in _LOOKUPS and not isinstance(atom, Instance):
        unbound = isinstance(atom, Symbol) and atom.name in _UNBOUND
        return (Partial(symbol("builtins.getattr"), () if unbound else ((atom,),)),)
    match atom:
        case Symbol():
            return _of_symbol(atom, name)
        case Function():
            return _of_function(atom, name)
        case Class():
            return _of_class(atom, name)
        case Instance(of):
            return _of_instance(machine, atom, of, name, node)
        case _ if name == "__class__":
            return symbol("<class>")
        case Method() | Partial():
            return (Method(UNKNOWN, name),)
        case _:
            return (Method(atom, name),)


def _of_symbol(atom: Symbol, name: str) -> Value:
    if name == "__class__":
        return symbol("<class>")
    if name == "__self__":
        return symbol(atom.name.rpartition(".")[0] or "builtins")
    if atom.name == PATH and atom.text is not None:
        if name == "parent":
            return (Symbol(PATH, parent_of(atom.text)),)
        if name == "name":
            return (text_atom(name_of(atom.text)),)
    if atom.name.startswith("tempfile.") and name == "name" and atom.text is not None:
        return (text_atom(atom.text),)
    full = f"{atom.name}.{name}"
    if len(full) > MAX_NAME:
        return ANYTHING
    return (Symbol(canonical(full), atom.text),)


def _of_function(atom: Function, name: str) -> Value:
    if name == "__globals__":
        return (Namespace(atom.scope.module),)
    if name == "__builtins__":
        return symbol("builtins")
    if name == "__module__":
        return known("__main__")
    if name == "__class__":
        return symbol("<class>")
    return atom.attributes.get(name, (Method(UNKNOWN, name),))


def _of_class(atom: Class, name: str) -> Value:
    if name in _CLASS_WALK:
        return symbol("<class>")
    if name == "__module__":
        return known("__main__")
    if name == "__dict__":
        return namespace_of(atom)
    found = find_member(atom, name)
    if found is None:
        return ANYTHING if name.startswith("__") else (Method(UNKNOWN, name),)
    return join([(_bind(m, atom, (atom,)) if isinstance(m, Function) else (m,)) for m in found])


def _of_instance(
    machine: Interpreter, atom: Instance, of: Class, name: str, node: ast.AST
) -> Value:
    if name == "__class__":
        return (of,)
    if name == "__module__":
        return known("__main__")
    if name == "__dict__":
        return namespace_of(of)
    found = find_member(of, name)
    if found is None:
        return (Method(UNKNOWN, name),)
    results: list[Value] = []
    for member in found:
        if isinstance(member, Function) and member.binding == "property":
            results.append(machine.call((member,), Arguments(((atom,),)), node, member.scope))
        elif isinstance(member, Function):
            results.append(_bind(member, of, (atom,)))
        else:
            results.append((member,))
    return join(results)


def namespace_of(of: Class) -> Value:
    """`__dict__`: what is stored through it is stored in the class."""
    scope = Scope("class")
    scope.variables = of.attributes
    return (Namespace(scope),)


def _bind(function: Function, of: Class, receiver: Value) -> Value:
    if function.owner is None or function.binding == "static":
        return (function,)
    if function.binding == "class":
        return (Method(of, "", function),)
    if isinstance(receiver[0], Class):
        return (function,)
    return (Method(receiver[0], "", function),)


def find_member(of: Class, name: str, depth: int = 0) -> Value | None:
    """A class attribute, own or inherited; a base outside the file answers with its symbol."""
    if name in of.attributes:
        return of.attributes[name]
    if depth > 8:
        return None
    for base in of.bases:
        for atom in base:
            if isinstance(atom, Class) and atom is not of:
                found = find_member(atom, name, depth + 1)
                if found is not None:
                    return found
            elif isinstance(atom, Symbol) and not atom.name.startswith(("builtins.", "typing.")):
                return symbol(canonical(f"{atom.name}().{name}"))
    return None


def get_item(machine: Interpreter, base: Value, key: Value, node: ast.AST, scope: Scope) -> Value:
    """What `base[key]` may be."""
    return join([_item(machine, atom, key, node, scope) for atom in base])


def _item(machine: Interpreter, atom: Atom, key: Value, node: ast.AST, scope: Scope) -> Value:
    match atom:
        case Symbol():
            return _item_of_symbol(machine, atom, key, node, scope)
        case Namespace(inner):
            return join([inner.lookup(name) for name in strings_of(key)])
        case Class() | Instance():
            name = "__class_getitem__" if isinstance(atom, Class) else "__getitem__"
            method = _attribute(machine, atom, name, node)
            return machine.call(method, Arguments((key,)), node, scope)
        case Table(entries, complete):
            return _item_of_table(entries, key, complete=complete)
        case Items() | Known():
            return _item_of_constant(atom, key)
        case _:
            return ANYTHING


def _item_of_table(
    entries: tuple[tuple[object, Value], ...], key: Value, *, complete: bool
) -> Value:
    wanted = [atom.value for atom in key if isinstance(atom, Known)]
    found = [value for name, value in entries if name in wanted]
    if found and len(wanted) == len(key):
        return join(found)
    others = [value for _, value in entries] if len(wanted) < len(key) else []
    return join([*found, *others, *([] if complete else [ANYTHING])])


def _item_of_constant(atom: Items | Known, key: Value) -> Value:
    if len(key) == 1 and isinstance(key[0], Known):
        index = key[0].value
        if isinstance(atom, Items) and isinstance(index, int):
            inside = -len(atom.values) <= index < len(atom.values)
            return atom.values[index] if inside else ANYTHING
        try:
            return fold_item((atom,), index)
        except NotConstant:
            return ANYTHING
    return members_of((atom,))


def _item_of_symbol(
    machine: Interpreter, atom: Symbol, key: Value, node: ast.AST, scope: Scope
) -> Value:
    name = atom.name
    if name == "<class>" or name.startswith("<literal>"):
        return (atom,)
    if name == "builtins" or name.endswith(".__dict__"):
        return lookup_in(machine, name.removesuffix(".__dict__"), key, node)
    if name == "sys.modules":
        return lookup_module(machine, key, node)
    if name == PATH + ".parents" and atom.text is not None:
        return _ancestor(atom.text, key)
    getter = Symbol(canonical(f"{name}.__getitem__"), atom.text)
    machine.emit(Reference(node, getter.name, Role.CALLEE))
    result = machine.call((getter,), Arguments((key,)), node, scope)
    return ANYTHING if symbols_of(result) else result


def _ancestor(text: tuple[str | None, ...], key: Value) -> Value:
    steps = key[0].value if len(key) == 1 and isinstance(key[0], Known) else 0
    for _ in range(min(steps, 16) + 1 if isinstance(steps, int) else 1):
        text = parent_of(text)
    return (Symbol(PATH, text),)


def lookup_in(machine: Interpreter, namespace: str, key: Value, node: ast.AST) -> Value:
    """A member of a module by a computed name; an open name is reported."""
    names = strings_of(key)
    if len(names) < len(key):
        machine.emit(Dynamic(node, namespace))
    return join([get_attribute(machine, symbol(namespace), name, node) for name in names])


def lookup_module(machine: Interpreter, key: Value, node: ast.AST) -> Value:
    """`sys.modules[key]`."""
    names = strings_of(key)
    if len(names) < len(key):
        machine.emit(Dynamic(node, "sys.modules"))
    return join([symbol(canonical(name)) for name in names])


_OPERATORS: dict[str, type[ast.operator]] = {
    "__add__": ast.Add,
    "__mod__": ast.Mod,
    "__mul__": ast.Mult,
    "__or__": ast.BitOr,
    "__pow__": ast.Pow,
}


def call_method(
    machine: Interpreter, receiver: Atom, name: str, arguments: Arguments, node: ast.AST
) -> Value | None:
    """What the method may return; None when nothing is known about it."""
    positional = arguments.positional
    if name in _OPERATORS and positional:
        return apply_operator(machine, _OPERATORS[name], (receiver,), positional[0], node)
    if isinstance(receiver, Namespace):
        return _namespace_method(receiver, name, arguments)
    if name in {"format", "format_map"} and isinstance(receiver, (Known, Text)):
        return format_text(machine, (receiver,), name, arguments, node)
    if name == "join" and isinstance(receiver, (Known, Text)) and positional:
        return _join(receiver, positional[0])
    try:
        return fold_method((receiver,), name, positional)
    except NotConstant:
        return _container_method(receiver, name, positional)


def _join(receiver: Atom, argument: Value) -> Value:
    try:
        return fold_method((receiver,), "join", [argument])
    except NotConstant:
        items = items_of(argument)
        if items is None:
            return ANYTHING
        return separate((receiver,), items)


def _container_method(receiver: Atom, name: str, positional: Sequence[Value]) -> Value | None:
    if isinstance(receiver, Table):
        return _table_method(receiver, name, positional)
    if isinstance(receiver, Items) and name == "pop":
        return members_of((receiver,))
    if isinstance(receiver, (Items, Table)) and name == "copy":
        return (receiver,)
    return None


def _table_method(receiver: Table, name: str, positional: Sequence[Value]) -> Value | None:
    if name in {"get", "pop", "setdefault", "__getitem__"} and positional:
        wanted = [atom.value for atom in positional[0] if isinstance(atom, Known)]
        exact = len(wanted) == len(positional[0])
        found = [v for key, v in receiver.entries if key in wanted or not exact]
        fallback = positional[1] if len(positional) > 1 else known(None)
        return join(found) if found and exact else join([*found, fallback])
    if name == "values":
        return (Items("list", tuple(value for _, value in receiver.entries)),)
    if name == "items":
        pairs = [(Items("tuple", (known(key), value)),) for key, value in receiver.entries]
        return (Items("list", tuple(pairs)),)
    return None


def _namespace_method(receiver: Namespace, name: str, arguments: Arguments) -> Value | None:
    scope, positional = receiver.scope, arguments.positional
    if name in {"get", "pop", "setdefault", "__getitem__"} and positional:
        return join([scope.lookup(text) for text in strings_of(positional[0])])
    if name == "__setitem__" and len(positional) > 1:
        for text in strings_of(positional[0]):
            scope.bind(text, positional[1])
        return known(None)
    if name == "update":
        tables = [atom for value in positional for atom in value if isinstance(atom, Table)]
        pairs = [(key, value) for table in tables for key, value in table.entries]
        for key, value in [*pairs, *arguments.keywords.items()]:
            scope.bind(str(key), value)
        return known(None)
    if name in {"values", "items"}:
        return symbol("<namespace>")
    return None


def format_text(
    machine: Interpreter, template: Value, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    """`template.format(...)`: the attributes it reaches, and the text as far as it is known."""
    results: list[Value] = []
    for atom in template:
        text = "".join(part or "" for part in parts_of(atom))
        try:
            fields = list(string.Formatter().parse(text))
        except ValueError:
            continue
        _report_fields(machine, fields, node)
        if isinstance(atom, Known) and name == "format":
            results.append(_fill(fields, arguments, decoded=is_decoded((atom,))))
    return join(results)


_Field = tuple[str, str | None, str | None, str | None]


def _report_fields(machine: Interpreter, fields: list[_Field], node: ast.AST) -> None:
    for _, field, spec, _ in fields:
        names = attribute_names(field or "")
        if names:
            machine.emit(FormatUse(node, names))
        if spec and "{" in spec:
            try:
                _report_fields(machine, list(string.Formatter().parse(spec)), node)
            except (ValueError, RecursionError):
                continue


def attribute_names(field: str) -> tuple[str, ...]:
    """`0.a[b].c` reaches `a` and `c`."""
    pieces = field.replace("[", ".[").split(".")[1:]
    return tuple(piece for piece in pieces if piece and not piece.startswith("["))


def _fill(fields: list[_Field], arguments: Arguments, *, decoded: bool) -> Value:
    """Put the arguments where plain fields are; anything fancier is an unknown stretch."""
    spread: list[Value] = []
    counter = 0
    for literal, field, spec, conversion in fields:
        spread.append(known(literal, decoded=decoded))
        if field is None:
            continue
        value: Value | None = None
        if not field:
            value = arguments.get(counter, None)
            counter += 1
        elif field.isdigit() and len(field) < 4:
            value = arguments.get(int(field), None)
        elif field.isidentifier():
            value = arguments.get(None, field)
        spread.append(value if value and not spec and conversion in (None, "s") else ANYTHING)
    return concatenate(spread)
