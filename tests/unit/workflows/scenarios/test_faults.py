"""Which faults fall on which run."""

import pytest

from reverie.inputs.hostile import HOSTILE
from reverie.model.measurements.stress import Preset
from reverie.workflows.scenarios.presets import canonical_preset
from reverie.workflows.scenarios.runs import Usual, plan_runs

USUAL = Usual(exchanges=(2, 0), records=(5, 0), needs=(100, 200))


@pytest.mark.parametrize(
    ("scenario", "level", "changed"),
    [
        ("hostile_input", "low", 6),
        ("hostile_input", "high", 10),
        ("user_misuse", "low", 4),
        ("user_misuse", "high", 6),
        ("flaky_upstream", "high", 0),
    ],
)
def test_a_share_of_the_calls_is_a_count(scenario: str, level: str, changed: int) -> None:
    plan = plan_runs(canonical_preset(scenario, level), 20, seed=1)
    assert sum(each.changes_input for each in plan) == changed


@pytest.mark.parametrize("seed", range(5))
def test_every_kind_of_payload_is_used_at_high(seed: int) -> None:
    plan = plan_runs(canonical_preset("hostile_input", "high"), 20, seed)
    kinds = {each.change["kind"] for each in plan if each.change is not None}
    assert kinds == set(HOSTILE)


def test_a_share_is_at_least_one_call() -> None:
    plan = plan_runs(Preset("few", "low", hostile=0.01), 5, seed=1)
    assert sum(each.changes_input for each in plan) == 1


def test_the_same_seed_plans_the_same_and_another_does_not() -> None:
    preset = canonical_preset("chaotic_failure", "high")
    assert plan_runs(preset, 20, 1) == plan_runs(preset, 20, 1)
    assert plan_runs(preset, 20, 1) != plan_runs(preset, 20, 2)


def test_positions_run_on_from_run_to_run_and_step_to_step() -> None:
    preset = canonical_preset("flaky_upstream", "low")
    documents = [each.document(0, USUAL, 20) for each in plan_runs(preset, 20, 1)]
    second = plan_runs(preset, 20, 1)[3].document(1, USUAL, 20)

    assert [each["first_exchange"] for each in documents[:3]] == [0, 2, 4]
    assert second["first_exchange"] == 8
    assert documents[0]["fail_every"] == 20
    assert second["need"] == 200


def test_a_fault_that_is_rarer_than_all_runs_together_falls_once() -> None:
    preset = canonical_preset("high_latency_api", "low")
    document = plan_runs(preset, 4, 1)[0].document(0, Usual((1,), (0,), (0,)), 4)
    assert document["lose_every"] == 4


def test_a_mixed_run_has_some_of_the_faults_and_all_runs_have_all() -> None:
    plan = plan_runs(canonical_preset("chaotic_failure", "high"), 20, seed=3)
    kinds = [
        (
            each.preset.latency_ms > 0,
            each.preset.schema_drift > 0,
            each.preset.cpu_quota < 1,
            each.preset.threads > 0,
            each.changes_input,
        )
        for each in plan
    ]
    assert all(sum(each) == 2 for each in kinds)
    assert all(any(column) for column in zip(*kinds, strict=True))
