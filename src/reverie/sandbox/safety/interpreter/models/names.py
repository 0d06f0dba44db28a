"""Functions that reach objects by name: `getattr`, `vars`, `globals`, `attrgetter`, `type`."""

import ast
from collections.abc import Callable

from reverie.sandbox.safety.interpreter.attributes import (
    attribute_names,
    format_text,
    get_attribute,
    lookup_in,
    lookup_module,
    namespace_of,
)
from reverie.sandbox.safety.interpreter.interpreter import (
    LITERAL_NODES,
    Arguments,
    Assignment,
    AttributeUse,
    CallSite,
    Dynamic,
    FormatUse,
    Reference,
    Role,
)
from reverie.sandbox.safety.interpreter.knowledge import canonical
from reverie.sandbox.safety.interpreter.values import (
    ANYTHING,
    Atom,
    Class,
    Function,
    Getter,
    Instance,
    Known,
    Namespace,
    Symbol,
    Text,
    Value,
    join,
    known,
    strings_of,
    symbol,
    symbols_of,
)


def _getattr(site: CallSite) -> Value | None:
    if len(site.positional) < 2:
        return None
    base, key = site.positional[:2]
    names = strings_of(key)
    if not all(_is_settled(atom) for atom in key):
        for owner in symbols_of(base):
            site.machine.emit(Dynamic(site.node, owner.name))
    if _is_computed(site.node):
        for name in names:
            site.machine.emit(Reference(site.node, f"<concealed>.{name}", Role.CALLEE))
    if names == ["__class__"] and _asks_literal(site.node, 2):
        return symbol("<literal>")
    found = [get_attribute(site.machine, base, name, site.node) for name in names]
    fallback = [site.positional[2]] if len(site.positional) > 2 else []
    return join([*found, *fallback]) if names else join([ANYTHING, *fallback])


def _is_settled(atom: Atom) -> bool:
    """Whether it is clear enough what is asked for: `'SIG' + name` only reaches constants."""
    if isinstance(atom, Text) and atom.parts[0] is not None:
        return atom.parts[0].isupper()
    return isinstance(atom, Known)


def _asks_literal(node: ast.AST, count: int) -> bool:
    """Whether the call is given a literal to look into, as its first of so many arguments."""
    written = node.args if isinstance(node, ast.Call) else []
    return len(written) >= count and isinstance(written[0], LITERAL_NODES)


def _is_computed(node: ast.AST) -> bool:
    """Whether the name is put together on the spot, which plain source has no reason to do."""
    if not isinstance(node, ast.Call) or len(node.args) < 2:
        return False
    return isinstance(node.args[1], (ast.BinOp, ast.JoinedStr, ast.Call, ast.Subscript))


def _setattr(site: CallSite) -> Value | None:
    if len(site.positional) < 2:
        return None
    base, key = site.positional[:2]
    value = site.positional[2] if len(site.positional) > 2 else known(None)
    for name in strings_of(key):
        set_attribute(site, base, name, value)
    if not strings_of(key):
        for owner in symbols_of(base):
            site.machine.emit(Assignment(site.node, f"{owner.name}.*"))
    return known(None)


def set_attribute(site: CallSite, base: Value, name: str, value: Value) -> None:
    """`base.name = value`."""
    site.machine.emit(AttributeUse(site.node, name))
    for atom in base:
        if isinstance(atom, Symbol):
            site.machine.emit(Assignment(site.node, canonical(f"{atom.name}.{name}")))
        elif isinstance(atom, (Class, Function)):
            atom.attributes[name] = join([atom.attributes.get(name, ()), value])
        elif isinstance(atom, Instance):
            atom.of.attributes[name] = join([atom.of.attributes.get(name, ()), value])


def _vars(site: CallSite) -> Value | None:
    if not site.positional:
        return (Namespace(site.scope),)
    found: list[Value] = []
    for atom in site.positional[0]:
        if isinstance(atom, Symbol):
            found.append(symbol(f"{atom.name}.__dict__"))
        elif isinstance(atom, (Class, Instance)):
            found.append(namespace_of(atom if isinstance(atom, Class) else atom.of))
    return join([*found, ANYTHING]) if found else ANYTHING


def _globals(site: CallSite) -> Value | None:
    return (Namespace(site.scope.module),)


