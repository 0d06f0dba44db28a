"""docs/internal/journal.md tells of every table and every column."""

from pathlib import Path

import pytest

from reverie.store.schema import metadata


@pytest.mark.parametrize("table", metadata.tables.values(), ids=str)
def test_every_column_is_documented(root: Path, table) -> None:  # type: ignore[no-untyped-def]
    text = (root / "docs" / "internal" / "journal.md").read_text("utf-8")
    missing = [column.name for column in table.c if f"`{column.name}`" not in text]
    assert missing == []
