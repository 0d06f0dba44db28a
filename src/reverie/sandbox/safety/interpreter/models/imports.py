"""Functions that import modules, or run source, by name."""

from collections.abc import Callable

from reverie.sandbox.safety.interpreter.interpreter import (
    CallSite,
    Dynamic,
    Import,
    Reference,
    Role,
)
from reverie.sandbox.safety.interpreter.knowledge import canonical
from reverie.sandbox.safety.interpreter.values import (
    ANYTHING,
    Known,
    Symbol,
    Text,
    Value,
    join,
    strings_of,
    symbol,
)


def _import_module(site: CallSite) -> Value | None:
    key = site.argument(0, "name")
    if key is None:
        return ANYTHING
    found: list[Value] = []
    for atom in key:
        match atom:
            case Known(str() as name):
                found.append(_imported(site, _absolute(site, name)))
            case Text(parts) if parts[0] is not None and "." in parts[0]:
                _imported(site, parts[0].rpartition(".")[0])
            case _:
                site.machine.emit(Dynamic(site.node, site.symbol.name))
    return join([*found]) if found else ANYTHING


def _dunder_import(site: CallSite) -> Value | None:
    """`__import__('a.b')` gives `a` unless something is asked from it."""
    value = _import_module(site)
    if value is None or site.argument(3, "fromlist") is not None:
        return value
    return tuple(
        Symbol(canonical(a.name.partition(".")[0])) if isinstance(a, Symbol) else a for a in value
    )


def _absolute(site: CallSite, name: str) -> str:
    package = site.argument(1, "package")
    parents = strings_of(package) if name.startswith(".") and package is not None else []
    return f"{parents[0]}{name}" if len(parents) == 1 else name


def _imported(site: CallSite, name: str) -> Value:
    site.machine.emit(Import(site.node, canonical(name)))
    site.machine.emit(Reference(site.node, f"<import>.{canonical(name)}", Role.CALLEE))
    return symbol(canonical(name))


def _resolve(site: CallSite) -> Value | None:
    """`pkgutil.resolve_name('os:system')`, `pydoc.locate('os.system')`."""
    key = site.positional[0] if site.positional else ANYTHING
    names = strings_of(key)
    if len(names) < len(key):
        site.machine.emit(Dynamic(site.node, site.symbol.name))
    found = []
    for name in names:
        full = canonical(name.replace(":", "."))
        site.machine.emit(Import(site.node, full))
        site.machine.emit(Reference(site.node, full, Role.CALLEE))
        found.append(symbol(full))
    return join(found)


def _run_text(site: CallSite) -> Value | None:
    """Source in a constant is looked at as well."""
    texts = site.positional[0] if site.positional else ()
    for atom in texts:
        if isinstance(atom, Known) and isinstance(atom.value, (str, bytes)):
            text = atom.value
            source = text if isinstance(text, str) else text.decode("utf-8", "replace")
            site.machine.run_payload(source, site.scope, site.node)
    return None


MODELS: dict[str, Callable[[CallSite], Value | None]] = {
    "importlib.import_module": _import_module,
    "builtins.__import__": _dunder_import,
    "<loader>.load_module": _import_module,
    "importlib.machinery.BuiltinImporter.load_module": _import_module,
    "importlib.machinery.BuiltinImporter().load_module": _import_module,
    "pkgutil.resolve_name": _resolve,
    "pydoc.locate": _resolve,
    "builtins.eval": _run_text,
    "builtins.exec": _run_text,
    "builtins.compile": _run_text,
    "timeit.timeit": _run_text,
    "timeit.repeat": _run_text,
    "timeit.Timer": _run_text,
    "cProfile.run": _run_text,
    "profile.run": _run_text,
}
