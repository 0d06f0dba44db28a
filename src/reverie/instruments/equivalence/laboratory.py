"""The laboratory: scenarios go into the sandbox, traces come out, read with suspicion.

A `Deadline` says how much time is left for a comparison.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reverie.instruments.equivalence.facts import Facts
from reverie.instruments.equivalence.program import (
    ENTRY,
    NOTICE,
    PRELOADED,
    RACE,
    observing_program,
)
from reverie.instruments.equivalence.scenario import Scenario, Trace
from reverie.instruments.equivalence.targets import Version
from reverie.model.execution import MIB, Call, ErrorReport, Execution, Limits, Policy, Request
from reverie.model.measurements.equivalence import Observation
from reverie.model.outcome import TestOutcome
from reverie.sandbox.engine import Sandbox
from reverie.sandbox.observation import IMPATIENT, Spending
from reverie.sandbox.profile import draw_disguise

_GRACE = 3.0
"""What has begun may be finished within this."""


class BudgetSpent(Exception):
    """The time is up, and the grace with it."""


class Deadline:
    """Whether time is left, on the wall or as `spending` counts it."""

    def __init__(self, seconds: float, spending: Spending | None = None) -> None:
        self._seconds = seconds
        self._spending = spending or Spending(IMPATIENT)

    @property
    def is_over(self) -> bool:
        """Whether it is not."""
        return self.left <= 0

    @property
    def left(self) -> float:
        """Seconds; negative when it is over."""
        return self._seconds - self._spending.seconds

    @property
    def spent(self) -> float:
        """Seconds so far."""
        return self._spending.seconds

    @property
    def is_half_over(self) -> bool:
        """Whether it is time to weigh what there is."""
        return self.left <= self._seconds / 2

    def require(self) -> float:
        """How long one more run may take; `BudgetSpent` when even the grace is used up."""
        if self.left <= -_GRACE:
            raise BudgetSpent
        return self._spending.patience * self.left + _GRACE if self.left > 0 else self.left + _GRACE


RESULT_BYTES = 32 * MIB
_LOAD_SECONDS = 10.0
_RACE_SECONDS = 2.0
_LOST = {TestOutcome.TIMEOUT: "timeout", TestOutcome.RESOURCE_EXHAUSTION: "lost"}
"""Outcomes of a process that came to no answer; any other one is that of the code: it died."""


class NotLoaded(Exception):
    """A version's module cannot be imported inside; the message is its own claim."""

    def __init__(self, version: Version, error: ErrorReport | None) -> None:
        super().__init__("it ended without a word" if error is None else error.message)
        self.version = version
        self.kind = "" if error is None or error.type_name is None else error.type_name


class NoSense(Exception):
    """The answer is not one that the program gives: the code under test meddled with it."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Traces of the old and of the new version."""

    old: Trace
    new: Trace

    @property
    def is_slow(self) -> bool:
        """Whether a version did not end in time."""
        return any(step.outcome == "timeout" for step in (*self.old.steps, *self.new.steps))


@dataclass(frozen=True, slots=True)
class Growth:
    """How many parts a batch of scenarios added to what the versions keep."""

    scenarios: int
    old: int
    new: int
    new_later: int
    """In the second half of the batch."""


