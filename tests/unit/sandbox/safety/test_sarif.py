import json
import re
from typing import Any

from reverie.model.repository.quality import CheckedFile, Finding, NamedCheck, Severity
from reverie.sandbox.safety import RuleSet, check_source, to_sarif

SOURCE = "import os\nos.system('a')\nos.system('b')\n'ä'; eval(x)\n"


def _run(path: str = "pkg/mod.py", source: str = SOURCE) -> dict[str, Any]:
    document = json.loads(json.dumps(to_sarif([check_source(source, path)], RuleSet.default())))
    assert document["version"] == "2.1.0"
    assert document["$schema"].endswith("sarif-2.1.0.json")
    (run,) = document["runs"]
    return dict(run)


def test_every_rule_is_described() -> None:
    rules = _run()["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [rule.id for rule in RuleSet.default()]
    for rule in rules:
        assert rule["shortDescription"]["text"]
        assert rule["help"]["text"]
        assert rule["defaultConfiguration"]["level"] in {"note", "warning", "error"}
        assert 0.0 <= float(rule["properties"]["security-severity"]) <= 10.0


def test_every_result_points_to_its_rule_and_place() -> None:
    run = _run()
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in {"note", "warning", "error"}
        assert result["message"]["text"]
        (location,) = result["locations"]
        place = location["physicalLocation"]
        artifact = run["artifacts"][place["artifactLocation"]["index"]]
        assert artifact["location"]["uri"] == place["artifactLocation"]["uri"] == "pkg/mod.py"
        assert place["region"]["startLine"] >= 1
        assert place["region"]["startColumn"] >= 1


def test_columns_are_declared_to_count_characters() -> None:
    run = _run()
    assert run["columnKind"] == "unicodeCodePoints"
    columns = [
        result["locations"][0]["physicalLocation"]["region"]["startColumn"]
        for result in run["results"]
        if result["ruleId"] == "dynamic-code"
    ]
    assert columns == [6]


def test_every_file_has_its_hash() -> None:
    (artifact,) = _run()["artifacts"]
    assert re.fullmatch("[0-9a-f]{64}", artifact["hashes"]["sha-256"])


def test_fingerprints_are_distinct_and_outlive_moved_lines() -> None:
    before = _fingerprints(_run())
    after = _fingerprints(_run(source="# moved\n\n" + SOURCE))
    assert before == after
    assert len(set(before)) == len(before)


def _fingerprints(run: dict[str, Any]) -> list[str]:
    return [result["partialFingerprints"]["reverieFinding/v1"] for result in run["results"]]


def test_paths_become_uris() -> None:
    (artifact,) = _run(path="/a b/ä.py")["artifacts"]
    assert artifact["location"]["uri"] == "file:///a%20b/%C3%A4.py"


def test_no_files_is_a_valid_run() -> None:
    (run,) = to_sarif([])["runs"]
    assert run["results"] == []


def test_a_check_besides_the_rules_is_described_and_pointed_at() -> None:
    finding = Finding("ruff:F401", Severity.WARNING, 3, 1, "unused")
    file = CheckedFile("a.py", True, (finding,), "0" * 64)
    check = NamedCheck("ruff:F401", "unused import", "lint", Severity.WARNING)
    (run,) = to_sarif([file], further=[check])["runs"]
    rules = run["tool"]["driver"]["rules"]
    (result,) = run["results"]
    assert rules[result["ruleIndex"]]["id"] == "ruff:F401"
    assert rules[-1]["defaultConfiguration"]["level"] == "warning"
    assert rules[-1]["properties"] == {"tags": ["lint"]}
