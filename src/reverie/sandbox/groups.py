"""Many inputs of one piece of code in one process tree: who answered, who is to blame."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from reverie.model.execution import Call, Execution, Request
from reverie.model.outcome import IsolationTier
from reverie.sandbox.backends.exchange import Exchange
from reverie.sandbox.classify import classify, judge_claim
from reverie.sandbox.encode import conclude
from reverie.sandbox.observation import Ending, Observation

GROUP_INPUTS = 64
"""Enough to pay for the group's process, few enough to spread over the slots."""
_GROUP_CHARACTERS = 1 << 20


@dataclass(frozen=True, slots=True)
class Group:
    """Inputs that share one exchange; `indexes` are their places in the caller's list."""

    request: Request
    indexes: tuple[int, ...]
    inputs: tuple[Mapping[str, Any], ...]

    def read(
        self, exchange: Exchange, tier: IsolationTier, started_at: datetime
    ) -> Iterator[tuple[int, tuple[Request, Execution]]]:
        """An execution for every answer, and one for the first input that has none."""
        seen = exchange.seen
        shares = _Shares(seen, len(exchange.claims))
        answered: set[int] = set()
        for claim in exchange.claims:
            place = claim.get("index")
            if type(place) is not int or not 0 <= place < len(self.inputs) or place in answered:
                continue
            answered.add(place)
            request = self._request_for(place)
            ruling = judge_claim(request, claim, seen)
            part = shares.take(claim)
            execution = conclude(request, part, ruling, tier, started_at)
            yield self.indexes[place], (request, execution)
        missing = next((n for n in range(len(self.inputs)) if n not in answered), None)
        if missing is not None:
            yield self.indexes[missing], self._blame(missing, seen, tier, started_at)

    def _request_for(self, place: int) -> Request:
        target = self.request.target
        assert isinstance(target, Call)
        return replace(self.request, target=replace(target, params=self.inputs[place]))

    def _blame(
        self, place: int, seen: Observation, tier: IsolationTier, started_at: datetime
    ) -> tuple[Request, Execution]:
        request = self._request_for(place)
        ending = Ending.SILENT if seen.ending is Ending.ANSWERED else seen.ending
        blamed = replace(seen, ending=ending, claim=None, stdout=b"", stderr=b"")
        ruling = classify(request, blamed)
        return request, conclude(request, blamed, ruling, tier, started_at)


def groups_of(
    request: Request,
    pending: Sequence[int],
    inputs: Sequence[Mapping[str, Any]],
    at_most: int = GROUP_INPUTS,
) -> Iterator[Group]:
    """Cut the pending inputs into groups of bounded count and size."""
    indexes: list[int] = []
    size = 0
    for index in pending:
        weight = len(repr(inputs[index]))
        if indexes and (len(indexes) >= at_most or size + weight > _GROUP_CHARACTERS):
            yield Group(request, tuple(indexes), tuple(inputs[i] for i in indexes))
            indexes, size = [], 0
        indexes.append(index)
        size += weight
    if indexes:
        yield Group(request, tuple(indexes), tuple(inputs[i] for i in indexes))


class _Shares:
    """Each answer's part of what the whole group printed, took and spent."""

    def __init__(self, seen: Observation, answers: int) -> None:
        self.seen = seen
        self.answers = max(1, answers)
        self.printed = [0, 0]

    def take(self, claim: Mapping[str, Any]) -> Observation:
        """Output between the last answer and this one; time and CPU in equal parts."""
        ends = claim.get("position")
        if not (isinstance(ends, list) and [type(end) for end in ends] == [int, int]):
            ends = self.printed
        starts = self.printed
        self.printed = [max(pair) for pair in zip(starts, ends, strict=True)]
        cpu = self.seen.cpu_seconds
        return replace(
            self.seen,
            claim=claim,
            stdout=self.seen.stdout[starts[0] : self.printed[0]],
            stderr=self.seen.stderr[starts[1] : self.printed[1]],
            wall_seconds=self.seen.wall_seconds / self.answers,
            cpu_seconds=None if cpu is None else cpu / self.answers,
        )
