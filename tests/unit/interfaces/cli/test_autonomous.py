"""The flags of `run_autonomous.py` mean settings and commands of ours."""

from pathlib import Path

import click
import pytest

from reverie.errors import UsageError
from reverie.interfaces.cli.autonomous import translate, unheard


def told(repository: Path, *arguments: str, **environ: str) -> tuple[list[str], dict[str, str]]:
    line, around = translate([*arguments, "--repo", str(repository)], environ)
    ours = {name: value for name, value in around.items() if name.startswith("REVERIE_")}
    return line, ours


def test_a_bare_call_is_a_cycle_that_integrates(repository: Path) -> None:
    line, ours = told(repository)
    assert line == ["run", "--repo", str(repository)]
    assert ours == {"REVERIE_INTEGRATION_ENABLED": "true"}


@pytest.mark.parametrize(
    "name", ["SELF_TEST_DISABLE_ORPHANS", "SANDBOX_DISABLE_ORPHANS", "SANDBOX_DISABLE_ORPHAN_SCAN"]
)
def test_the_environment_can_switch_integration_off(repository: Path, name: str) -> None:
    assert told(repository, **{name: "1"})[1] == {}


def test_a_flag_comes_before_the_environment(repository: Path) -> None:
    _, ours = told(repository, "--include-orphans", SELF_TEST_DISABLE_ORPHANS="1")
    assert ours == {"REVERIE_INTEGRATION_ENABLED": "True"}


def test_every_flag_of_the_document_becomes_its_setting(repository: Path) -> None:
    line, ours = told(
        repository,
        *("--discover-orphans", "--auto-include-isolated", "--no-recursive-include"),
        *("--recursive-isolated", "--no-discover-isolated", "--test-redundant"),
        *("--clean-orphans", "--max-recursion-depth", "3", "--entropy-threshold", "0.1"),
        *("--consecutive", "4", "--module-semantic", "--module-threshold", "0.25"),
        *("--verbose", "--runs", "2", "--recover"),
    )
    assert line == ["run", "--cycles", "2", "--recover", "--repo", str(repository)]
    assert ours == {
        "REVERIE_INTEGRATION_ENABLED": "True",
        "REVERIE_INTEGRATION_INCLUDE_ISOLATED": "True",
        "REVERIE_INTEGRATION_CLEAN": "True",
        "REVERIE_ORPHANS_RECURSIVE": "False",
        "REVERIE_ORPHANS_RECURSIVE_ISOLATED": "True",
        "REVERIE_ORPHANS_DISCOVER_ISOLATED": "False",
        "REVERIE_ORPHANS_INCLUDE_REDUNDANT": "True",
        "REVERIE_ORPHANS_MAX_DEPTH": "3",
        "REVERIE_GOVERNANCE_PLATEAU": "0.1",
        "REVERIE_GOVERNANCE_PLATEAU_CONSECUTIVE": "4",
        "REVERIE_MAP_SEMANTIC": "True",
        "REVERIE_MAP_THRESHOLD": "0.25",
        "REVERIE_LOGGING_LEVEL": "debug",
    }


def test_modules_are_integrated_by_name(repository: Path) -> None:
    line, _ = told(repository, "pkg_a/common.py", "pkg_b/common.py", "--json")
    modules = ["--module", "pkg_a/common.py", "--module", "pkg_b/common.py"]
    assert line == ["integrate", *modules, "--repo", str(repository), "--json"]


@pytest.mark.parametrize("flag", ["--forecast-log", "--metrics-port=1", "--preset-file"])
def test_what_belongs_to_another_command_says_which(repository: Path, flag: str) -> None:
    with pytest.raises(UsageError, match="belongs to another command here: "):
        told(repository, flag)


def test_an_unknown_flag_is_a_mistake(repository: Path) -> None:
    with pytest.raises(click.ClickException, match="--nonsense"):
        told(repository, "--nonsense")


def test_variables_without_effect_are_told_with_what_to_do() -> None:
    given = {"AUTO_TRAIN_SYNERGY": "1", "SANDBOX_CYCLES": "5", "EXPORT_SYNERGY_METRICS": ""}
    assert unheard(given) == ["AUTO_TRAIN_SYNERGY has no effect: reverie weights train"]


def test_the_number_of_cycles_is_a_variable_too(repository: Path) -> None:
    line, _ = told(repository, SANDBOX_CYCLES="5")
    assert line[:3] == ["run", "--cycles", "5"]
