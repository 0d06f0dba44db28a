"""The sandbox: one engine for every piece of code that nobody trusts.

    with Sandbox() as sandbox:
        execution = sandbox.run(Request(Call("def f(x):\\n    return x + 1", "f", {"x": 1})))

What the code does wrong is in the execution; what our side does wrong is raised.
"""

import asyncio
import copy
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Any, NamedTuple, Self

from reverie.errors import IsolationUnavailable, OutOfTime, SandboxLost
from reverie.model.execution import (
    Call,
    Execution,
    Expression,
    Limits,
    Policy,
    Pytest,
    Request,
)
from reverie.model.measurements.output_type import check_declaration
from reverie.model.outcome import IsolationTier, TestOutcome
from reverie.model.sections import SandboxSection
from reverie.sandbox import batch
from reverie.sandbox.policy import check_limits, check_policy, names_paths
from reverie.sandbox.pool import SlotPool
from reverie.sandbox.profile import Profile

Recorder = Callable[[Request, Execution], None]
_OVER = "the time that was given is over"
AUTO_TIERS = (IsolationTier.NAMESPACES, IsolationTier.LANDLOCK)
_strongest: set[SandboxSection] = set()
"""Sections under which the first of these came up in this process."""


class _Admitted(NamedTuple):
    """What was found in order last; most requests of a caller share it."""

    policy: Policy
    limits: Limits
    profile: Profile


