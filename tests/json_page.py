"""The keys that docs/json.md lists, read from its nested lists."""

import re
from pathlib import Path

ITEM = re.compile(r"^(?P<indent> *)- (?P<keys>`[^`]+`(?:, `[^`]+`)*)", re.MULTILINE)


def section(root: Path, command: str) -> str:
    """What the page says about one command."""
    page = (root / "docs" / "json.md").read_text("utf-8")
    return page.split(f"\n## reverie {command}\n")[1].split("\n## ")[0]


def documented_keys(text: str) -> list[str]:
    """Every key of a section with the keys around it, as `modules[].name`, in its order."""
    found: list[str] = []
    around: list[list[str]] = [[""]]  # by depth: what stands before the keys of that depth
    for item in ITEM.finditer(text):
        depth = len(item["indent"]) // 4
        own = re.findall(r"`([^`]+)`", item["keys"])
        whole = [f"{before}{key}" for before in around[depth] for key in own]
        found += [key.removesuffix("[]") for key in whole]
        around[depth + 1 :] = [whole]
    return found
