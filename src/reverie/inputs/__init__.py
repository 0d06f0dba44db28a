"""Inputs for a callable, made from its source alone; nothing of it is imported or run here.

    from reverie import inputs

    shape = inputs.read(source, "Class.method")         # parameters, overloads, async, generator
    calls = inputs.calls_for(shape, seed=1, count=50)    # or generate_calls(source, qualname, …)
    calls[0].render("Class.method")                      # "Class(3).method('a')"
    inputs.mutate_call(calls[0], random.Random(7))       # a neighbour, for guided search
    for smaller in inputs.shrink_call(calls[0]): ...     # candidates, most promising first

A `Call` is source: see `reverie.model.call` for how it is performed.
"""

from reverie.inputs.calls import calls_for, draw_call, generate_calls
from reverie.inputs.literals import Literals
from reverie.inputs.mutate import mutate_call
from reverie.inputs.shrink import shrink_call
from reverie.inputs.signature import CallableKind, CallableShape, ParameterShape, read

__all__ = [
    "CallableKind",
    "CallableShape",
    "Literals",
    "ParameterShape",
    "calls_for",
    "draw_call",
    "generate_calls",
    "mutate_call",
    "read",
    "shrink_call",
]
