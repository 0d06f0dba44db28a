import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

NO_PRINT = {
    "id": "no-print",
    "title": "Prints",
    "kind": "call",
    "severity": "warning",
    "tiers": ["sandbox"],
    "symbols": ["builtins.print"],
    "message": "{symbol} prints",
}


@pytest.fixture
def ready(cli: Callable, repository: Path) -> Path:
    cli("init", "--repo", str(repository))
    (repository / "loud.py").write_text("print(1)\n")
    (repository / "rule.json").write_text(json.dumps(NO_PRINT))
    return repository


@pytest.fixture
def rules(cli: Callable, ready: Path) -> Callable:
    def call(*line: str, environ: dict[str, str] | None = None) -> Any:
        return cli("rules", *line, "--repo", str(ready), environ=environ)

    return call


def listed(rules: Callable) -> dict[str, Any]:
    return {each["id"]: each for each in rules("list", "--json").document["rules"]}


def test_the_built_in_rules(rules: Callable) -> None:
    found = listed(rules)
    assert len(found) > 20
    assert found["dynamic-code"]["enabled"] is True
    assert found["dynamic-code"]["origin"] == "built-in"
    assert "dynamic-code" in rules("list").out


def test_a_rule_is_added_switched_and_removed(cli: Callable, rules: Callable, ready: Path) -> None:
    check = ("check", str(ready / "loud.py"), "--repo", str(ready))
    assert cli(*check).code == 0
    added = rules("add", str(ready / "rule.json"), "--json").document["rule"]
    assert (added["id"], added["origin"], added["enabled"]) == ("no-print", "stored", True)
    assert cli(*check).code == 1
    assert rules("disable", "no-print").code == 0
    assert cli(*check).code == 0
    assert listed(rules)["no-print"]["enabled"] is False
    assert rules("enable", "no-print").code == 0
    assert cli(*check).code == 1
    assert rules("remove", "no-print", "--json").document == {"removed": "no-print"}
    assert cli(*check).code == 0
    assert "no-print" not in listed(rules)


def test_a_rule_in_toml(rules: Callable, ready: Path) -> None:
    lines = [f"{key} = {json.dumps(value)}" for key, value in NO_PRINT.items()]
    (ready / "rule.toml").write_text("\n".join(lines))
    assert rules("add", str(ready / "rule.toml")).code == 0
    assert rules("show", "no-print", "--json").document["rule"]["title"] == "Prints"


def test_a_built_in_rule_is_switched_and_comes_back(rules: Callable) -> None:
    rules("disable", "debugger")
    assert listed(rules)["debugger"]["enabled"] is False
    assert listed(rules)["debugger"]["origin"] == "built-in, switched"
    rules("remove", "debugger")
    assert listed(rules)["debugger"]["origin"] == "built-in"


def test_the_settings_are_stronger(rules: Callable) -> None:
    environ = {"REVERIE_SAFETY_DISABLE": "debugger"}
    every = rules("list", "--json", environ=environ).document["rules"]
    found = {each["id"]: each for each in every}
    assert found["debugger"]["origin"] == "settings"
    ran = rules("enable", "debugger", environ=environ)
    assert ran.code == 2
    assert "stays off: safety.disable" in ran.err


def test_options_before_and_after_the_name(cli: Callable, ready: Path) -> None:
    ran = cli("rules", "--json", "--repo", str(ready), "show", "debugger")
    assert ran.document["rule"]["id"] == "debugger"
    assert "debugger" in cli("rules", "show", "debugger", "--repo", str(ready)).out


def test_without_a_journal_the_way_out_is_said(cli: Callable, repository: Path) -> None:
    ran = cli("rules", "disable", "debugger", "--repo", str(repository))
    assert ran.code == 2
    assert ran.err == (
        "error: rules are stored in the journal, and there is none here: "
        "run `reverie init`, or give --journal-url\n"
    )
    assert cli("rules", "list", "--repo", str(repository)).code == 0


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (["enable", "nothing"], "no safety rule has the id 'nothing'"),
        (["show", "nothing"], "no safety rule has the id 'nothing'"),
        (["disable", "syntax"], "cannot be disabled"),
        (["remove", "debugger"], "'debugger'"),
        (["add", "/no/such/file"], "cannot read '/no/such/file'"),
        (["ad"], "No such command 'ad'"),
    ],
)
def test_wrong_usage(rules: Callable, line: list[str], complaint: str) -> None:
    ran = rules(*line)
    assert ran.code == 2
    assert complaint in ran.err


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("[]", "is not a rule: a JSON list"),
        ("{", "is not a rule"),
        ('{"id": "x"}', "'x'"),
        (json.dumps(NO_PRINT | {"id": "debugger"}), "already there"),
        (json.dumps(NO_PRINT | {"colour": "red"}), "colour"),
    ],
)
def test_what_is_no_rule(rules: Callable, ready: Path, content: str, complaint: str) -> None:
    (ready / "other.json").write_text(content)
    ran = rules("add", str(ready / "other.json"))
    assert ran.code == 2
    assert complaint in ran.err
    assert "no-print" not in listed(rules)
