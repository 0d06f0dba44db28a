import re

import pytest

from reverie.model.outcome import ErrorCategory
from reverie.trials.fixes import FIX_RULES, suggest_fix


@pytest.mark.parametrize(
    ("category", "message", "part", "evidence"),
    [
        ("dependency", "ModuleNotFoundError: No module named 'numpy'", "Install numpy", "numpy"),
        ("type", "TypeError: f() got an unexpected keyword argument 'k'", "parameter k", "'k'"),
        ("type", "TypeError: 'NoneType' object is not iterable", "None", "NoneType"),
        ("runtime", "KeyError: 'name'", "the key 'name'", "KeyError"),
        (
            "runtime",
            "AttributeError: 'list' object has no attribute 'sum'",
            "A list has no sum",
            "sum",
        ),
        ("runtime", "OSError: [Errno 101] Network is unreachable", "no network", "unreachable"),
        ("runtime", "ended by signal SIGSEGV without an answer", "SIGSEGV", "SIGSEGV"),
        ("timeout", "stopped after 0.5 s of wall time", "0.5 s were not enough", "0.5 s"),
        ("resource", "memory limit exceeded by the process tree", "memory_limit_mb", "memory"),
        ("validation", "expected int: result is str, not int", "Return int", "expected int"),
        ("syntax", "SyntaxError: invalid syntax (<dream>, line 1)", "ast.parse", "invalid syntax"),
        ("syntax", "SyntaxError: '(' was never closed (<dream>, line 1)", "whole", "never closed"),
    ],
)
def test_the_fix_carries_its_evidence(
    category: str, message: str, part: str, evidence: str
) -> None:
    found = suggest_fix(ErrorCategory(category), message)
    assert found is not None
    assert part in found.fix
    assert evidence in found.evidence
    assert str(found) == f"{found.fix} [seen: {found.evidence}]"


def test_no_evidence_no_fix() -> None:
    assert suggest_fix(ErrorCategory.RUNTIME, "LibraryError: out of cheese") is None
    assert suggest_fix(ErrorCategory.TYPE, "ZeroDivisionError: division by zero") is None


def test_braces_of_the_code_under_test_are_only_text() -> None:
    found = suggest_fix(ErrorCategory.RUNTIME, "KeyError: '{0.__class__}'")
    assert found is not None
    assert "'{0.__class__}'" in found.fix


def test_every_category_has_a_rule_and_every_rule_can_be_filled_in() -> None:
    assert {rule.category for rule in FIX_RULES} == set(ErrorCategory)
    for rule in FIX_RULES:
        groups = re.compile(rule.evidence).groups
        assert rule.fix.format(*["x"] * (groups + 1)).endswith("."), rule


def test_a_long_message_of_the_enemy_is_read_in_time() -> None:
    for category in ErrorCategory:
        for unit in ("AttributeError: ", "'a.", "expected x", "KeyError: '", "missing 1 required "):
            suggest_fix(category, unit * (4000 // len(unit)))
