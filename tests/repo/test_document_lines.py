"""Every command line and every code example of the four source documents: it works, or the reason.

A line is checked by the parser of the command that has its place here; what is run for real is in
the test that is named. What has no place has a reason.
"""

import ast
import shlex
from pathlib import Path

import pytest
from tests.repo.test_map import command_of, options_of

from reverie.errors import UsageError
from reverie.interfaces.cli.autonomous import translate

ORPHANS = "tests/e2e/test_integration.py"
STRESS = "tests/e2e/test_stress.py"
SANDBOX = "tests/e2e/test_sandbox_document.py"
FORESIGHT = "tests/unit/learning/test_foresight.py"
DREAMS = "tests/e2e/test_dream_documents.py"
EXAMPLES = "tests/e2e/test_document_examples.py"

AUTONOMOUS = (
    "",
    "--runs 1",
    "--recursive-orphans --recursive-isolated",
    "--include-redundant",
    "--discover-orphans",
    "--discover-orphans --include-orphans --recursive-include",
    "--auto-include-isolated --include-orphans --recursive-isolated --clean-orphans",
    "--include-orphans --recursive-include --clean-orphans",
    "--include-orphans",
    "--module-semantic --module-threshold 0.25",
    "--discover-orphans --auto-include-isolated --include-orphans",
    "--auto-include-isolated",
    "--no-recursive-orphans --auto-include-isolated",
    "--discover-orphans --auto-include-isolated",
    "pkg_a/common.py pkg_b/common.py --auto-include-isolated",
)
"""Behind `python run_autonomous.py` and `python -m sandbox_runner.cli`."""
BELONG_ELSEWHERE = {
    "--preset-file presets.json --runs 1": "reverie workflow stress",
    "--preset-debug --debug-log-file sandbox_data/preset_debug.log": "reverie workflow stress",
    "--dynamic-workflows --module-semantic --module-threshold 0.25": "reverie workflow list",
}
"""Of the same command: flags that say which command has them here."""
OURS = {
    "environment_cli.py generate --profiles hostile_input high_latency_api --out presets.json": (
        "reverie scenarios generate --profiles hostile_input high_latency_api --out presets.json"
    ),
    "run_autonomous.py --preset-file presets.json": (
        "reverie workflow stress --preset-file presets.json"
    ),
    "run_autonomous.py --preset-debug --debug-log-file FILE": (
        "reverie workflow stress --preset-debug --debug-log-file FILE"
    ),
    "run_autonomous.py --dynamic-workflows": "reverie workflow list --dynamic-workflows",
    "run_autonomous.py --metrics-port 8001": "reverie metrics --serve --port 8001",
    "menace.self_test_service run isolated.py --auto-include-isolated --recursive-isolated": (
        "reverie integrate --dry-run --module isolated.py --auto-include-isolated"
        " --recursive-isolated"
    ),
    "menace.self_test_service run --recursive-include --clean-orphans": (
        "reverie integrate --dry-run --recursive-include --clean-orphans"
    ),
    "scripts/generate_module_map.py": "reverie index --map",
    "scripts/discover_isolated_modules.py": "reverie orphans",
    "scripts/bootstrap_env.py": "reverie doctor",
    "menace.synergy_exporter --history-file FILE --port 8003": (
        "reverie synergy-exporter --history-file FILE --port 8003"
    ),
    "menace.synergy_auto_trainer --weights-file FILE --interval 600": (
        "reverie weights train --weights-file FILE --interval 600"
    ),
    "menace.self_improvement synergy-dashboard": "reverie serve",
    "tools/evolve_candidates.py": "reverie candidates",
    "tools/evolve_candidates.py > reports/evolve_candidates.json": (
        "reverie candidates --write reports/evolve_candidates.json"
    ),
    "run_athena_dreams.sh": "reverie nightly run",
    "setup_cron_job.sh": "reverie nightly install",
}
"""Other commands of the documents, and the line that does the same here."""
CODE = {
    "predict_roi_collapse, enqueue_preventative_fixes": f"{SANDBOX}::test_a_workflow_at_risk",
    "ROI_GATING_THRESHOLD, ROI_GATING_CONSECUTIVE": "tests/unit/scoring/test_gating_and_runs.py",
    "ImprovementEngineRegistry.run_all_cycles": (
        f"{ORPHANS}::test_engines_run_one_after_another_and_one_that_cannot_keeps_none_from_running"
    ),
    "WorkflowSynergyComparator.compare, merge_duplicate": f"{SANDBOX}::test_two_workflows_alike",
    "deployment_governance.evaluate": f"{FORESIGHT}::test_the_example_of_the_document",
    "log_with_tags": f"{SANDBOX}::test_an_exchange_is_logged_with_its_tags",
    "generate_canonical_presets": f"{STRESS}::test_the_example_of_the_document_works",
    "run_repo_section_simulations": f"{STRESS}::test_every_workflow_of_a_repository_is_stressed",
    "simulate_temporal_trajectory": f"{STRESS}::test_the_example_of_the_document_works",
    "MICROPILOT_MODE=auto": "tests/unit/cycle/test_pilots.py",
    "DQNSynergyLearner": (
        f"{ORPHANS}::test_engines_run_one_after_another_and_one_that_cannot_keeps_none_from_running"
    ),
    "isolated_ping.py": (
        f"{ORPHANS}::test_an_isolated_module_is_found_tested_and_part_of_it_from_then_on"
    ),
    "isolated.py with helper.py": f"{ORPHANS}::test_an_isolated_module_brings_its_helper",
    "orphan.py with helper.py": f"{ORPHANS}::test_without_cleaning_the_list_stays_as_it_was",
    "util.py, reintroduced": f"{ORPHANS}::test_a_dormant_module_is_reintroduced",
    "demo_pkg": f"{ORPHANS}::test_a_package_with_an_entry_point_is_executed_whole",
    "pkg_a/common.py and pkg_b/common.py": f"{ORPHANS}::test_files_of_one_name_stay_apart",
    "WorkflowSandboxRunner.run": f"{EXAMPLES}::test_the_workflow_runner_as_its_document_tells_it",
    "is_prime": f"{EXAMPLES}::test_the_wrapped_and_the_generated_function_run_as_they_are",
    "test_calculate_average_basic": f"{EXAMPLES}::test_the_generated_test_runs_under_pytest",
    "SandboxManager, CodeGenerator": (
        f"{EXAMPLES}::test_code_generation_under_the_names_of_its_document"
    ),
    "FailurePattern": f"{EXAMPLES}::test_a_failure_pattern_has_the_documents_fields",
    "DreamSandbox": f"{EXAMPLES}::test_the_dream_sandbox_as_its_document_shows_it",
    "SyntheticTestGenerator": (
        f"{EXAMPLES}::test_the_synthetic_test_generator_as_its_document_shows_it"
    ),
    "DreamTestRunner": f"{DREAMS}::test_the_runner_as_its_document_shows_it",
    "DreamStore": f"{DREAMS}::test_the_store_as_its_document_shows_it",
    "standalone usage, nightly cycle": (
        f"{DREAMS}::test_the_standalone_and_nightly_examples_run_in_a_repository"
    ),
    "reports/evolve_candidates.json": (
        "tests/e2e/test_candidates.py::test_the_list_of_the_document_is_written_as_it_shows_it"
    ),
}
"""Code examples, each with the test that runs it."""
NOT_HERE = {
    "git clone, apt install, setup_env.sh, setup_optional.sh": "`make setup` is all there is",
    "auto_env_setup.ensure_env": "`.env` is read, never written",
    "build_sandbox_image.sh, run_sandbox_container.sh": "the sandbox needs no container",
    "synergy_tools.py": "there are no services to start together",
    "--interval of the exporter": "figures are read when they are asked for",
    "JulesClient": "Reverie opens no pull request by itself: `reverie run --open-pr`",
    "the wrapped result printed as JSON": "results do not travel over stdout",
}


