from pathlib import Path

DOC = Path(__file__).parents[2] / "docs" / "reference" / "safety_rules.md"


def test_the_page_says_first_what_the_rules_are_not() -> None:
    opening = DOC.read_text("utf-8")[:600]
    assert "never the boundary" in opening
    assert "sandbox is the boundary" in opening
