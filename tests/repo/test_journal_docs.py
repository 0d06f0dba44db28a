"""docs/journal.md tells of every table and every column."""

from pathlib import Path

import pytest

from reverie.store.schema import metadata

DOCS = Path(__file__).parents[2] / "docs" / "journal.md"


@pytest.mark.parametrize("table", metadata.tables.values(), ids=str)
def test_every_column_is_documented(table) -> None:  # type: ignore[no-untyped-def]
    text = DOCS.read_text(encoding="utf-8")
    missing = [column.name for column in table.c if f"`{column.name}`" not in text]
    assert missing == []