@pytest.mark.parametrize("line", AUTONOMOUS)
def test_a_line_of_the_autonomous_run_is_one_of_ours(repository: Path, line: str) -> None:
    found, _ = translate([*shlex.split(line), "--repo", str(repository)], {})
    assert found[0] in ("run", "integrate")
    known = command_of([found[0]])
    assert known is not None
    assert {each for each in found if each.startswith("--")} <= options_of(known[0])


@pytest.mark.parametrize("line", BELONG_ELSEWHERE)
def test_a_flag_of_another_command_says_which(repository: Path, line: str) -> None:
    with pytest.raises(UsageError, match=BELONG_ELSEWHERE[line]):
        translate([*shlex.split(line), "--repo", str(repository)], {})


@pytest.mark.parametrize("line", OURS)
def test_a_command_of_the_documents_has_its_line_here(line: str) -> None:
    found = command_of(shlex.split(OURS[line])[1:])
    assert found is not None
    flags = {each for each in found[1] if each.startswith("--")}
    assert flags <= options_of(found[0])


@pytest.mark.parametrize("example", CODE)
def test_a_code_example_has_the_test_that_runs_it(root: Path, example: str) -> None:
    path, _, name = CODE[example].partition("::")
    tree = ast.parse((root / path).read_text("utf-8"))
    assert not name or name in {getattr(each, "name", "") for each in tree.body}


def test_what_has_no_place_has_a_reason() -> None:
    assert all(NOT_HERE.values())
