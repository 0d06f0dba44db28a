"""The page has every key that a rewrite may have."""

import re
from pathlib import Path

from reverie.syntax.rewrite_files import KEYS

PAGE = (Path(__file__).parents[4] / "docs" / "internal" / "rewrite_language.md").read_text("utf-8")


def test_every_key_stands_on_the_page() -> None:
    table = PAGE.partition("## Keys\n")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    named = {name.split(".")[0] for row in rows for name in re.findall(r"`([\w.]+)`", row)}
    assert named | {"code", "needed"} == KEYS
