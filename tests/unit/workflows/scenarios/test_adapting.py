"""Presets that get harder, and worlds that get worse."""

import pytest

from reverie.learning.foresight_tracker import ForesightTracker
from reverie.model.measurements.stress import Preset, ScenarioResult, StressReport, Survival
from reverie.scoring.workflows import degradation, p95, stability
from reverie.workflows.scenarios.presets import adapt, canonical_preset, harden
from reverie.workflows.scenarios.trajectory import STAGES, measure_stages

START = canonical_preset("high_latency_api", "low")


def held_below(latency_ms: float) -> "list[str] | object":
    def try_it(preset: Preset) -> ScenarioResult:
        held = preset.latency_ms < latency_ms
        return ScenarioResult(preset, Survival.SURVIVED if held else Survival.FAILED)

    return try_it


def test_a_preset_gets_harder_while_it_holds() -> None:
    said: list[str] = []
    found, results = adapt(START, held_below(400), 6, said.append)  # type: ignore[arg-type]

    assert [each.preset.latency_ms for each in results] == [200, 300, 450]
    assert found.held is not None
    assert found.held.latency_ms == 300
    assert found.broke is results[-1]
    assert "NETWORK_LATENCY_MS 200 → 300" in said[0]
    assert said[-1] == "high_latency_api adapted-2: failed: no harder"


def test_rounds_are_bounded() -> None:
    found, results = adapt(START, held_below(1e9), 3, lambda text: None)  # type: ignore[arg-type]
    assert (found.rounds, found.broke, len(results)) == (3, None, 3)


@pytest.mark.parametrize("scenario", ["resource_strain", "concurrency_spike", "chaotic_failure"])
def test_hardening_ends(scenario: str) -> None:
    preset: Preset | None = canonical_preset(scenario, "low")
    for turn in range(60):
        if preset is None:
            return
        assert 0.05 <= preset.cpu_quota <= 1
        assert preset.threads <= 200
        preset = harden(preset, turn)
    pytest.fail("it never ends")


def test_what_is_not_there_does_not_get_harder() -> None:
    assert harden(Preset("nothing", "low"), 1) is None


def report(rates: list[float | None]) -> StressReport:
    results = [
        ScenarioResult(Preset(stage, "high"), Survival.NOT_EXERCISED, calls=20)
        if rate is None
        else ScenarioResult(
            Preset(stage, "high"),
            Survival.SURVIVED,
            {"delayed": 3},
            calls=20,
            passed=round(rate * 20),
            p95_seconds=6.0,
            degradation=1 - rate,
        )
        for stage, rate in zip(STAGES, rates, strict=True)
    ]
    return StressReport("flow", 20, 0.6, True, tuple(results), "namespaces", 1, 1.0)


def test_a_trajectory_loses_worth_and_stability_stage_by_stage() -> None:
    stages = measure_stages(report([1.0, 1.0, 0.5, 0.5, 0.0]), 2.0, 0.01)

    assert [each.stage for each in stages] == list(STAGES)
    assert stages[0].roi == pytest.approx(2.0 - 0.6 / 60 * 0.01)
    assert stages[0].degradation == 0.0
    assert stages[0].stability is None
    drops = [each.roi_drop for each in stages]
    assert drops == sorted(drops, key=lambda each: each or 0.0)
    assert stages[1].stability is not None
    assert stages[4].stability is not None
    assert stages[1].stability > stages[2].stability > stages[4].stability  # type: ignore[operator]


def test_a_stage_that_was_not_exercised_has_no_worth() -> None:
    stages = measure_stages(report([1.0, None, 1.0, 1.0, 1.0]), 1.0, 0.01)

    assert stages[1].roi is None
    assert stages[1].stability is None
    assert stages[2].stability == pytest.approx(1.0, abs=0.01)


def test_stages_are_cycles_of_a_tracker() -> None:
    tracker = ForesightTracker()
    for stage in measure_stages(report([1.0, 1.0, 0.5, 0.5, 0.0]), 1.0, 0.01):
        made = {"stage": stage.stage, "roi_delta": stage.roi, "resilience": stage.resilience}
        tracker.record_cycle_metrics("flow", made, compute_stability=True)
    assert [each["stage"] for each in tracker.history["flow"]] == list(STAGES)
    assert "stability" in tracker.history["flow"][4]


@pytest.mark.parametrize(
    ("rate", "base", "own", "lost"),
    [
        (1.0, 0.1, 0.1, 0.0),
        (1.0, 0.1, 0.2, 0.5),
        (0.5, 0.1, 0.1, 0.5),
        (1.0, 0.1, 0.05, 0.0),
        (0.0, 0.1, 0.1, 1.0),
        (1.0, 0.0001, 0.015, 0.0),
        (1.0, 0.1, float("inf"), 1.0),
    ],
)
def test_degradation(rate: float, base: float, own: float, lost: float) -> None:
    assert degradation(rate, base, own) == pytest.approx(lost)


def test_figures_without_data_are_absent() -> None:
    assert p95([]) is None
    assert stability([]) is None
    assert stability([1.0]) is None
    assert stability([2.0, 2.0]) == 1.0
    assert stability([1.0, -1.0]) == 0.0
