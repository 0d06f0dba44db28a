"""Batches of traffic go into the sandbox; figures come out, compared and counted here."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from reverie.errors import MachineryError
from reverie.instruments.equivalence import Version
from reverie.instruments.equivalence.laboratory import version_document
from reverie.model.execution import MIB, Call, Request
from reverie.model.measurements.equivalence import CanaryFigures
from reverie.sandbox.bundle import bundled
from reverie.sandbox.engine import Sandbox
from reverie.scoring.samples import quantile

_BATCH_SECONDS = 30.0
_MS = 1e-6


@cache
def _program() -> str:
    return bundled("reverie.instruments.canary.inside.side_by_side:compare")


@dataclass(slots=True)
class SideBySide:
    """Two versions and all that was seen of them."""

    sandbox: Sandbox
    old: Version
    new: Version
    preamble: str = ""
    traffic: int = 0
    differences: int = 0
    new_errors: int = 0
    example: str | None = None
    times: list[tuple[int, int]] = field(default_factory=list)

    def run(self, calls: Sequence[str], traffic: int) -> None:
        """Compare the versions on a batch; `traffic`: of how many calls it is the share."""
        self.traffic += traffic
        if not calls:
            return
        params = {
            "versions": [version_document(each) for each in (self.old, self.new)],
            "calls": list(calls),
            "preamble": self.preamble,
        }
        execution = self.sandbox.run(self._request(params))
        if not execution.succeeded or not isinstance(execution.output, list):
            said = "" if execution.error is None else execution.error.message
            raise MachineryError(f"the batch came to no answer: {execution.outcome}: {said}"[:300])
        for source, seen in zip(calls, execution.output, strict=True):
            self._count(source, seen)

    def _count(self, source: str, seen: Any) -> None:
        old, old_raised, old_ns, new, new_raised, new_ns = seen
        self.times.append((int(old_ns), int(new_ns)))
        is_different = str(old) != str(new)
        if new_raised is True and old_raised is not True:
            self.new_errors += 1
        elif is_different:
            self.differences += 1
        if is_different and self.example is None:
            self.example = source.replace("_given", self.new.qualname, 1)[:500]

    def figures(self) -> CanaryFigures:
        """What was seen so far."""
        old, new = (sorted(each[side] * _MS for each in self.times) for side in (0, 1))
        slower = [each[1] > each[0] for each in self.times]
        return CanaryFigures(
            traffic=self.traffic,
            compared=len(self.times),
            differences=self.differences,
            new_errors=self.new_errors,
            p50_old_ms=quantile(old, 0.5) if old else None,
            p50_new_ms=quantile(new, 0.5) if new else None,
            p95_old_ms=quantile(old, 0.95) if old else None,
            p95_new_ms=quantile(new, 0.95) if new else None,
            slower_share=sum(slower) / len(slower) if slower else None,
            example=self.example,
        )

    def _request(self, params: dict[str, Any]) -> Request:
        base = self.sandbox.section
        limits = replace(base.limits(), wall_seconds=_BATCH_SECONDS, result_bytes=32 * MIB)
        roots = tuple(dict.fromkeys((*self.old.roots, *self.new.roots)))
        policy = replace(base.policy(), readonly=roots, seed=0)
        return Request(Call(_program(), "compare", params), limits, policy)
