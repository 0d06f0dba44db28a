"""The variables of a function when it starts, from what it is called with."""

from typing import Any

from reverie.inputs.rehearsal.expressions import Expressions
from reverie.inputs.rehearsal.plain import OPAQUE, UNKNOWN
from reverie.inputs.scope import FunctionNode


def variables(
    node: FunctionNode, args: list[Any], kwargs: dict[str, Any], is_open: bool, outside: Expressions
) -> dict[str, Any]:
    """A function's variables at its start."""
    taken = node.args
    by_place = [each.arg for each in (*taken.posonlyargs, *taken.args)]
    every = [*by_place, *(each.arg for each in taken.kwonlyargs)]
    names: dict[str, Any] = dict.fromkeys(every, UNKNOWN)
    if not is_open:
        last = by_place[len(by_place) - len(taken.defaults) :]
        pairs = [*zip(last, taken.defaults, strict=True)]
        pairs += [(each.arg, default) for each, default in
                  zip(taken.kwonlyargs, taken.kw_defaults, strict=True) if default]  # fmt: skip
        names |= {name: outside.value(default) for name, default in pairs}
    names |= dict(zip(by_place, args, strict=False))
    names |= {name: value for name, value in kwargs.items() if name in names}
    if taken.vararg is not None:
        names[taken.vararg.arg] = OPAQUE if is_open else tuple(args[len(by_place) :])
    if taken.kwarg is not None:
        rest = {name: value for name, value in kwargs.items() if name not in every}
        names[taken.kwarg.arg] = OPAQUE if is_open else rest
    return names
