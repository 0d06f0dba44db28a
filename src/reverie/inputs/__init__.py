"""Inputs for a callable, made from its source alone; nothing of it is imported or run here.

    from reverie import inputs

    shape = inputs.read(source, "Class.method")         # parameters, overloads, async, generator
    calls = inputs.calls_for(shape, seed=1, count=50)    # or generate_calls(source, qualname, …)
    calls[0].render("Class.method")                      # "Class(3).method('a')"
    inputs.mutate_call(calls[0], random.Random(7))       # a neighbour, for guided search
    for smaller in inputs.shrink_call(calls[0]): ...     # candidates, most promising first

    inputs.hostile_calls(calls, inputs.Hostility.HIGH)   # with payloads; misused_calls likewise
    inputs.strategy_for(source, "Class.method")          # the same as a Hypothesis strategy
    inputs.folder_resolver("src")                        # `resolver=`: types of other modules

A `Call` is source: see `reverie.model.call` for how it is performed.
"""

from reverie.inputs.calls import SyntheticTestGenerator, calls_for, draw_call, generate_calls
from reverie.inputs.evaluate import NotMadeHere, evaluate
from reverie.inputs.hostile import ChangedCall, Hostility, hostile_calls, misused_calls
from reverie.inputs.literals import Literals
from reverie.inputs.neighbours import mutate_call, shrink_call
from reverie.inputs.scope import Resolver, folder_resolver
from reverie.inputs.signature import CallableKind, CallableShape, ParameterShape, read
from reverie.inputs.strategy import strategy_for
from reverie.model.measurements.output_type import Mismatch, validate_output

__all__ = [
    "CallableKind",
    "CallableShape",
    "ChangedCall",
    "Hostility",
    "Literals",
    "Mismatch",
    "NotMadeHere",
    "ParameterShape",
    "Resolver",
    "SyntheticTestGenerator",
    "calls_for",
    "draw_call",
    "evaluate",
    "folder_resolver",
    "generate_calls",
    "hostile_calls",
    "misused_calls",
    "mutate_call",
    "read",
    "shrink_call",
    "strategy_for",
    "validate_output",
]