def _locals(site: CallSite) -> Value | None:
    return (Namespace(site.scope),)


def _type(site: CallSite) -> Value | None:
    if len(site.positional) != 1:
        return ANYTHING
    if _asks_literal(site.node, 1):
        return symbol("<literal>")
    found: list[Value] = []
    for atom in site.positional[0]:
        if isinstance(atom, Instance):
            found.append((atom.of,))
        elif isinstance(atom, Function):
            found.append(symbol("types.FunctionType"))
        elif isinstance(atom, Symbol) and atom.name.endswith("()"):
            found.append(symbol(atom.name.removesuffix("()")))
        else:
            found.append(symbol("<class>"))
    return join(found)


def _getter(kind: str) -> Callable[[CallSite], Value | None]:
    def model(site: CallSite) -> Value | None:
        if not site.positional:
            return None
        key, *rest = site.positional
        if kind == "attribute":
            return (Getter("attribute", key),)
        if kind == "item":
            return (Getter("item", key),)
        return (Getter("method", key, tuple(rest)),)

    return model


def _module_dict(site: CallSite) -> Value | None:
    """`vars(os).get('system')`, `sys.modules.get('os')`, `__builtins__.get('eval')`."""
    owner = site.symbol.name.rpartition(".")[0]
    if not site.positional:
        return None
    if owner == "sys.modules":
        return lookup_module(site.machine, site.positional[0], site.node)
    namespace = owner.removesuffix(".__dict__")
    return lookup_in(site.machine, namespace, site.positional[0], site.node)


def find_dictionary_model(name: str) -> Callable[[CallSite], Value | None] | None:
    """The model of a lookup in the dictionary of any module."""
    owner, _, method = name.rpartition(".")
    if method in {"get", "__getitem__", "pop"} and (
        owner.endswith(".__dict__") or owner in {"builtins", "sys.modules"}
    ):
        return _module_dict
    whole = owner.endswith(".__dict__") or owner in {"builtins", "sys.modules"}
    if method in {"items", "values"} and whole:
        return _module_walk
    return None


def _module_walk(site: CallSite) -> Value | None:
    owner = site.symbol.name.rpartition(".")[0].removesuffix(".__dict__")
    site.machine.emit(Dynamic(site.node, owner))
    return ANYTHING


def _getmembers(site: CallSite) -> Value | None:
    """`inspect.getmembers(os)` hands out every member."""
    for owner in symbols_of(site.positional[0]) if site.positional else ():
        site.machine.emit(Dynamic(site.node, owner.name))
    return ANYTHING


def _formatter(site: CallSite) -> Value | None:
    if not site.positional:
        return None
    template, *rest = site.positional
    arguments = Arguments(tuple(rest), site.arguments.keywords)
    return format_text(site.machine, template, "format", arguments, site.node)


def _get_field(site: CallSite) -> Value | None:
    for field in strings_of(site.positional[0]) if site.positional else ():
        site.machine.emit(FormatUse(site.node, attribute_names(field)))
    return ANYTHING


def _super(site: CallSite) -> Value | None:
    """`super()` answers with the bases of the class around it."""
    receiver = site.scope.variables.get("self") or site.scope.variables.get("cls") or ()
    for atom in receiver:
        of = atom.of if isinstance(atom, Instance) else atom
        if isinstance(of, Class):
            bases = [base for value in of.bases for base in value if isinstance(base, Class)]
            if bases:
                return join([(Instance(base),) for base in bases])
    return None


MODELS: dict[str, Callable[[CallSite], Value | None]] = {
    "builtins.getattr": _getattr,
    "inspect.getattr_static": _getattr,
    "inspect.getmembers": _getmembers,
    "inspect.getmembers_static": _getmembers,
    "builtins.setattr": _setattr,
    "builtins.delattr": _setattr,
    "builtins.vars": _vars,
    "builtins.globals": _globals,
    "builtins.locals": _locals,
    "builtins.type": _type,
    "builtins.super": _super,
    "operator.attrgetter": _getter("attribute"),
    "operator.itemgetter": _getter("item"),
    "operator.methodcaller": _getter("method"),
    "string.Formatter().format": _formatter,
    "string.Formatter().vformat": _formatter,
    "string.Formatter().get_field": _get_field,
}
