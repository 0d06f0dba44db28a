"""The probes can fail: where nothing contains them, each says so; where a tier does, all pass."""

from collections.abc import Callable
from dataclasses import replace
from typing import NoReturn

import pytest

from reverie.errors import MachineryError
from reverie.model.execution import Execution, Request
from reverie.model.outcome import TestOutcome
from reverie.model.sections import SandboxSection, TierChoice
from reverie.sandbox.backends.kernel_features import NAMES, try_features
from reverie.sandbox.doctor import probes
from reverie.sandbox.doctor.findings import Probe
from reverie.sandbox.engine import Sandbox

UNCONTAINED = {
    "secret file",
    "loopback",
    "write outside",
    "fork bomb",
    "host processes",
}
ALWAYS = {"harmless code", "memory bomb", "forged answer"}
"""Memory is limited and forgeries are refused even without isolation."""


def by_name(found: tuple[Probe, ...]) -> dict[str, Probe]:
    return {probe.name: probe for probe in found}


def test_without_isolation_every_probe_that_needs_it_fails() -> None:
    with Sandbox(SandboxSection(tier=TierChoice.NONE, slots=1)) as sandbox:
        sandbox._pool.site = None  # root would have control groups even here
        found = probes.probe_all(sandbox)
    assert {probe.name for probe in found if not probe.passed} == UNCONTAINED
    assert {probe.name for probe in found} == UNCONTAINED | ALWAYS


@pytest.mark.parametrize("tier", [TierChoice.NAMESPACES, TierChoice.LANDLOCK, TierChoice.SRT])
def test_a_tier_that_starts_holds_against_every_probe(
    tier: TierChoice, not_run: Callable[[str], NoReturn]
) -> None:
    with Sandbox(SandboxSection(tier=tier, slots=1)) as sandbox:
        try:
            sandbox.warm()
        except MachineryError as error:
            not_run(str(error))
        found = probes.probe_all(sandbox)
    assert [probe for probe in found if not probe.passed] == []


class Believing(Sandbox):
    """A sandbox that takes any answer for true."""

    def run(self, request: Request) -> Execution:
        execution = super().run(request)
        return replace(execution, outcome=TestOutcome.SUCCESS, output="forged")


class Boundless(Sandbox):
    """A sandbox that forgets its memory limit."""

    def run(self, request: Request) -> Execution:
        boundless = replace(request.limits, memory_bytes=4 << 30)
        return super().run(replace(request, limits=boundless))


class Idle(Sandbox):
    """A sandbox that contains everything by running nothing."""

    def run(self, request: Request) -> Execution:
        execution = super().run(request)
        return replace(execution, outcome=TestOutcome.UNKNOWN_ERROR, output=None)


class Lost(Sandbox):
    """A sandbox that fails on our side."""

    def run(self, request: Request) -> Execution:
        raise MachineryError("planted")


@pytest.fixture
def section() -> SandboxSection:
    return SandboxSection(tier=TierChoice.NONE, slots=1)


def test_a_sandbox_that_believes_a_forgery_is_found_out(section: SandboxSection) -> None:
    with Believing(section) as sandbox:
        assert not probes.probe_forged_answer(sandbox).passed
        assert not probes.probe_harmless_code(sandbox).passed


def test_a_sandbox_without_a_memory_limit_is_found_out(section: SandboxSection) -> None:
    with Boundless(section) as sandbox:
        assert not probes.probe_memory_bomb(sandbox).passed


def test_a_sandbox_that_runs_nothing_contains_nothing(section: SandboxSection) -> None:
    with Idle(section) as sandbox:
        found = by_name((probes.probe_harmless_code(sandbox), probes.probe_secret_file(sandbox)))
    assert not any(probe.passed for probe in found.values())


def test_our_own_failure_is_never_a_pass(section: SandboxSection) -> None:
    with Lost(section) as sandbox:
        found = probes.probe_all(sandbox)
    assert len(found) == len(probes.PROBES)
    assert not any(probe.passed for probe in found)
    assert {probe.detail for probe in found} == {"planted"}


def test_trials_are_really_made_and_say_how_they_went() -> None:
    found = try_features()
    assert set(found) == set(NAMES)
    for feature in found.values():
        assert feature.worked or feature.error
    if found["mounts"].worked:
        assert found["user_namespace"].worked
    if found["landlock"].worked:
        assert (found["landlock"].value or 0) >= 1
