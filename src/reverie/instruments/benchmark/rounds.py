"""One pair of processes after another, each in the sandbox."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from reverie.errors import UsageError
from reverie.instruments.benchmark.claims import (
    Calibration,
    Refused,
    Round,
    read_calibration,
    read_costs,
    read_peaks,
    read_round,
)
from reverie.instruments.benchmark.plan import Plan
from reverie.instruments.benchmark.program import ENTRY, PRELOADED, program
from reverie.instruments.benchmark.target import CallableTarget, Inputs
from reverie.model.benchmark import BenchmarkClock
from reverie.model.execution import Call, Execution, Policy, Request
from reverie.model.outcome import IsolationTier
from reverie.sandbox.engine import Sandbox

T = TypeVar("T")

_SAMPLE_NS = 500_000
_MOST_SAMPLE_NS = 4_000_000
"""Of the slower side: where the other is very much faster, its samples may be shorter."""
_MOST_CALIBRATION_NS = 60_000_000
_MOST_CALLS = 4096
_TRACED_CALLS = 3
_FITTING_CALLS = 3
_SLACK_SECONDS = 10.0
_SLOWER_THAN_PLANNED = 8.0


class NotMeasured(Exception):
    """The code under test did not get through a round; what it did instead is the message."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two callables and what they are called with."""

    old: CallableTarget
    new: CallableTarget
    inputs: Inputs
    size: int
    seed: int


class Rounds:
    """Runs rounds of one comparison. Remembers how many, so that old and new take turns."""

    def __init__(self, sandbox: Sandbox, comparison: Comparison) -> None:
        self._sandbox = sandbox
        self._comparison = comparison
        self._policy = _policy(comparison, sandbox.section.policy())
        self._count = 0
        self.cpu_seconds_outside: float | None = None
        """CPU time of the last round's first process, as the kernel counted it outside."""

    @property
    def is_shared(self) -> bool:
        """Whether both sides run in one process, because a second one is forbidden."""
        return self._sandbox.tier is IsolationTier.LANDLOCK

    def calibrate(self, least_calls: int = 1) -> Calibration:
        """Find out what the callables cost."""
        limits = {
            "least_calls": least_calls,
            "pin": 0,
            "sample_ns": _SAMPLE_NS,
            "most_ns": _MOST_CALIBRATION_NS,
            "most_calls": _MOST_CALLS,
            "most_sample_ns": _MOST_SAMPLE_NS,
        }
        claim = self._run("calibrate", limits, self._sandbox.section.timeout_seconds)
        return _read(lambda: read_calibration(claim))

    def fit(self) -> tuple[int | None, ...]:
        """What the old callable costs with each of the sources; None where it raises."""
        shape = {"calls": _FITTING_CALLS, "pin": 0}
        claim = self._run("fit", shape, self._sandbox.section.timeout_seconds)
        return _read(lambda: read_costs(claim, len(self._comparison.inputs.sources)))

    def measure(self, plan: Plan) -> Round:
        """One round as planned."""
        pin = int(plan.clock is BenchmarkClock.CPU)
        shape = {"slots": plan.slots, "calls": plan.calls, "warm": plan.warm, "pin": pin}
        wall = _SLACK_SECONDS + _SLOWER_THAN_PLANNED * plan.round_seconds
        claim = self._run("round", shape, wall)
        return _read(lambda: read_round(claim, plan.slots, plan.calls))

    def trace(self, plan: Plan) -> tuple[int, int]:
        """The peaks of memory of old and new."""
        wall = _SLACK_SECONDS + 10 * _SLOWER_THAN_PLANNED * plan.round_seconds
        claim = self._run("trace", {"slots": _TRACED_CALLS, "pin": 0}, wall)
        return _read(lambda: read_peaks(claim))

    def _run(self, mode: str, shape: Mapping[str, int], wall_seconds: float) -> Mapping[str, Any]:
        chosen = self._comparison
        order = {
            "old": chosen.old.document(),
            "new": chosen.new.document(),
            "inputs": chosen.inputs.document(),
            "n": chosen.size,
            "seed": chosen.seed,
            "mode": mode,
            "round": self._count,
            "shared": self.is_shared,
            **shape,
        }
        self._count += 1
        limits = replace(self._sandbox.section.limits(), wall_seconds=wall_seconds)
        request = Request(Call(program(), ENTRY, order), limits, self._policy)
        execution = self._sandbox.run(request)
        self.cpu_seconds_outside = execution.usage.cpu_seconds
        return _claim_of(execution, chosen)


def _policy(comparison: Comparison, base: Policy) -> Policy:
    targets = [comparison.old, comparison.new, comparison.inputs.maker]
    shown = [each.shown for each in targets if each is not None]
    preload = (*base.preload, *(name for name in PRELOADED if name not in base.preload))
    return replace(base, readonly=tuple(dict.fromkeys((*base.readonly, *shown))), preload=preload)


def _claim_of(execution: Execution, comparison: Comparison) -> Mapping[str, Any]:
    """What the watch answered. A callable that cannot be loaded is the caller's mistake."""
    if not execution.succeeded or not isinstance(execution.output, dict):
        told = execution.error.message if execution.error else "it gave no answer"
        raise NotMeasured(f"{execution.outcome}: {told}")
    failed = execution.output.get("failed")
    if failed is None:
        return execution.output
    if not isinstance(failed, dict):
        raise NotMeasured("its answer makes no sense")
    side, command, error = (str(failed.get(name)) for name in ("side", "command", "error"))
    target = comparison.old if side == "old" else comparison.new
    named = f"{target.file}:{target.attribute}"
    if command == "load":
        raise UsageError(f"cannot load {named}: {error}")
    if command == "prepare":
        raise UsageError(f"cannot make inputs for {named}: {error}")
    raise NotMeasured(f"{side}: {command}: {error}")


def _read(read: Callable[[], T]) -> T:
    try:
        return read()
    except Refused as error:
        raise NotMeasured(str(error)) from error
