"""Every scenario breaks a workflow that is not ready for it, and spares one that is."""

from collections.abc import Iterator

import pytest
from benchmarks.scenarios.cases import CASES, FOLDER, UPSTREAM, Case

from reverie.model.measurements.stress import ScenarioResult, Survival
from reverie.model.sections import SandboxSection
from reverie.sandbox.engine import Sandbox
from reverie.workflows.scenarios.presets import SCENARIOS, canonical_preset
from reverie.workflows.scenarios.stress import StressPlan, stress_workflow


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(SandboxSection(slots=4)) as made:
        yield made


def stress(sandbox: Sandbox, case: Case, version: str) -> ScenarioResult:
    preset = canonical_preset(case.scenario, "high")
    plan = StressPlan((preset,), calls=10, seed=3, deadline_seconds=5.0, upstream=UPSTREAM)
    return stress_workflow(sandbox, case.workflow(version), str(FOLDER), plan).results[0]


def test_every_scenario_has_a_case() -> None:
    assert {case.scenario for case in CASES} == set(SCENARIOS)


def first_two_of_each() -> list[Case]:
    """`python -m benchmarks.scenarios` tries them all."""
    named = {each: [case for case in CASES if case.scenario == each] for each in SCENARIOS}
    return [case for cases in named.values() for case in cases[:2]]


@pytest.mark.parametrize("case", first_two_of_each(), ids=lambda case: case.name)
def test_vulnerable_and_hardened_are_told_apart_at_high(sandbox: Sandbox, case: Case) -> None:
    vulnerable, hardened = (stress(sandbox, case, each) for each in ("vulnerable", "hardened"))

    assert vulnerable.survival is Survival.FAILED
    assert vulnerable.failure
    assert hardened.survival is Survival.SURVIVED, hardened.failure
    assert vulnerable.proof > 0
    assert hardened.proof > 0