class Laboratory:
    """Runs scenarios on versions while there is time. Counts what it ran."""

    def __init__(
        self, sandbox: Sandbox, facts: Facts, step_seconds: float, deadline: Deadline
    ) -> None:
        self.sandbox = sandbox
        self.facts = facts
        self.deadline = deadline
        self.step_seconds = step_seconds
        self.hash_seed = 0
        self.disguise = 0
        self.runs = 0
        self._ballast = 0
        self.branches: list[dict[int, str]] = [{}, {}]
        """Ways of the branches of old and new, with the conditions they depend on."""
        self.homes: list[dict[int, str]] = [{}, {}]
        """The same ways, with the functions they are in."""
        self.growths: list[Growth] = []
        """What old and new held on to in the batches so far."""

    def observe_pairs(self, scenarios: Sequence[Scenario]) -> Iterator[Pair]:
        """Both versions, beside each other in one process, probed; as they are observed."""
        both = (self.facts.old, self.facts.new)
        return (Pair(*traces) for traces in self._traces(both, scenarios, is_probed=True))

    def under(self, hash_seed: int) -> "Laboratory":
        """The same with other hashes of texts, and so another order of sets."""
        other = Laboratory(self.sandbox, self.facts, self.step_seconds, self.deadline)
        other.hash_seed = hash_seed
        return other

    def elsewhere(self) -> "Laboratory":
        """The same on what seems to be another machine, at another time."""
        other = Laboratory(self.sandbox, self.facts, self.step_seconds, self.deadline)
        other.disguise = self.disguise + 1
        return other

    def observe_alone(
        self, version: Version, scenario: Scenario, seconds: float, ballast: int = 0
    ) -> Trace:
        """One version in a fresh process, as its author wrote it; `ballast` moves its objects."""
        seconds = max(self.step_seconds, min(seconds, self.deadline.left / 4))
        self._ballast = ballast
        try:
            return next(self._traces((version,), (scenario,), is_probed=False, seconds=seconds))[0]
        finally:
            self._ballast = 0

    def observe_overlaps(
        self, version: Version, pairs: Sequence[Scenario]
    ) -> list[frozenset[tuple[str, ...]]]:
        """Of each scenario of two steps, all answers that overlapping calls gave."""
        execution = self._run((version,), list(pairs), False, _RACE_SECONDS, entry=RACE)
        if not execution.succeeded:
            return []
        try:
            return [
                frozenset(tuple(map(str, answers)) for answers in found)
                for found in execution.output
            ]
        except TypeError as error:
            raise NoSense(str(error)) from error

    def notice(
        self,
        version: Version,
        mutants: Sequence[tuple[int, str, bool]],
        scenarios: Sequence[Scenario],
    ) -> list[int | None]:
        """For each mutant the scenario that tells it from its version; None: none does.

        A mutant that only marks tells how many scenarios came by. One that ends its process
        alone was noticed.
        """
        if not mutants:
            return []
        execution = self._run(
            (version,), list(scenarios), False, self.step_seconds, NOTICE, tuple(mutants)
        )
        if execution.succeeded:
            return _noticed(execution.output, len(mutants))
        if len(mutants) == 1:
            return [None if mutants[0][2] else 0]
        half = len(mutants) // 2
        return [
            *self.notice(version, mutants[:half], scenarios),
            *self.notice(version, mutants[half:], scenarios),
        ]

    def _traces(
        self,
        versions: tuple[Version, ...],
        scenarios: Sequence[Scenario],
        *,
        is_probed: bool,
        seconds: float | None = None,
    ) -> Iterator[tuple[Trace, ...]]:
        waiting = list(scenarios)
        while waiting:
            execution = self._run(versions, waiting, is_probed, seconds or self.step_seconds)
            if execution.succeeded:
                found = self._read(execution.output, len(versions), is_probed)
                self.runs += len(found)
                yield from found
                waiting = waiting[len(found) :]
            elif len(waiting) == 1:
                yield self._blamed(versions, waiting[0], execution, is_probed, seconds)
                waiting = []
            else:
                half = len(waiting) // 2
                for part in (waiting[:half], waiting[half:]):
                    yield from self._traces(versions, part, is_probed=is_probed, seconds=seconds)
                waiting = []

    def _run(
        self,
        versions: tuple[Version, ...],
        scenarios: list[Scenario],
        is_probed: bool,
        seconds: float,
        entry: str = ENTRY,
        mutants: tuple[tuple[int, str, bool], ...] = (),
    ) -> Execution:
        order = {
            "mutants": [list(each) for each in mutants],
            "versions": [version_document(each) for each in versions],
            "scenarios": [
                [step.document(self.facts.recorded) for step in each.steps] for each in scenarios
            ],
            "epoch": draw_disguise(self.disguise).epoch,
            "uses_files": self.facts.uses_files,
            "files": self.facts.files,
            "is_probed": is_probed,
            "step_seconds": seconds,
            "watched": list(self.facts.watched),
            "ballast": self._ballast,
        }
        request = Request(
            Call(observing_program(), entry, order), self._limits(seconds), self._policy()
        )
        execution = self.sandbox.run(request)
        if not execution.succeeded:
            self.deadline.require()  # it may be the deadline that ended it
            is_cut = request.limits.wall_seconds < _usual_seconds(seconds)
            if is_cut and execution.outcome is TestOutcome.TIMEOUT:
                raise BudgetSpent  # with all the time that is usual it might have ended
        return execution

    def _limits(self, seconds: float) -> Limits:
        base = self.sandbox.section.limits()
        wall = min(_usual_seconds(seconds), self.deadline.require())
        return replace(base, wall_seconds=wall, result_bytes=max(base.result_bytes, RESULT_BYTES))

    def _policy(self) -> Policy:
        roots = tuple(dict.fromkeys((*self.facts.old.roots, *self.facts.new.roots)))
        base = self.sandbox.section.policy()
        preload = tuple({*base.preload, *PRELOADED})
        return replace(
            base,
            readonly=roots,
            preload=preload,
            seed=0,
            hash_seed=self.hash_seed,
            disguise=self.disguise,
        )

    def _read(self, output: Any, count: int, is_probed: bool) -> list[tuple[Trace, ...]]:
        try:
            found = [tuple(_trace(each) for each in both) for both in output["seen"]]
            if not found or any(len(each) != count for each in found):
                raise ValueError("not an answer to the question")
            if is_probed and count == len(self.branches):
                told = output["branches"]
                self.branches = [{int(way): str(word) for way, word, _ in each} for each in told]
                self.homes = [{int(way): str(home) for way, _, home in each} for each in told]
                self.growths.append(_growth(len(found), output["kept"]))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise NoSense(f"{type(error).__name__}: {error}") from error
        return found

    def _blamed(
        self,
        versions: tuple[Version, ...],
        scenario: Scenario,
        execution: Execution,
        is_probed: bool,
        seconds: float | None,
    ) -> tuple[Trace, ...]:
        """One scenario ended the process: each version is asked on its own who did."""
        if len(versions) > 1:
            return tuple(
                next(self._traces((each,), (scenario,), is_probed=is_probed, seconds=seconds))[0]
                for each in versions
            )
        self.check_loads(versions[0])
        lost = _LOST.get(execution.outcome, "died")
        message = "" if execution.error is None else execution.error.message
        return (Trace((Observation(lost, execution.outcome.value, message),)),)

    def check_loads(self, version: Version) -> None:
        """Raise `NotLoaded` when a version fails without any scenario."""
        empty = self._run((version,), [], is_probed=False, seconds=self.step_seconds)
        if not empty.succeeded:
            raise NotLoaded(version, empty.error)


