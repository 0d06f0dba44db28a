from pathlib import Path

from reverie.sandbox.safety.table import rule_table

DOC = Path(__file__).parents[2] / "docs" / "safety_rules.md"


def test_the_table_is_the_one_that_the_rules_give() -> None:
    text = DOC.read_text("utf-8")
    start, end = "<!-- rules -->\n", "<!-- /rules -->"
    assert text[text.index(start) + len(start) : text.index(end)].strip() == rule_table().strip()


def test_the_page_says_first_what_the_rules_are_not() -> None:
    opening = DOC.read_text("utf-8")[:600]
    assert "never the boundary" in opening
    assert "sandbox is the boundary" in opening
