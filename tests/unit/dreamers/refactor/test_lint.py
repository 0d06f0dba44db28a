"""Ruff's fixes become changes: a safe rule at a time, the others one by one."""

import pytest

from reverie.dreamers.refactor.proposals import lint_proposals, oldest_python
from reverie.instruments.quality.tools import FixedSpan, LintFix

TEXT = "def f(ä, b):\n    return not ä == b\n\n\ndef g(a, b):\n    return not a == b\n"


def fix(line: int, name: str, *, is_safe: bool, rule: str = "SIM201") -> LintFix:
    span = FixedSpan(line, 12, line, 22, f"{name} != b")
    return LintFix(rule, "Use `!=`", line, (span,), is_safe)


def test_safe_fixes_of_one_rule_are_one_change() -> None:
    fixes = [fix(2, "ä", is_safe=True), fix(6, "a", is_safe=True)]
    (found,) = lint_proposals(TEXT, fixes)
    assert found.source == TEXT.replace("not ä == b", "ä != b").replace("not a == b", "a != b")
    assert (found.pattern, found.title) == ("ruff:SIM201", "Use `!=` in f, g (SIM201)")


def test_unsafe_fixes_are_changes_of_their_own() -> None:
    fixes = [fix(2, "ä", is_safe=False), fix(6, "a", is_safe=False)]
    found = lint_proposals(TEXT, fixes)
    assert [each.title for each in found] == ["Use `!=` in f (SIM201)", "Use `!=` in g (SIM201)"]
    assert all(each.lines_changed == 2 for each in found)


@pytest.mark.parametrize("is_safe", [True, False])
def test_keys_are_left_out_only_where_it_surely_is_a_dictionary(is_safe: bool) -> None:
    found = lint_proposals(TEXT, [fix(6, "a", is_safe=is_safe, rule="SIM118")])
    assert len(found) == is_safe


def test_rules_are_kept_apart() -> None:
    fixes = [fix(2, "ä", is_safe=True), fix(6, "a", is_safe=True, rule="SIM202")]
    assert len(lint_proposals(TEXT, fixes)) == 2


@pytest.mark.parametrize(
    ("after", "is_kept"),
    [
        ("    elif a:\n        return 2\n", True),
        ("    else:\n        if (a):\n            return 2\n", False),
    ],
)
def test_layout_counts_only_when_it_stands_less_deep(after: str, is_kept: bool) -> None:
    head = "def f(a, b):\n    if b:\n        return 1\n"
    text = f"{head}    else:\n        if a:\n            return 2\n"
    span = FixedSpan(4, 1, 7, 1, after)
    found = lint_proposals(text, [LintFix("PLR5501", "Use `elif`", 4, (span,), is_safe=True)])
    assert [each.source for each in found] == [head + after] * is_kept


@pytest.mark.parametrize(("head", "is_kept"), [('    """Nothing."""\n', 0), ("    g()\n", 1)])
def test_a_function_that_is_there_to_return_none_says_so(head: str, is_kept: int) -> None:
    text = f"def nothing(error):\n{head}    return None\n"
    span = FixedSpan(3, 5, 3, 16, "return")
    found = lint_proposals(text, [LintFix("RET501", "Do not return None", 3, (span,), True)])
    assert len(found) == is_kept


def test_one_function_can_be_asked_for() -> None:
    fixes = [fix(2, "ä", is_safe=True), fix(6, "a", is_safe=True)]
    (found,) = lint_proposals(TEXT, fixes, "g")
    assert "not ä == b" in found.source
    assert "a != b" in found.source


@pytest.mark.parametrize(
    "span",
    [
        FixedSpan(99, 1, 99, 2, ""),
        FixedSpan(2, 22, 2, 12, ""),
        FixedSpan(2, 12, 2, 22, "("),
        FixedSpan(2, 12, 2, 22, "not ä == b"),
    ],
    ids=["outside", "backwards", "no Python", "the same"],
)
def test_a_fix_that_makes_no_sense_is_passed_over(span: FixedSpan) -> None:
    assert lint_proposals(TEXT, [LintFix("X", "y", 2, (span,), True)]) == []


def test_fixes_that_overlap_are_passed_over() -> None:
    spans = (FixedSpan(2, 12, 2, 22, "ä"), FixedSpan(2, 14, 2, 20, "b"))
    assert lint_proposals(TEXT, [LintFix("X", "y", 2, spans, True)]) == []


@pytest.mark.parametrize(
    ("text", "oldest"),
    [
        ('[project]\nrequires-python = ">=3.9"\n', "py39"),
        ('[project]\nrequires-python = ">=3.10,<4"\n', "py310"),
        ('[project]\nrequires-python = "<4, >= 3.8"\n', "py38"),
        ('[project]\nrequires-python = "==3.*"\n', None),
        ("[project]\n", None),
        ("no toml", None),
        (None, None),
    ],
)
def test_syntax_is_no_newer_than_the_project_promises(text: str | None, oldest: str | None) -> None:
    assert oldest_python(text) == oldest


@pytest.mark.parametrize(
    ("rest", "is_kept"),
    [
        ("    return 3\n", True),
        ("    else:\n        return 3\n", False),
        ("    elif a > 3:\n        return 3\n", False),
    ],
)
def test_a_chain_of_ways_out_is_undone_as_a_whole_or_not(rest: str, is_kept: bool) -> None:
    text = (
        f"def f(a):\n    if a == 1:\n        return 1\n    elif a == 2:\n        return 2\n{rest}"
    )
    span = FixedSpan(4, 5, 4, 9, "if")
    found = lint_proposals(text, [LintFix("RET505", "Unnecessary `elif`", 4, (span,), True)])
    assert [each.source for each in found] == [text.replace("elif a == 2", "if a == 2")] * is_kept


@pytest.mark.parametrize(
    ("first", "is_kept"),
    [("        if b:\n            return 1\n        else:\n            return 2\n", False),
     ("        if b:\n            return 1\n", True), ("        return 1\n", True)],
)  # fmt: skip
def test_two_by_two_cases_stay_side_by_side(first: str, is_kept: bool) -> None:
    rest = "    else:\n        if c:\n            return 3\n        else:\n            return 4\n"
    text = f"def f(a, b, c):\n    if a:\n{first}{rest}"
    line = text[: text.index("    else:\n        if c")].count("\n") + 1
    after = "    elif c:\n        return 3\n    else:\n        return 4\n"
    span = FixedSpan(line, 1, line + 5, 1, after)
    found = lint_proposals(text, [LintFix("PLR5501", "Use `elif`", line, (span,), is_safe=True)])
    assert bool(found) is is_kept


def test_unsafe_fixes_on_one_line_are_one_change() -> None:
    text = "def f(a):\n    return int(floor(a)), int(ceil(a))\n"
    spans = FixedSpan(2, 12, 2, 25, "floor(a)"), FixedSpan(2, 27, 2, 39, "ceil(a)")
    fixes = [LintFix("RUF046", "Already a number", 2, (span,), is_safe=False) for span in spans]
    (found,) = lint_proposals(text, fixes)
    assert found.source == "def f(a):\n    return floor(a), ceil(a)\n"
