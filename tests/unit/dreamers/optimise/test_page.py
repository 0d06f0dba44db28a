"""The page says of every rewrite what the catalogue says."""

from pathlib import Path

from reverie.dreamers.optimise.patterns import catalogue

PAGE = Path(__file__).parents[4] / "docs" / "optimise.md"


def test_every_rewrite_stands_on_the_page() -> None:
    table = PAGE.read_text("utf-8").partition("## The rewrites\n")[2].partition("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("| `")]
    wanted = [
        f"| `{e.name}` | {e.summary} | {e.precondition} | {e.growth or ''} |" for e in catalogue()
    ]
    assert rows == wanted
