import re
from pathlib import Path

import pytest

from reverie.gates.remedies import REMEDIES, gravest_first, remedies, remedy_for
from reverie.model.settings.judgement import GuardSection

PAGE = Path(__file__).parents[3] / "docs/reference/checks.md"
_ON_CODE = re.compile(r"`([a-z]+(?:_[a-z]+)+|slower|tautology)`")
_NO_CODE = {"test_reach", "cpu_count", "cache_info"}
"""Words of the tables that are names of a check or of something in Python."""


def documented() -> list[str]:
    tables = PAGE.read_text("utf-8").partition("## Proof bundles")[0].splitlines()
    rows = "\n".join(line for line in tables if line.startswith("|"))
    return sorted(set(_ON_CODE.findall(rows)) - _NO_CODE)


@pytest.mark.parametrize("code", documented())
def test_every_reason_code_of_the_reference_says_what_would_help(code: str) -> None:
    assert code in REMEDIES or code.startswith("new_")
    assert remedy_for(code, "fail") != remedy_for("no_such_code", "fail")


def test_every_reason_code_that_helps_is_in_the_reference() -> None:
    others = {"nothing_to_judge", "not_measured", "never_promoted", "unknown"}
    assert set(REMEDIES) - others <= set(documented())


def test_every_setting_that_a_remedy_names_is_one() -> None:
    named = {name for text in REMEDIES.values() for name in re.findall(r"`guard\.(\w+)`", text)}
    assert "lines" in named
    assert named <= set(GuardSection.__dataclass_fields__)


def test_what_passed_needs_no_help_and_one_reason_is_helped_once() -> None:
    rulings = [
        {"reason_code": "ok", "verdict": "pass"},
        {"reason_code": "too_many_lines", "verdict": "fail"},
        {"reason_code": "too_many_lines", "verdict": "fail"},
        {"reason_code": "new_output", "verdict": "fail"},
    ]
    assert [code for code, _ in remedies(rulings)] == ["too_many_lines", "new_output"]
    assert "`guard.lines`" in remedies(rulings)[0][1]


def test_wrong_behaviour_is_told_before_what_is_asked_besides() -> None:
    rulings = [
        {"gate": "paths", "reason_code": "ok", "verdict": "pass"},
        {"gate": "watch", "reason_code": "coverage_too_low", "verdict": "fail"},
        {"gate": "effects", "reason_code": "effects_unknown", "verdict": "hold"},
        {"gate": "equivalence", "reason_code": "behaviour_changed", "verdict": "fail"},
    ]
    told = [each["gate"] for each in gravest_first(rulings)]
    assert told == ["equivalence", "watch", "effects", "paths"]
    assert [code for code, _ in remedies(rulings)][:2] == ["behaviour_changed", "coverage_too_low"]