def _usual_seconds(step_seconds: float) -> float:
    return _LOAD_SECONDS + 20 * step_seconds


def _noticed(output: Any, count: int) -> list[int | None]:
    if not isinstance(output, list) or len(output) != count:
        raise NoSense("not an answer to the question")
    if not all(type(each) is int for each in output):
        raise NoSense("not the number of a scenario")
    return [each if each >= 0 else None for each in output]


def _growth(scenarios: int, kept: Any) -> Growth:
    (old, new), (_, new_midway), (old_last, new_last) = (map(int, each) for each in kept)
    return Growth(scenarios, old_last - old, new_last - new, new_last - new_midway)


def version_document(version: Version) -> dict[str, Any]:
    """A version as the far side is told of it."""
    return {
        "module": version.module,
        "entry": version.qualname,
        "source": version.source,
        "path": version.path,
        "roots": list(version.roots),
    }


def _trace(claim: Mapping[str, Any]) -> Trace:
    return Trace(
        tuple(_observation(each) for each in claim["steps"]),
        frozenset(int(each) for each in claim["taken"]),
        tuple((str(left), str(right)) for left, right in claim["operands"]),
    )


def _observation(claim: Mapping[str, Any]) -> Observation:
    return Observation(
        outcome=str(claim["outcome"]),
        value=str(claim.get("value", "")),
        message=str(claim.get("message", claim.get("error", ""))),
        is_misfit=claim.get("is_misfit") is True,
        is_deliberate=claim.get("is_deliberate") is True,
        arguments=tuple(map(str, claim.get("arguments", ()))),
        aliases=tuple(map(str, claim.get("aliases", ()))),
        stdout=str(claim.get("stdout", "")),
        stderr=str(claim.get("stderr", "")),
        effects=tuple((str(kind), str(text)) for kind, text in claim.get("effects", ())),
        files=str(claim.get("files", "")),
        globals=str(claim.get("globals", "")),
        seconds=float(claim.get("seconds", 0.0)),
    )
