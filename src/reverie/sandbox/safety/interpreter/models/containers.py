"""Functions that make, walk over and combine containers."""

from collections.abc import Callable
from typing import Literal

from reverie.sandbox.safety.interpreter.attributes import get_item
from reverie.sandbox.safety.interpreter.interpreter import Arguments, CallSite, Excess
from reverie.sandbox.safety.interpreter.values import (
    ANYTHING,
    MAX_ITEMS,
    Constant,
    Extent,
    Items,
    Known,
    Partial,
    Table,
    Value,
    items_of,
    join,
    known,
    members_of,
    symbols_of,
)

Kind = Literal["list", "tuple", "set"]
MAX_RANGE = 10**8


def _collect(kind: Kind) -> Callable[[CallSite], Value | None]:
    """`list(x)` and its like keep the members, and never end on an endless iterable."""

    def model(site: CallSite) -> Value | None:
        if not site.positional:
            return (Items(kind, ()),)
        for atom in site.positional[0]:
            if isinstance(atom, Extent) and (atom.count is None or atom.count > MAX_RANGE):
                site.machine.emit(Excess(site.node, "bulk", "an endless or huge iterable"))
        items = items_of(site.positional[0])
        return (Items(kind, tuple(items)),) if items is not None else None

    return model


def _dict(site: CallSite) -> Value | None:
    entries: dict[Constant, Value] = {}
    complete = not site.arguments.open_ended
    if len(site.positional) == 1 and is_module_table(site.positional[0]):
        return site.positional[0]
    for value in site.positional:
        atom = value[0] if len(value) == 1 else None
        if isinstance(atom, Table):
            entries.update(dict(atom.entries))
            complete = complete and atom.complete
        else:
            complete = complete and _add_pairs(entries, value)
    entries.update(site.arguments.keywords)
    return (Table(tuple(entries.items()), complete),) if entries or complete else None


def is_module_table(value: Value) -> bool:
    """Whether it is the dictionary of a module, or the table of all modules."""
    names = [atom.name for atom in symbols_of(value)]
    return any(name.endswith(".__dict__") or name in {"builtins", "sys.modules"} for name in names)


def _add_pairs(entries: dict[Constant, Value], value: Value) -> bool:
    pairs = items_of(value)
    for pair in pairs or ():
        members = items_of(pair)
        if members is None or len(members) != 2 or not isinstance(members[0][0], Known):
            return False
        entries[members[0][0].value] = members[1]
    return pairs is not None


