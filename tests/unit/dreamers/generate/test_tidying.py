"""What was found, written as a person would."""

import pytest

from reverie.dreamers.generate.tidying import tidied


@pytest.mark.parametrize(
    ("found", "written"),
    [
        ("[each for each in items if 1 == items.count(each)]",
         "[each for each in items if items.count(each) == 1]"),
        ("sum(limit >= each for each in items)", "sum(each <= limit for each in items)"),
        ("sum([each for each in items if each > 2])", "sum(each for each in items if each > 2)"),
        ("len([each for each in items if each])", "len([each for each in items if each])"),
        ("[each for each in items]", "list(items)"),
        ("max(items, key=lambda each: len(each))", "max(items, key=lambda each: len(each))"),
        ("any(all(one < two for two in row) for row in rows)",
         "any(all(two > one for two in row) for row in rows)"),
        ("0 <= place < limit", "0 <= place < limit"),
    ],
)  # fmt: skip
def test_it_reads_forward(found: str, written: str) -> None:
    assert tidied(found) == written
