"""Rounds of a benchmark: one pair of processes after another, each in the sandbox.

How much is measured is decided beforehand: enough for the statistics, no more than the budget.
A pair of processes tells about itself, and is read with suspicion: the watch is ours, but it talks
to code that is not. Whatever does not have the form that an honest round has is refused as a whole.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, TypeVar

from reverie.errors import UsageError
from reverie.instruments.benchmark.target import CallableTarget, Inputs
from reverie.model.execution import Call, Execution, Policy, Request
from reverie.model.measurements.benchmark import BenchmarkClock
from reverie.model.outcome import IsolationTier
from reverie.sandbox.bundle import bundled
from reverie.sandbox.engine import Sandbox
from reverie.scoring.speedup import LEAST_PAIRS, LEAST_ROUNDS, LEAST_SLOTS_FOR_P99

_NS = 1e-9
_BLUR = 10
"""What asking costs is known to a tenth; no sample is believed to be shorter than that."""


class Refused(Exception):
    """An answer that no honest round gives."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """How many calls make a sample, and what one slot costs on both sides together."""

    calls: int
    slot_seconds: float
    waits: bool
    """Whether the callables mostly wait, so that wall time is what counts."""
    distinct_inputs: bool
    raised: bool
    """Whether every call raised."""
    difference: str | None


@dataclass(frozen=True, slots=True)
class SideRound:
    """One side in one round; seconds per call where there is a list."""

    cpu: tuple[float, ...]
    wall: tuple[float, ...]
    load_seconds: float
    cold_seconds: float
    other_seconds: float
    """CPU time outside load and calls: making inputs, looking at results."""
    rss_bytes: int | None


@dataclass(frozen=True, slots=True)
class Round:
    """One pair of processes."""

    old: SideRound
    new: SideRound
    difference: str | None


def read_calibration(claim: Mapping[str, Any]) -> Calibration:
    """The calibration, or `Refused`."""
    sides = [_mapping(claim, "old"), _mapping(claim, "new")]
    calls = max(1, _whole(claim, "calls"))
    inputs = _mapping(claim, "inputs")
    seconds = sum(_whole(side, "busy_ns") + _whole(side, "other_ns") for side in sides) * _NS
    return Calibration(
        calls=calls,
        slot_seconds=seconds,
        waits=any(side.get("waited") is True for side in sides),
        distinct_inputs=2 * _whole(inputs, "distinct") > _whole(inputs, "of"),
        raised=all(_whole(side, "raised") >= calls for side in sides),
        difference=_difference(claim),
    )


def read_costs(claim: Mapping[str, Any], count: int) -> tuple[int | None, ...]:
    """What calls with each of so many sources cost, None where they do not fit; or `Refused`."""
    costs = claim.get("costs")
    if not isinstance(costs, list) or len(costs) != count or {*map(type, costs)} - {int}:
        raise Refused("its costs make no sense")
    return tuple(each if each >= 0 else None for each in costs)


def read_round(claim: Mapping[str, Any], slots: int, calls: int) -> Round:
    """A round of so many slots and calls per slot, or `Refused`."""
    overhead, difference = _mapping(claim, "overhead"), _difference(claim)
    least = {name: _whole(overhead, name) for name in ("cpu_ns", "wall_ns")}
    wanted = None if difference is not None else slots
    old, new = (_side(_mapping(claim, name), least, wanted, calls) for name in ("old", "new"))
    return Round(old, new, difference)


def read_peaks(claim: Mapping[str, Any]) -> tuple[int, int]:
    """The most memory that a call of old and of new allocated, or `Refused`."""
    found = []
    for name in ("old", "new"):
        peaks = _mapping(claim, name).get("peaks")
        if not isinstance(peaks, list) or not peaks or not all(type(each) is int for each in peaks):
            raise Refused("its figures of memory make no sense")
        found.append(max(peaks))
    return found[0], found[1]


def _side(
    claim: Mapping[str, Any], overhead: Mapping[str, int], slots: int | None, calls: int
) -> SideRound:
    rss = claim.get("rss_bytes")
    if rss is not None and type(rss) is not int:
        raise Refused("its figures of memory make no sense")
    return SideRound(
        cpu=_times(claim, "cpu_ns", overhead, slots, calls),
        wall=_times(claim, "wall_ns", overhead, slots, calls),
        load_seconds=_whole(claim, "load_ns") * _NS,
        cold_seconds=max(0, _whole(claim, "cold_ns") - overhead["cpu_ns"]) * _NS,
        other_seconds=_whole(claim, "other_ns") * _NS,
        rss_bytes=rss,
    )


def _times(
    claim: Mapping[str, Any], name: str, overhead: Mapping[str, int], slots: int | None, calls: int
) -> tuple[float, ...]:
    found = claim.get(name)
    if not isinstance(found, list) or not all(type(each) is int and each >= 0 for each in found):
        raise Refused(f"its {name} make no sense")
    if slots is not None and len(found) != slots:
        raise Refused(f"it timed {len(found)} slots, not {slots}")
    least = overhead[name] / _BLUR
    return tuple(max(least, each - overhead[name]) * _NS / calls for each in found)


def _difference(claim: Mapping[str, Any]) -> str | None:
    found = claim.get("difference")
    if found is None:
        return None
    if not isinstance(found, dict):
        raise Refused("its difference makes no sense")
    old, new = _mapping(found, "old"), _mapping(found, "new")
    if found.get("of") == "arguments":
        return f"arguments left as {_text(old, 'arguments')} and {_text(new, 'arguments')}"
    told = f"old gave {_text(old, 'result')}, new gave {_text(new, 'result')}"
    return f"{told}, for {_as_given(_text(old, 'arguments'))}"


def _as_given(text: str) -> str:
    """Arguments as a call has them, where there are none by name: `(3,), {}` is `(3)`."""
    if not (text.startswith("((") and text.endswith("), {})")):
        return text
    return f"({text[2:-6].removesuffix(',')})"


def _mapping(claim: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = claim.get(name)
    if not isinstance(found, dict):
        raise Refused(f"its answer has no {name!r}")
    return found


def _whole(claim: Mapping[str, Any], name: str) -> int:
    found = claim.get(name)
    if type(found) is not int or found < 0:
        raise Refused(f"its {name} makes no sense")
    return found


def _text(claim: Mapping[str, Any], name: str) -> str:
    found = claim.get(name)
    return found if isinstance(found, str) else "?"


WAITING_FACTOR = 4
"""Wall time is noisier than CPU time: callables that wait get so many times the pairs."""
LOOKS = (LEAST_ROUNDS, 4, 6, 8, 11, 15, 20, 28, 40)
"""After how many rounds the verdict is looked at: often at first, when it is clear it is over."""
MOST_ROUNDS = LOOKS[-1]
_ROUND_SECONDS = 0.2
"""A round this short sees both sides in the same weather."""
_WARM_BATCHES = 2


@dataclass(frozen=True, slots=True)
class Plan:
    """The shape of every round, and how many there may be."""

    clock: BenchmarkClock
    calls: int
    slots: int
    warm: int
    most_rounds: int
    round_seconds: float


@dataclass(frozen=True, slots=True)
class Effort:
    """What the caller will spend: at least so many pairs over all rounds, at most so long."""

    pairs: int = LEAST_PAIRS
    budget_seconds: float = 10.0
    most_slots: int = 40
    """Slots of a round beyond what the pairs need. More rounds tell more than more slots."""
    least_slots: int = 1

    def with_tail(self) -> "Effort":
        """With as many slots as the 99th percentile takes, whatever they cost."""
        return replace(self, least_slots=LEAST_SLOTS_FOR_P99)


def make_plan(calibration: Calibration, effort: Effort) -> Plan:
    """The plan for two callables whose cost is known. `most_rounds` may be too few to judge."""
    clock = BenchmarkClock.WALL if calibration.waits else BenchmarkClock.CPU
    factor = WAITING_FACTOR if calibration.waits else 1
    least = -(-max(effort.pairs, factor * LEAST_PAIRS) // LEAST_ROUNDS)
    least = max(least, effort.least_slots)
    cost = max(calibration.slot_seconds, 1e-6)
    slots = max(least, min(effort.most_slots, int(_ROUND_SECONDS / cost)))
    round_seconds = cost * (slots + _WARM_BATCHES)
    affordable = int(effort.budget_seconds / round_seconds)
    return Plan(
        clock,
        calibration.calls,
        slots,
        _WARM_BATCHES,
        min(MOST_ROUNDS, affordable),
        round_seconds,
    )


ENTRY = "_run_benchmark"
PRELOADED = ("asyncio", "hashlib", "importlib.util", "inspect", "tracemalloc")
"""What the program imports, loaded once in the warm sandbox instead of once per round."""


@cache
def benchmark_program() -> str:
    """The whole program; `ENTRY` is called with the order."""
    return bundled(f"reverie.instruments.benchmark.inside.watch:{ENTRY}")


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
        wall = max(wall, self._sandbox.section.timeout_seconds)  # others may want the machine
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
            "first_calls": chosen.inputs.first_calls,
            "shared": self.is_shared,
            **shape,
        }
        self._count += 1
        limits = replace(self._sandbox.section.limits(), wall_seconds=wall_seconds)
        request = Request(Call(benchmark_program(), ENTRY, order), limits, self._policy)
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