def _range(site: CallSite) -> Value | None:
    bounds: list[int] = []
    for value in site.positional:
        atom = value[0] if len(value) == 1 else None
        if not isinstance(atom, Known) or not isinstance(atom.value, int):
            return None
        bounds.append(atom.value)
    if not 1 <= len(bounds) <= 3 or (len(bounds) == 3 and bounds[2] == 0):
        return None
    numbers = range(*bounds)
    count = max(0, (numbers.stop - numbers.start + numbers.step - 1) // numbers.step)
    if count > MAX_ITEMS:
        return (Extent(count),)
    return (Items("list", tuple(known(number) for number in numbers)),)


def _endless(site: CallSite) -> Value | None:
    if site.symbol.name == "itertools.repeat" and site.argument(1, "times") is not None:
        return None
    return (Extent(None),)


def _reversed(site: CallSite) -> Value | None:
    items = items_of(site.positional[0]) if site.positional else None
    return (Items("list", tuple(reversed(items))),) if items is not None else None


def _next(site: CallSite) -> Value | None:
    if not site.positional:
        return None
    items = items_of(site.positional[0])
    if items:
        return join(items)
    return None


def _zip(site: CallSite) -> Value | None:
    columns = [items_of(value) for value in site.positional]
    exact = [column for column in columns if column is not None]
    if not exact or len(exact) != len(columns):
        return None
    rows = [(Items("tuple", tuple(row)),) for row in zip(*exact, strict=False)]
    return (Items("list", tuple(rows)),)


def _enumerate(site: CallSite) -> Value | None:
    items = items_of(site.positional[0]) if site.positional else None
    if items is None or site.argument(1, "start") is not None:
        return None
    rows = [(Items("tuple", (known(index), item)),) for index, item in enumerate(items)]
    return (Items("list", tuple(rows)),)


def _map(site: CallSite) -> Value | None:
    """The function is applied to each member, or once to what a member may be."""
    if len(site.positional) < 2:
        return None
    function, *columns = site.positional
    exact = [items_of(column) for column in columns]
    rows: list[tuple[Value, ...]]
    if all(column is not None for column in exact):
        rows = [tuple(row) for row in zip(*(c for c in exact if c is not None), strict=False)]
    else:
        rows = [tuple(members_of(column) for column in columns)]
    results = [site.machine.call(function, Arguments(row), site.node, site.scope) for row in rows]
    if not results or not all(column is not None for column in exact):
        return join([*results, ANYTHING])
    return (Items("list", tuple(results)),)


def _filter(site: CallSite) -> Value | None:
    if len(site.positional) != 2:
        return None
    function, column = site.positional
    site.machine.call(function, Arguments((members_of(column),)), site.node, site.scope)
    return column


def _reduce(site: CallSite) -> Value | None:
    if len(site.positional) < 2:
        return None
    function, column = site.positional[:2]
    items = items_of(column)
    if items is None:
        items = [members_of(column)]
    value = (
        site.positional[2] if len(site.positional) > 2 else (items.pop(0) if items else ANYTHING)
    )
    for item in items:
        value = site.machine.call(function, Arguments((value, item)), site.node, site.scope)
    return value


def _partial(site: CallSite) -> Value | None:
    if not site.positional:
        return None
    target, *rest = site.positional
    return (Partial(target, tuple(rest), tuple(site.arguments.keywords.items())),)


def _first(site: CallSite) -> Value | None:
    return site.positional[0] if site.positional else None


def _second(site: CallSite) -> Value | None:
    return site.positional[1] if len(site.positional) > 1 else None


def _getitem(site: CallSite) -> Value | None:
    if len(site.positional) != 2:
        return None
    return get_item(site.machine, *site.positional, site.node, site.scope)


def _apply(site: CallSite) -> Value | None:
    if not site.positional:
        return None
    callee, *rest = site.positional
    arguments = Arguments(tuple(rest), site.arguments.keywords, site.arguments.open_ended)
    return site.machine.call(callee, arguments, site.node, site.scope)


def _chain(site: CallSite) -> Value | None:
    members: list[Value] = []
    for value in site.positional:
        items = items_of(value)
        if items is None:
            return None
        members += items
    return (Items("list", tuple(members[:MAX_ITEMS])),)


MODELS: dict[str, Callable[[CallSite], Value | None]] = {
    "builtins.list": _collect("list"),
    "builtins.tuple": _collect("tuple"),
    "builtins.set": _collect("set"),
    "builtins.frozenset": _collect("set"),
    "builtins.sorted": _collect("list"),
    "builtins.iter": _first,
    "builtins.dict": _dict,
    "builtins.range": _range,
    "builtins.reversed": _reversed,
    "builtins.next": _next,
    "builtins.zip": _zip,
    "builtins.enumerate": _enumerate,
    "builtins.map": _map,
    "itertools.starmap": _map,
    "builtins.filter": _filter,
    "builtins.staticmethod": _first,
    "functools.reduce": _reduce,
    "functools.partial": _partial,
    "functools.partialmethod": _partial,
    "functools.cache": _first,
    "functools.lru_cache": _first,
    "copy.copy": _first,
    "copy.deepcopy": _first,
    "typing.cast": _second,
    "contextlib.nullcontext": _first,
    "operator.getitem": _getitem,
    "operator.call": _apply,
    "itertools.chain": _chain,
    "itertools.count": _endless,
    "itertools.cycle": _endless,
    "itertools.repeat": _endless,
}
