"""From a measured growth to a finding: sizes and costs, and a script that measures again."""

import hashlib
from dataclasses import dataclass
from typing import Any, Self

from reverie.dreamers.enrich.target import Target
from reverie.dreamers.fuzz.claims.subjects import Reading
from reverie.dreamers.fuzz.law import Basis, LawKind
from reverie.dreamers.fuzz.repro import Failing, script
from reverie.dreamers.fuzz.told import is_source
from reverie.model.discovery import Discovery

_LEAST = {"lines": 3000.0, "seconds": 10.0}
_UNITS = {"lines": "executed lines", "seconds": "ms of CPU time"}
_STATED = {
    "lines": "the number of executed lines grows at most with a small power of the size",
    "seconds": "the time grows at most with a small power of the size",
    "depth": "calls do not nest as deep as the input is long",
}


@dataclass(frozen=True, slots=True)
class Grown:
    """What the sandbox tells of a call whose cost multiplies."""

    name: str
    call: str
    sizes: tuple[int, ...]
    costs: tuple[float, ...]
    measure: str

    @classmethod
    def read(cls, claim: Any) -> Self | None:
        """A claim in the form it has to have; None for anything else."""
        if not isinstance(claim, dict) or not isinstance(claim.get("growth"), str):
            return None
        sizes, costs = claim.get("sizes"), claim.get("costs")
        call, measure = claim.get("call"), claim.get("measure")
        if not (isinstance(sizes, list) and isinstance(costs, list) and is_source(call)):
            return None
        if measure not in _STATED or not all(type(each) is int for each in sizes):
            return None
        if not all(type(each) in (int, float) for each in costs):
            return None
        numbers = tuple(float(each) for each in costs)
        return cls(claim["growth"], call, tuple(sizes), numbers, measure)

    @property
    def errors(self) -> frozenset[str]:
        """What a script of this claim raises, if it is true."""
        return frozenset({"RecursionError" if self.measure == "depth" else "AssertionError"})


def discovery_of_growth(
    grown: Grown, measured: tuple[str, ...], target: Target, reading: Reading
) -> Discovery | None:
    """The finding; None when it is about something that nobody asked to measure."""
    if grown.name not in measured:
        return None
    text = f"growth|{target.module}|{grown.name}|{grown.measure}"
    return Discovery(
        signature=hashlib.sha256(text.encode()).hexdigest()[:16],
        callable=grown.name,
        kind=LawKind.GROWTH.value,
        basis=Basis.STATED.value,
        input=f"{grown.call} for size = {', '.join(map(str, grown.sizes))}",
        expected=_STATED[grown.measure],
        actual=_actual(grown),
        hypothesis=_hypothesis(grown),
        action="bound the size of the input, or look for work that is done again and again",
        repro=script(_failing(grown), target, reading.names),
    )


def _actual(grown: Grown) -> str:
    if grown.measure == "depth":
        return f"RecursionError for size = {grown.sizes[-1]}"
    costs = ", ".join(f"{each:.0f}" for each in grown.costs)
    return f"{costs} {_UNITS[grown.measure]} for each item of the result"


def _hypothesis(grown: Grown) -> str:
    if grown.measure == "depth":
        return "the function calls itself once for each item"
    if grown.sizes[1] == 2 * grown.sizes[0]:
        return "nested loops or copies: doubling the size multiplies the cost by 6 or more"
    if grown.measure == "seconds":
        return "a regular expression tries all ways to split the same text (backtracking)"
    return "the same subproblems are solved again: a few items more multiply the cost"


def _failing(grown: Grown) -> Failing:
    if grown.measure == "depth":
        statements: tuple[str, ...] = (f"size = {grown.sizes[-1]}", f"result = {grown.call}")
        return Failing(_STATED["depth"], statements, "True")
    statements = (
        f"sizes = {list(grown.sizes)}",
        f"costs = [{grown.measure}_of(lambda: {grown.call}) for size in sizes]",
    )
    check = f"not is_steep(sizes, costs, {_LEAST[grown.measure]})"
    return Failing(_STATED[grown.measure], statements, check)
