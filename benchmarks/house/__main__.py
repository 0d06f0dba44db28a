"""`python -m benchmarks.house [OTHER]`: lines and modules of every room, and the way of one change.

OTHER is the root of another checkout: its figures stand in front. The way of one change is the set
of modules whose functions are called, on this side of the sandbox, between `reverie run` and the
commit with its proof, for one module that lacks tests (`--no-walk` leaves that out).
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

_ROOT = Path(__file__).parents[2]
_BUDGET_SECONDS = 240
_BUNDLER = re.compile(r"^_(?:LOADER|PARTS|BORROWED) = |\binside\b[^\n]*read_text", re.MULTILINE)
_CODEC = re.compile(r"^def _?\w*document\(", re.MULTILINE)
_SHOP = '''"""A shop."""


def total(prices: list[int], discount: int = 0) -> int:
    """What a basket costs; a discount is in per cent."""
    if discount < 0 or discount > 100:
        raise ValueError(f"no such discount: {discount}")
    if not prices:
        return 0
    return sum(prices) * (100 - discount) // 100
'''
_WALK = """
import sys, threading
from pathlib import Path
import reverie
home = str(Path(reverie.__file__).parent)
seen = {}
def note(frame, event, arg):
    if event == "call" and frame.f_code.co_flags & 1:  # a function; no module, no class body
        seen.setdefault(frame.f_code.co_filename, frame.f_code.co_name)
threading.setprofile(note)
sys.setprofile(note)
from reverie.interfaces.cli import main
try:
    main()
except SystemExit:
    pass
sys.setprofile(None)
inside = sorted(name[len(home) + 1:] for name in list(seen) if name.startswith(home))
print("\\nWALK", len([name for name in inside if not name.endswith("__init__.py")]))
"""


@dataclass(frozen=True, slots=True)
class House:
    """Figures of one checkout."""

    lines: dict[str, int]
    modules: dict[str, int]
    parsing: int
    """Modules that call `ast.parse` on this side of the sandbox."""
    bundling: int
    """Modules that make a program for the sandbox out of files."""
    codecs: int
    """Functions named as if they wrote or read a document by hand."""
    median_lines: int
    walked: int | None


def look(root: Path, is_walked: bool) -> House:
    """Count a checkout; nothing of it is imported here."""
    package = root / "src" / "reverie"
    texts = {path: path.read_text("utf-8") for path in package.rglob("*.py")}
    lines: dict[str, int] = {}
    modules: dict[str, int] = {}
    for path, text in texts.items():
        parts = path.relative_to(package).parts
        room = parts[0] if len(parts) > 1 else "."
        lines[room] = lines.get(room, 0) + text.count("\n")
        modules[room] = modules.get(room, 0) + 1
    outside = [text for path, text in texts.items() if "inside" not in path.parts]
    sizes = sorted(text.count("\n") for text in texts.values())
    return House(
        lines=lines,
        modules=modules,
        parsing=sum("ast.parse(" in text for text in outside),
        bundling=sum(bool(_BUNDLER.search(text)) for text in outside),
        codecs=sum(
            len(re.findall(r"^def _?\w*document\(", text, re.MULTILINE)) for text in outside
        ),
        median_lines=sizes[len(sizes) // 2],
        walked=walk(root) if is_walked else None,
    )


def walk(root: Path) -> int | None:
    """Modules on the way of one change; None where nothing was promoted."""
    with tempfile.TemporaryDirectory(prefix="reverie-house-") as place:
        shop = Path(place) / "shop"
        (shop / "tests").mkdir(parents=True)
        (shop / "shop.py").write_text(_SHOP, "utf-8")
        (shop / "tests" / "test_shop.py").write_text(
            "from shop import total\n\n\ndef test_a_basket():\n    assert total([2, 3]) == 5\n",
            "utf-8",
        )
        person = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
        for line in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "A shop"]):
            subprocess.run(["git", *person, *line], cwd=shop, check=True)
        homes = {f"XDG_{name}_HOME": f"{place}/{name}" for name in ("CONFIG", "STATE", "CACHE")}
        python = root / ".venv" / "bin" / "python"
        words = [
            "run",
            str(shop),
            "--stage",
            "A",
            "--budget",
            f"{_BUDGET_SECONDS}s",
            "--yes",
            "--json",
        ]
        ran = subprocess.run(
            [str(python), "-c", _WALK, *words], capture_output=True, text=True,
            env={**os.environ, **homes},
        )  # fmt: skip
        found = re.search(r"^WALK (\d+)$", ran.stdout, re.MULTILINE)
        is_promoted = re.search(r'"promotions": \[\s*\{', ran.stdout)
        return int(found[1]) if found and is_promoted else None


def show(before: House | None, after: House) -> None:
    """One table: what there was, what there is."""
    table = Table("room", "lines", "modules")
    for room in sorted(set(after.lines) | set(before.lines if before else ())):
        table.add_row(
            room,
            _pair(before.lines.get(room, 0) if before else None, after.lines.get(room, 0)),
            _pair(before.modules.get(room, 0) if before else None, after.modules.get(room, 0)),
        )
    table.add_row(
        "all",
        _pair(sum(before.lines.values()) if before else None, sum(after.lines.values())),
        _pair(sum(before.modules.values()) if before else None, sum(after.modules.values())),
    )
    console = Console()
    console.print(table)
    for name in ("median_lines", "parsing", "bundling", "codecs", "walked"):
        old = getattr(before, name) if before else None
        console.print(f"{name}: {_pair(old, getattr(after, name))}")


def _pair(before: int | None, after: int | None) -> str:
    return f"{after}" if before is None else f"{before} → {after}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", nargs="?", type=Path, help="the root of another checkout, set up")
    parser.add_argument("--no-walk", action="store_true", help="count only; run nothing")
    parser.add_argument("--json", metavar="FILE", type=Path)
    options = parser.parse_args()
    before = look(options.other, not options.no_walk) if options.other else None
    after = look(_ROOT, not options.no_walk)
    show(before, after)
    if options.json is not None:
        options.json.write_text(json.dumps([asdict(each) for each in (before, after) if each]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
