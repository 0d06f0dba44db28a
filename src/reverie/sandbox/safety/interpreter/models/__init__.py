"""What well-known functions do to abstract values, where that matters for a rule."""

import functools
from collections.abc import Callable, Mapping

from reverie.sandbox.safety.interpreter.interpreter import CallSite
from reverie.sandbox.safety.interpreter.values import Value

Model = Callable[[CallSite], Value | None]
"""Returns what the call returns; None when it does not know."""


def find_model(name: str) -> Model | None:
    """The model of a symbol, if there is one."""
    return _models().get(name) or _method_model(name)


@functools.cache
def _models() -> Mapping[str, Model]:
    from reverie.sandbox.safety.interpreter.models import containers, imports, names, paths, pure

    return {
        **pure.MODELS,
        **containers.MODELS,
        **names.MODELS,
        **imports.MODELS,
        **paths.MODELS,
    }


def _method_model(name: str) -> Model | None:
    """Models that hold for a method of many owners."""
    from reverie.sandbox.safety.interpreter.models import names, pure

    owner, _, method = name.rpartition(".")
    if owner in pure.METHOD_OWNERS and method not in pure.CONSTRUCTORS:
        return functools.partial(pure.call_unbound, method)
    return names.find_dictionary_model(name)
