"""The blind sheet: pieces of both kinds, shuffled and numbered; who wrote which lies apart."""

import json
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import chain, zip_longest
from pathlib import Path

from benchmarks.keepable.cutting import Piece
from benchmarks.keepable.writing import Written

RUBRIC = Path(__file__).with_name("rubric.md")
_WIDTH = 100
_PER_PART = 30


@dataclass(frozen=True, slots=True)
class Item:
    """A numbered piece with its author."""

    number: int
    author: str
    """`reverie` or `people`."""
    piece: Piece


def drawn_items(written: Sequence[Written], ours: int, theirs: int, seed: int) -> list[Item]:
    """So many pieces of each kind, an even share of each package, in an order without meaning."""
    dice = random.Random(seed)
    chosen = [
        (author, piece)
        for author, most in (("reverie", ours), ("people", theirs))
        for piece in _even([_shuffled(_of(each, author), dice) for each in written], most)
    ]
    dice.shuffle(chosen)
    return [Item(number, *each) for number, each in enumerate(chosen, 1)]


def _of(written: Written, author: str) -> list[Piece]:
    return list(written.ours if author == "reverie" else written.theirs)


def _shuffled(pieces: list[Piece], dice: random.Random) -> list[Piece]:
    return dice.sample(pieces, len(pieces))


def _even(groups: Sequence[Sequence[Piece]], most: int) -> list[Piece]:
    """One of each group in turn."""
    rows = chain.from_iterable(zip_longest(*groups))
    return [each for each in rows if each is not None][:most]


def write_sheet(folder: Path, items: Sequence[Item]) -> None:
    """`sheet.md` to be read, `labels.tsv` to be filled in, `key.json` to be left alone."""
    laid_out = _formatted([each.piece.shown for each in items])
    blocks = [_block(each, text) for each, text in zip(items, laid_out, strict=True)]
    (folder / "sheet.md").write_text("\n".join(blocks), "utf-8")
    shutil.copy(RUBRIC, folder / "rubric.md")
    (folder / "labels.tsv").write_text("".join(f"{each.number}\t\t\n" for each in items), "utf-8")
    write_key(folder / "key.json", items)


def hand_out(folder: Path, place: Path) -> int:
    """The sheet for whoever labels it, in parts, without the key: how many parts there are."""
    place.mkdir(parents=True, exist_ok=True)
    blocks = re.split(r"(?m)^(?=## \d+\. )", (folder / "sheet.md").read_text("utf-8"))
    blocks = [each for each in blocks if each.strip()]
    parts = range(0, len(blocks), _PER_PART)
    for number, start in enumerate(parts, 1):
        text = "".join(blocks[start : start + _PER_PART])
        (place / f"part_{number:02}.md").write_text(text, "utf-8")
    for name in ("rubric.md", "labels.tsv"):
        shutil.copy(folder / name, place / name)
    return len(parts)


def write_key(file: Path, items: Sequence[Item]) -> None:
    """Who wrote what, with everything that is known of each piece."""
    raw = [asdict(each) for each in items]
    file.write_text(json.dumps(raw, indent=1, ensure_ascii=False) + "\n", "utf-8")


def read_key(file: Path) -> list[Item]:
    """The key of a sheet."""
    raw = json.loads(file.read_text("utf-8"))
    return [Item(each["number"], each["author"], Piece(**each["piece"])) for each in raw]


def _block(item: Item, text: str) -> str:
    piece = item.piece
    silenced = f"Silences the type checker: {', '.join(piece.ignores)}\n\n" if piece.ignores else ""
    return (
        f"## {item.number}. {piece.module}\n\n```python\n{text}\n```\n\n{silenced}"
        f"<details><summary>what it tests</summary>\n\n```python\n{piece.source}\n```\n</details>\n"
    )


def _formatted(texts: Sequence[str]) -> list[str]:
    """All in one layout; one call for all of them."""
    divider = "\nthe_next_piece = ...\n"
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--line-length", str(_WIDTH), "--isolated", "-"],
        input=divider.join(texts), capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [each.strip() for each in done.stdout.split(divider.strip())]
