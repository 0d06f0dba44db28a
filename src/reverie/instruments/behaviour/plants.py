"""Functions that do the same, that do not, and one that does less: they have to be told apart."""

from collections.abc import Iterable
from functools import cache

from reverie.instruments.behaviour.instrument import Behaviours
from reverie.instruments.self_check import Plant
from reverie.model.call import Call, Expression
from reverie.model.measurements.equivalence import Seen, Subject
from reverie.sandbox.engine import Sandbox

_BASE = """\
def total(n):
    found = 0
    for each in range(n):
        found += each
    return found
"""
_TWIN = "def total(n):\n    return sum(range(n))\n"
_OTHER = "def total(n):\n    return sum(range(n + 1))\n"
_CALLS = tuple(Call((Expression(str(n)),)) for n in (0, 3, 40))


def plants(sandbox: Sandbox) -> Iterable[Plant]:
    """What has to be seen before anything else that is seen counts."""
    behaviours = Behaviours(sandbox, timeout_seconds=10.0, counts_steps=True)

    @cache
    def seen(code: str) -> tuple[Seen, ...]:
        return behaviours.look(Subject(code, "total"), _CALLS)

    def compared(code: str) -> str:
        pairs = zip(seen(_BASE), seen(code), strict=True)
        return "same" if all(a.behaviour == b.behaviour for a, b in pairs) else "different"

    def cost() -> str:
        base, twin = seen(_BASE)[-1].steps, seen(_TWIN)[-1].steps
        return "cheaper" if base is not None and twin is not None and twin < base else "not"

    return (
        Plant("a twin", "same", lambda: compared(_TWIN)),
        Plant("another result", "different", lambda: compared(_OTHER)),
        Plant("fewer steps", "cheaper", cost),
    )
