"""The page says of every rewrite what the catalogue says."""

from pathlib import Path

from reverie.dreamers.optimise.patterns import catalogue

PAGE = Path(__file__).parents[4] / "docs" / "optimise.md"


def test_every_rewrite_stands_on_the_page() -> None:
    rows = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| `")]
    wanted = [
        f"| `{e.name}` | {e.summary} | {e.precondition} | {e.growth or ''} |" for e in catalogue()
    ]
    assert rows == wanted
