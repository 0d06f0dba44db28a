"""Look up attributes and items on abstract values."""

import ast

from reverie.sandbox.safety.interpreter.events import (
    Arguments,
    AttributeUse,
    Dynamic,
    Reference,
    Role,
)
from reverie.sandbox.safety.interpreter.folding import NotConstant, fold_item
from reverie.sandbox.safety.interpreter.interpreter import Interpreter
from reverie.sandbox.safety.interpreter.knowledge import canonical
from reverie.sandbox.safety.interpreter.scope import Scope
from reverie.sandbox.safety.interpreter.texts import name_of, parent_of, text_atom
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
    Value,
    join,
    known,
    members_of,
    strings_of,
    symbol,
    symbols_of,
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
