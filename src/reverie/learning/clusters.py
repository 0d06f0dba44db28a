"""Events that are one bug, together: how often, since when, in which tests, and how reliably."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise

from reverie.model.event import FailureCluster, FailureEvent, TestRun


def cluster(events: Iterable[FailureEvent], runs: Sequence[TestRun]) -> tuple[FailureCluster, ...]:
    """One cluster per signature, most frequent first; among equals the latest first."""
    gathered: dict[str, _Gathered] = {}
    for event in events:
        gathered.setdefault(event.signature, _Gathered(event, event)).add(event)
    found = [each.cluster(runs) for each in gathered.values()]
    found.sort(key=lambda each: each.signature)
    found.sort(key=lambda each: (each.count, each.last_seen), reverse=True)
    return tuple(found)


def flake_score(outcomes: Sequence[bool]) -> float | None:
    """The share of consecutive runs in which the outcome changed; None for fewer than two runs.

    Always failing is 0, and a bug that was mended once is near 0: neither is flaky.
    """
    if len(outcomes) < 2:
        return None
    changes = sum(one != other for one, other in pairwise(outcomes))
    return changes / (len(outcomes) - 1)


@dataclass(slots=True)
class _Gathered:
    """A cluster in the making."""

    first: FailureEvent
    last: FailureEvent
    count: int = 0
    phases: set[str] = field(default_factory=set)
    tests: set[str] = field(default_factory=set)
    runs: dict[str, datetime] = field(default_factory=dict)
    has_all_runs: bool = True

    def add(self, event: FailureEvent) -> None:
        self.count += 1
        self.tests.add(event.test_id)
        if event.phase is not None:
            self.phases.add(event.phase)
        if event.seen_at < self.first.seen_at:
            self.first = event
        if event.seen_at >= self.last.seen_at:
            self.last = event
        if event.run is None:
            self.has_all_runs = False
        else:
            seen = self.runs.get(event.run, event.seen_at)
            self.runs[event.run] = min(seen, event.seen_at)

    def cluster(self, runs: Sequence[TestRun]) -> FailureCluster:
        passes = {
            each.run: each.ended_at
            for each in runs
            if each.run not in self.runs and each.passed_again & self.tests
        }
        moments = [(moment, False) for moment in self.runs.values()]
        moments += [(moment, True) for moment in passes.values()]
        outcomes = [has_passed for _, has_passed in sorted(moments)]
        return FailureCluster(
            signature=self.last.signature,
            count=self.count,
            error_class=self.last.error_class,
            message=self.last.message,
            phases=tuple(sorted(self.phases)),
            tests=tuple(sorted(self.tests)),
            first_seen=self.first.seen_at,
            last_seen=self.last.seen_at,
            runs_failed=len(self.runs),
            runs_passed=len(passes),
            flake_score=flake_score(outcomes) if self.has_all_runs else None,
            repro_cmd=self.last.repro_cmd,
        )
