"""Speed: a benchmark of two callables, the profile of a run, and the past of a callable."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class SpeedVerdict(StrEnum):
    """The answer of a benchmark. `hold`: the measurements do not allow one."""

    FASTER = "faster"
    SLOWER = "slower"
    NO_DIFFERENCE = "no_difference"
    HOLD = "hold"


class BenchmarkClock(StrEnum):
    """What the verdict rests on: `wall` for callables that mostly wait."""

    CPU = "cpu"
    WALL = "wall"


@dataclass(frozen=True, slots=True)
class RequiredGain:
    """The least share of time that has to be saved at a percentile; None asks nothing there."""

    p50: float | None = 0.10
    p95: float | None = 0.10
    p99: float | None = None

    def at(self, percentile: int) -> float | None:
        """The share required at 50, 95 or 99."""
        return {50: self.p50, 95: self.p95, 99: self.p99}[percentile]


@dataclass(frozen=True, slots=True)
class PairedTimes:
    """Seconds per call, by round and slot: `old[r][s]` and `new[r][s]` ran next to one another.

    A round is a fresh pair of processes. A slot stands for the same inputs in every round.
    """

    old: tuple[tuple[float, ...], ...]
    new: tuple[tuple[float, ...], ...]

    @property
    def rounds(self) -> int:
        """How many pairs of processes."""
        return len(self.old)

    @property
    def slots(self) -> int:
        """How many different inputs (or batches of them) each round timed."""
        return len(self.old[0]) if self.old else 0

    @property
    def pairs(self) -> int:
        """How often old and new were timed next to one another."""
        return self.rounds * self.slots


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Speedup:
    """Time of old over time of new, at percentiles of the calls; above 1, new is faster."""

    p50: Estimate
    p95: Estimate
    p99: Estimate | None
    """None when there are fewer than 1,000 calls, or too few samples to have such a tail."""

    def at(self, percentile: int) -> Estimate | None:
        """The estimate at 50, 95 or 99."""
        return {50: self.p50, 95: self.p95, 99: self.p99}[percentile]


@dataclass(frozen=True, slots=True)
class SpeedJudgement:
    """Verdict and reason, made in one place from the times."""

    verdict: SpeedVerdict
    reason_code: str
    reason: str
    speedup: Speedup | None
    pairs: int
    pairs_won: float | None
    """Share of the pairs in which new took less time."""


@dataclass(frozen=True, slots=True)
class SideFigures:
    """What one of the two callables costs, beside the paired comparison."""

    cpu_seconds: float
    """Median CPU time of a call."""
    wall_seconds: float
    cold_seconds: float
    """The first call in a fresh process; the least of all rounds."""
    load_seconds: float
    """CPU time of importing its module; the least of all rounds."""
    peak_bytes: int | None
    """Most memory that a call allocated, as the interpreter traced it."""
    rss_bytes: int | None
    """Peak of the whole process, as the kernel counted it."""


@dataclass(frozen=True, slots=True)
class Growth:
    """How time grows with the size of the input: the exponent of n."""

    old: Estimate
    new: Estimate
    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Two callables, compared."""

    judgement: SpeedJudgement
    clock: BenchmarkClock
    times: PairedTimes
    calls: int
    """Timed calls of each callable."""
    calls_per_sample: int
    distinct_inputs: bool
    old: SideFigures | None
    new: SideFigures | None
    memory_ratio: float | None
    """New over old, of what calls allocated at most."""
    difference: str | None
    """How the results of the two differ, where they do."""
    growth: Growth | None
    seconds: float
    has_watch_of_its_own: bool
    """Whether the clock was read by a process in which neither callable ran."""


class ProfileSource(StrEnum):
    """What is run to see where the time goes."""

    TESTS = "tests"
    BENCHMARKS = "benchmarks"
    WORKFLOWS = "workflows"


@dataclass(frozen=True, slots=True)
class HotCallable:
    """A function of the repository, and what it cost while something was profiled."""

    path: str
    qualname: str
    calls: int
    own_seconds: float
    """In its own lines."""
    total_seconds: float
    """With all that it called."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What was hot, hottest first; or why nothing was measured."""

    hot: tuple[HotCallable, ...]
    seconds: float
    """Of the whole run, as the profiler counted."""
    problem: str | None = None


def merged_profile(profiles: Sequence[Profile]) -> Profile:
    """Several profiles as one: costs are added up, and all problems are told."""
    found: dict[tuple[str, str], HotCallable] = {}
    for each in (hot for profile in profiles for hot in profile.hot):
        key = each.path, each.qualname
        before = found.get(key, HotCallable(*key, 0, 0.0, 0.0))
        found[key] = HotCallable(
            *key,
            before.calls + each.calls,
            before.own_seconds + each.own_seconds,
            before.total_seconds + each.total_seconds,
        )
    hot = sorted(found.values(), key=lambda e: (-e.own_seconds, e.path, e.qualname))
    problems = [each.problem for each in profiles if each.problem is not None]
    seconds = sum(each.seconds for each in profiles)
    return Profile(tuple(hot), seconds, "; ".join(problems) or None)


@dataclass(frozen=True, slots=True)
class CallableMeasure:
    """One look at a callable. An absent measure is None."""

    callable: str
    """`path:qualname`, from the repository on."""
    measured_at: datetime
    commit: str | None
    source_hash: str
    """Of its module: whether it is the same text."""
    size: int | None
    """Of the inputs that it was timed with."""
    cpu_seconds: float | None
    peak_bytes: int | None
    complexity: int
    cognitive: int
    lines: int
    isolation: str


@dataclass(frozen=True, slots=True)
class Regression:
    """A callable that got slower, and since when."""

    callable: str
    found_at: datetime
    base: str
    """The commit that it was compared with."""
    head: str
    slowdown: Estimate
    """Time of head over time of base, at the median."""
    commit: str | None
    """The first that is slower; None where several stay possible."""
    subject: str | None
    between: tuple[str, ...]
    """Commits that stay possible, oldest first."""
    tried: int
    """Commits that were timed on the way."""


@dataclass(frozen=True, slots=True)
class Tracked:
    """A look at a callable, compared with an earlier commit where there is one."""

    measure: CallableMeasure
    compared_with: str | None
    benchmark: Benchmark | None
    regression: Regression | None
    note: str | None = None
