"""Two functions on the same calls, taking turns: which one spends less CPU time."""

import time
from typing import Any

_MOST_CALLS = 12
_PASS_SECONDS = 0.0004
_MOST_REPEATS = 200


def race(modules: "list[dict[str, Any]]", order: "dict[str, Any]") -> "list[list[float]]":
    """CPU seconds of both in every round, by turns A B and B A."""
    calls = [_prepared(module, order) for module in modules]
    repeats = 1
    while repeats < _MOST_REPEATS and _spent(calls[0], repeats) < _PASS_SECONDS:
        repeats *= 2
    rounds = []
    for number in range(order["rounds"]):
        first, second = (0, 1) if number % 2 == 0 else (1, 0)
        spent = [0.0, 0.0]
        spent[first] = _spent(calls[first], repeats)
        spent[second] = _spent(calls[second], repeats)
        rounds.append(spent)
    return rounds


def _prepared(module: "dict[str, Any]", order: "dict[str, Any]") -> "list[Any]":
    scope = dict(module)
    made = []
    for call in order["calls"][:_MOST_CALLS]:
        if call["preamble"]:
            exec(compile(call["preamble"], "<arguments>", "exec"), scope)  # noqa: S102
        names = "".join(f"{name}={each}, " for name, each in call["kwargs"])
        source = f"({', '.join((*call['args'], ''))}), dict({names})"
        source = source if call["args"] else f"(), dict({names})"
        made.append((module[order["entry"]], compile(source, "<arguments>", "eval"), scope))
    return made


def _spent(calls: "list[Any]", repeats: int) -> float:
    """Making the arguments is not counted: a function may use them up."""
    total = 0.0
    for function, source, scope in calls:
        for _ in range(repeats):
            args, kwargs = eval(source, scope)
            begun = time.thread_time()
            value = function(*args, **kwargs)
            if hasattr(type(value), "__next__"):
                for _ in zip(range(64), value, strict=False):
                    pass
            total += time.thread_time() - begun
    return total
