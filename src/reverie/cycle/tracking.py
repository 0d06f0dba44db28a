"""One callable through the history of its repository: its cost, and since when it is slower."""

import hashlib
import math
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from reverie.errors import MachineryError, UsageError
from reverie.index.ranking import functions_of
from reverie.instruments.benchmark.growing import growing_calls
from reverie.instruments.benchmark.instrument import compare_speed
from reverie.instruments.benchmark.rounds import Comparison, Effort
from reverie.instruments.benchmark.target import CallableTarget, Inputs, parse_target
from reverie.model.measurements.benchmark import (
    Benchmark,
    CallableMeasure,
    Estimate,
    Regression,
    RequiredGain,
    Speedup,
    SpeedVerdict,
    Tracked,
)
from reverie.model.repository.code import CodeIndex, Function
from reverie.promotion.git import Git
from reverie.promotion.history import CommitLine, commits_between
from reverie.promotion.trial_tree import open_trial_tree
from reverie.sandbox.engine import Sandbox

Progress = Callable[[str], None]
_EFFORT = Effort(budget_seconds=8.0)


@dataclass(frozen=True, slots=True)
class TrackedCallable:
    """A callable of a repository by path and name, and what it is called with."""

    repository: Path
    path: str
    qualname: str
    maker: CallableTarget | None = None
    size: int = 300
    seed: int = 0

    @property
    def name(self) -> str:
        """As it stands in the journal."""
        return f"{self.path}:{self.qualname}"


def track_callable(
    sandbox: Sandbox,
    chosen: TrackedCallable,
    index: CodeIndex,
    since: str | None,
    progress: Progress = lambda text: None,
) -> Tracked:
    """Measure a callable as it is committed, compare it with an earlier commit, and look back."""
    git = Git.find(chosen.repository)
    if git is None:
        raise UsageError(f"{str(chosen.repository)!r} is no git repository: it has no past")
    tracker = _Tracker(sandbox, chosen, git, progress)
    head = git.resolve("HEAD")
    base = None if since is None else git.resolve(since)
    measured = tracker.compare(base or head, head)
    measure = _measure(chosen, _function(index, chosen), measured, head, sandbox)
    if base is None or measured is None:
        note = None if measured is not None else "it could not be timed: give --inputs"
        return Tracked(measure, base, None if base is None else measured, None, note)
    regression = tracker.look_back(base, head, measured)
    return Tracked(measure, base, measured, regression)


class _Tracker:
    """Times revisions against one another."""

    def __init__(
        self, sandbox: Sandbox, chosen: TrackedCallable, git: Git, progress: Progress
    ) -> None:
        self._sandbox = sandbox
        self._chosen = chosen
        self._git = git
        self._progress = progress
        self._tried: dict[str, Speedup | None] = {}

    def compare(self, base: str, head: str) -> Benchmark | None:
        """Two revisions side by side; None where one has no such callable, or no inputs."""
        chosen = self._chosen
        with ExitStack() as stack:
            folders = [
                stack.enter_context(open_trial_tree(chosen.repository, each))
                for each in (base, head)
            ]
            try:
                old, new = (
                    parse_target(f"{each / chosen.path}:{chosen.qualname}") for each in folders
                )
                inputs = self._inputs(folders[1])
                comparison = Comparison(old, new, inputs, chosen.size, chosen.seed)
                return compare_speed(self._sandbox, comparison, RequiredGain(), _EFFORT)
            except (UsageError, MachineryError):
                return None

    def _inputs(self, folder: Path) -> Inputs:
        chosen = self._chosen
        if chosen.maker is not None:
            return Inputs(chosen.maker)
        source = (folder / chosen.path).read_bytes().decode("utf-8-sig")
        calls = growing_calls(source, chosen.qualname)
        if not calls:
            raise UsageError(f"no inputs for {chosen.qualname!r}")
        return Inputs(sources=calls)

    def look_back(self, base: str, head: str, measured: Benchmark) -> Regression | None:
        """Halve the commits between two until the first slower one is left."""
        speedup = measured.judgement.speedup
        if measured.judgement.verdict is not SpeedVerdict.SLOWER or speedup is None:
            return None
        bound = math.sqrt(speedup.p50.value)
        left = list(commits_between(self._git, base, head))
        while len(left) > 1:
            place = self._halve(base, left, bound)
            if place is None:
                break
            is_slower = self._is_slower(base, left[place], bound)
            left = left[: place + 1] if is_slower else left[place + 1 :]
        last = left[0] if len(left) == 1 else None
        p50 = speedup.p50
        return Regression(
            self._chosen.name,
            datetime.now(UTC),
            base,
            head,
            Estimate(1 / p50.value, 1 / p50.high, 1 / p50.low),
            None if last is None else last.id,
            None if last is None else last.subject,
            tuple(each.id for each in left),
            len(self._tried),
        )

    def _halve(self, base: str, left: list[CommitLine], bound: float) -> int | None:
        """The commit nearest to the middle that can be told apart; never the last, known to be."""
        middle = (len(left) - 2) / 2
        for place in sorted(range(len(left) - 1), key=lambda each: abs(each - middle)):
            if self._is_slower(base, left[place], bound) is not None:
                return place
        return None

    def _is_slower(self, base: str, commit: CommitLine, bound: float) -> bool | None:
        """Whether a commit is nearer to the slow end than to the base; None when it cannot be told.

        Half of the way, as a ratio, is the bound: a little noise on either side of it decides
        nothing, where a verdict on the commit alone would hold.
        """
        if commit.id not in self._tried:
            self._progress(f"timing {commit.id[:8]}")
            found = self.compare(base, commit.id)
            self._tried[commit.id] = None if found is None else found.judgement.speedup
        speedup = self._tried[commit.id]
        if speedup is None or speedup.p50.low <= bound <= speedup.p50.high:
            return None
        return speedup.p50.high < bound


def _function(index: CodeIndex, chosen: TrackedCallable) -> Function:
    for module in index.modules:
        if module.path == chosen.path:
            for each in functions_of(module):
                if each.qualname == chosen.qualname:
                    return each
    raise UsageError(f"the index knows no {chosen.name!r}")


def _measure(
    chosen: TrackedCallable,
    function: Function,
    measured: Benchmark | None,
    head: str,
    sandbox: Sandbox,
) -> CallableMeasure:
    text = (chosen.repository / chosen.path).read_bytes()
    new = None if measured is None else measured.new
    return CallableMeasure(
        chosen.name,
        datetime.now(UTC),
        head,
        hashlib.sha256(text).hexdigest(),
        None if new is None else chosen.size,
        None if new is None else new.cpu_seconds,
        None if new is None else new.peak_bytes,
        function.complexity,
        function.cognitive,
        function.loc,
        str(sandbox.tier),
    )
