"""Forks that are given up for what they spend, never for what a busy machine keeps from them."""

import resource
from collections.abc import Callable

from reverie.instruments.mutation.inside.children import SURVIVED, TIMEOUT, Statement, run_child

_TIMES_AS_LONG = 20.0


def run_fork(
    statement: Statement, act: Callable[[], None], cost: Callable[[int], float]
) -> tuple[bytes, int]:
    """The last word of a fork, and its test. Who was stopped before it spent its share survives."""
    before = _spent()
    word, test = run_child(statement, act, cost)
    if word == TIMEOUT and _spent() - before < _TIMES_AS_LONG * cost(test):
        return SURVIVED, test
    return word, test


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
