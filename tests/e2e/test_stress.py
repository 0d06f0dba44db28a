"""`reverie workflow stress` and its neighbours on a small repository, in the real sandbox."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from reverie import (
    ForesightTracker,
    generate_canonical_presets,
    run_repo_section_simulations,
    simulate_temporal_trajectory,
)

SHOP = '''
"""A shop that uses no network."""
import json

def load(path="orders.json"):
    with open(path) as file:
        return json.load(file)

def total(orders):
    return sum(order["price"] for order in orders)

def answer():
    return sum(number * number for number in range(100_000))
'''
PROJECT = """
[tool.reverie.scenarios]
calls = 5
[tool.reverie.workflows.orders]
steps = ["shop:load", "shop:total"]
test_data = {"orders.json" = '[{"price": 2}, {"price": 3}]'}
[tool.reverie.workflows]
answer = ["shop:answer"]
broken = ["shop:total"]
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    (folder / "shop.py").write_text(SHOP)
    (folder / "pyproject.toml").write_text(PROJECT)
    return folder


def test_what_cannot_fire_is_not_exercised_and_what_breaks_fails(cli: Callable, shop: Path) -> None:
    line = ("workflow", "stress", "orders", "--level", "high", "--calls", "6", "--json")
    chosen = [f"--scenario={each}" for each in ("schema_drift", "high_latency_api")]
    ran = cli(*line, *chosen, "--repo", str(shop))

    assert ran.code == 1
    turn = ran.document["turns"][0]
    found = {each["scenario"]: each for each in turn["scenarios"]}
    assert found["high_latency_api"]["outcome"] == "not exercised"
    assert found["high_latency_api"]["note"] == "the workflow makes no connection"
    assert found["schema_drift"]["outcome"] == "failed"
    assert found["schema_drift"]["failed_step"] == "shop:total"
    assert found["schema_drift"]["proof"] == sum(found["schema_drift"]["fired"].values()) > 0
    assert turn["repeatable"] is True


def test_a_missing_scenario_makes_the_answer_no_when_asked(cli: Callable, shop: Path) -> None:
    line = ("workflow", "stress", "answer", "--calls=4", "--json", "--level=low")
    line = (*line, "--scenario=resource_strain", "--scenario=hostile_input", "--repo", str(shop))

    assert cli(*line).code == 0
    ran = cli(*line, environ={"SANDBOX_FAIL_ON_MISSING_SCENARIOS": "1"})
    assert ran.code == 1
    assert "hostile_input" in ran.document["missing"]
    assert "resource_strain" not in ran.document["missing"]


def test_files_take_turns_and_an_adaptive_preset_tells_why(
    cli: Callable, shop: Path, tmp_path: Path
) -> None:
    for name, quota in (("calm", 0.9), ("storm", 0.6)):
        preset = {"SCENARIO_NAME": name, "CPU_QUOTA": quota}
        (tmp_path / f"{name}.json").write_text(json.dumps(preset))
    files = [f"--preset-file={tmp_path / name}.json" for name in ("calm", "storm")]
    where = ("--repo", str(shop), "--calls", "2", "--json")

    ran = cli("workflow", "stress", "answer", *files, "--runs", "3", *where)
    told = [each["scenarios"][0]["scenario"] for each in ran.document["turns"]]
    assert told == ["calm", "storm", "calm"]

    log = tmp_path / "preset_debug.log"
    debug = ("--adaptive", "--preset-debug", "--debug-log-file", str(log))
    ran = cli("workflow", "stress", "answer", files[1], *debug, *where)
    assert ran.code == 0
    assert "CPU_QUOTA 0.6 → 0.4 because custom was survived" in log.read_text()


def test_a_workflow_that_fails_without_faults_is_a_mistake(cli: Callable, shop: Path) -> None:
    ran = cli("workflow", "stress", "broken", "--repo", str(shop))
    assert ran.code == 2
    assert "fails without any fault, in shop:total" in ran.err
    assert ran.err.count("\n") == 1


def test_a_trajectory_has_five_stages_that_are_recorded(cli: Callable, shop: Path) -> None:
    cli("init", "--repo", str(shop))
    line = ("workflow", "trajectory", "orders", "--calls", "4", "--json", "--repo", str(shop))
    ran = cli(*line)

    assert ran.out, ran.err
    stages = ran.document["stages"]
    names = ["normal", "high_latency", "resource_strain", "schema_drift", "chaotic_failure"]
    assert [each["stage"] for each in stages] == names
    assert stages[1]["outcome"] == "not exercised"
    assert stages[1]["roi"] is None
    assert stages[3]["roi_drop"] > 0
    assert ran.document["recorded"] is True
    assert len(cli("forecast", "orders", "--repo", str(shop), "--json").document["history"]) == 4


def test_the_example_of_the_document_works(shop: Path) -> None:
    presets = generate_canonical_presets()
    assert presets["high_latency_api"]["low"]["NETWORK_LATENCY_MS"] == 200

    foresight = ForesightTracker()
    simulate_temporal_trajectory("orders", foresight_tracker=foresight, repository=shop)
    cycles = foresight.history["orders"]
    assert [each["stage"] for each in cycles][:2] == ["normal", "high_latency"]
    assert {"stage", "roi_delta", "resilience", "scenario_degradation"} <= cycles[0].keys()
    assert "stability" in cycles[4]


def test_every_workflow_of_a_repository_is_stressed(shop: Path) -> None:
    chosen = {"user_misuse": generate_canonical_presets()["user_misuse"]}
    reports = run_repo_section_simulations(shop, env_presets=chosen)

    assert reports.keys() == {"orders", "answer"}, "broken fails without any fault"
    assert reports["answer"].results[0].proof > 0


def test_scenarios_are_generated_listed_and_refused_by_name(
    cli: Callable, shop: Path, tmp_path: Path
) -> None:
    out = tmp_path / "presets.json"
    line = ("scenarios", "generate", "--profiles", "hostile_input", "high_latency_api")
    ran = cli(*line, "--out", str(out))
    assert ran.code == 0
    assert [each["SCENARIO_NAME"] for each in json.loads(out.read_text())] == [
        *["hostile_input"] * 2,
        *["high_latency_api"] * 2,
    ]
    assert cli("scenarios", "generate", "nope").code == 2
    assert cli("scenarios", "generate", "--keywords", "zzz").code == 1
    listed = cli("scenarios", "list", "--repo", str(shop), "--workflow", "orders", "--json")
    assert "schema_drift" in listed.document["keywords"]
    given = cli("scenarios", "list", "--json", environ={"SANDBOX_ENV_PRESETS": out.read_text()})
    assert len(given.document["presets"]) == 4