class Sandbox:
    """Runs requests under a policy and limits, each in a process of its own. Thread-safe."""

    def __init__(
        self, section: SandboxSection | None = None, recorder: Recorder | None = None
    ) -> None:
        self.section = section or SandboxSection()
        self._recorder = recorder
        self._pool = SlotPool(self.section.slots, self.section.recycle_after, self.section.limits())
        self._tier = self.section.tier.tier
        self._admitted: _Admitted | None = None
        self._ends_at: float | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def tier(self) -> IsolationTier:
        """The tier in force; `auto` is decided by the first that passes its self-check."""
        if self._tier is None:
            self._tier = self._choose_tier()
        return self._tier

    @property
    def slots(self) -> SlotPool:
        """What all doors of one sandbox have in common."""
        return self._pool

    def pool_state(self) -> Mapping[str, int]:
        """How many slots there may be, and how many wait, work and are being made."""
        return self._pool.state()

    def run(self, request: Request) -> Execution:
        """One execution. It is over when this returns; what it left running is being killed."""
        request = self._in_time(request)
        execution = batch.run(self._pool, request, self._admit(request))
        self._record(request, execution)
        return execution

    async def run_async(self, request: Request) -> Execution:
        """`run`, without blocking the event loop."""
        return await asyncio.to_thread(self.run, request)

    def run_batch(self, requests: Iterable[Request]) -> Iterator[Execution]:
        """Many executions at once on all slots, in the order of the requests."""
        hurried = map(self._in_time, requests)
        work = ((request, self._admit(request)) for request in hurried)
        return self._recorded(batch.run_batch(self._pool, work))

    def execute_many(
        self,
        code: str,
        entry: str,
        inputs: Sequence[Mapping[str, Any]],
        *,
        limits: Limits | None = None,
        policy: Policy | None = None,
        isolated: bool = True,
    ) -> list[Execution]:
        """One piece of code with many inputs, executions in their order.

        Isolated, every input has a process of its own, forked from one that has loaded the
        code. Otherwise the inputs of a group share a process, and what they do to it.
        """
        request = Request(
            Call(code, entry), limits or self.section.limits(), policy or self.section.policy()
        )
        request = self._in_time(request)
        profile = self._admit(request)
        found = batch.execute_many(self._pool, request, profile, inputs, isolated)
        return list(self._recorded(found))

    def warm(self, policy: Policy | None = None) -> None:
        """Boot all slots of a policy now rather than at the first request."""
        request = Request(Expression("0"), self.section.limits(), policy or self.section.policy())
        self._pool.warm(self._admit(request))

    def also_telling(self, recorder: Recorder) -> "Sandbox":
        """The same slots; what runs through this door is told to one more recorder."""
        first = self._recorder

        def tell(request: Request, execution: Execution) -> None:
            if first is not None:
                first(request, execution)
            recorder(request, execution)

        door = copy.copy(self)
        door._recorder = tell
        return door

    def with_python(self, python: str | None) -> "Sandbox":
        """The same slots; what leaves the choice to the settings is run by this interpreter."""
        if not python or python == self.section.python:
            return self
        door = copy.copy(self)
        door.section = replace(self.section, python=python)
        door._admitted = None
        return door

    def until(self, moment: float | None) -> "Sandbox":
        """The same slots; by `time.monotonic` nothing is begun later, and what still runs is ended.

        Both are told by `OutOfTime`: what was cut short says nothing about the code.
        """
        door = copy.copy(self)
        door._ends_at = moment
        return door

    def close(self) -> None:
        """End every slot, also busy ones; nothing is left behind when this returns."""
        self._pool.close()

    def _recorded(self, found: Iterator[tuple[Request, Execution]]) -> Iterator[Execution]:
        for request, execution in found:
            self._record(request, execution)
            yield execution

    def _record(self, request: Request, execution: Execution) -> None:
        if self._recorder is not None:
            self._recorder(request, execution)
        is_cut = execution.outcome is TestOutcome.TIMEOUT and self._ends_at is not None
        if is_cut and self._seconds_left() <= 0:
            raise OutOfTime(_OVER)

    def _in_time(self, request: Request) -> Request:
        """The request with no more time than is left."""
        if self._ends_at is None:
            return request
        left = self._seconds_left()
        if left <= 0:
            raise OutOfTime(_OVER)
        if request.limits.wall_seconds <= left:
            return request
        return replace(request, limits=replace(request.limits, wall_seconds=left))

    def _seconds_left(self) -> float:
        return float("inf") if self._ends_at is None else self._ends_at - time.monotonic()

    def _admit(self, request: Request) -> Profile:
        """The profile of a request, after everything that can be refused has been."""
        if request.expected_output_type is not None:
            check_declaration(request.expected_output_type)
        policy = request.policy
        if isinstance(request.target, Pytest) and "pytest" not in policy.preload:
            policy = replace(policy, preload=(*policy.preload, "pytest"))
        limits, last = request.limits, self._admitted
        if last is None or (last.policy is not policy and last.policy != policy):
            return self._check(policy, limits)
        if last.limits is limits:
            return last.profile
        check_limits(limits)
        same = last.profile.disk_bytes == limits.disk_bytes
        return last.profile if same else self._check(policy, limits)

    def _check(self, policy: Policy, limits: Limits) -> Profile:
        """Admit what is in order; remembered unless that can change behind our back."""
        check_limits(limits)
        check_policy(policy, self.tier)
        profile = Profile.of(self.tier, policy, limits.disk_bytes)
        if not names_paths(policy):
            self._admitted = _Admitted(policy, limits, profile)
        return profile

    def _choose_tier(self) -> IsolationTier:
        """The strongest, once it came up, holds for the whole process: a look costs a slot.

        A weaker one is looked at anew by every sandbox: it may have been a bad moment.
        """
        if self.section in _strongest:
            return AUTO_TIERS[0]
        tier = self._look_for_tier()
        if tier is AUTO_TIERS[0]:
            _strongest.add(self.section)
        return tier

    def _look_for_tier(self) -> IsolationTier:
        reasons = []
        limits = self.section.limits()
        for tier in AUTO_TIERS:
            try:
                slot = self._pool.take(Profile.of(tier, self.section.policy(), limits.disk_bytes))
            except (IsolationUnavailable, SandboxLost) as error:
                reasons.append(str(error))
                continue
            self._pool.put_idle(slot)
            return tier
        raise IsolationUnavailable(
            "no isolation tier works on this machine (run `reverie doctor`): " + "; ".join(reasons)
        )
