"""Labels unblinded: what would be kept, of Reverie's tests and of people's, package by package."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.keepable.sheet import Item

LABELS = ("keep", "edit", "discard")
REASONS = (
    "noisy input", "name says nothing", "wrong-typed argument", "several behaviours",
    "accident frozen", "unreadable expectation", "says nothing", "private", "not ours", "fragile",
    "too long", "other",
)  # fmt: skip
KEEP_WANTED, DISCARD_ALLOWED = 0.75, 0.05


@dataclass(frozen=True, slots=True)
class Labelled:
    """What somebody said of one item."""

    item: Item
    label: str
    reason: str


def read_labels(file: Path, items: Iterable[Item], *, is_whole: bool) -> list[Labelled]:
    """The filled-in lines; every item has to have one when the labelling is whole."""
    numbered = {each.number: each for each in items}
    found: dict[int, Labelled] = {}
    for place, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        number, label, reason = (*line.split("\t"), "", "")[:3]
        if not label.strip():
            continue
        item = numbered.get(int(number))
        if item is None or label not in LABELS or item.number in found:
            raise SystemExit(f"{file}:{place}: not a label of the sheet: {line!r}")
        if label != "keep" and reason.partition(":")[0].strip() not in REASONS:
            raise SystemExit(f"{file}:{place}: not a reason of the rubric: {reason!r}")
        found[item.number] = Labelled(item, label, reason.partition(":")[0].strip())
    missing = sorted(set(numbered) - set(found))
    if missing and is_whole:
        raise SystemExit(f"{file}: {len(missing)} without a label, the first is {missing[0]}")
    return [found[number] for number in sorted(found)]


def table_of(labelled: Sequence[Labelled]) -> list[str]:
    """Lines of Markdown: all, then each package."""
    packages = sorted({each.item.piece.package for each in labelled})
    lines = ["| | author | tests | keep | edit | discard |", "|---|---|---|---|---|---|"]
    for package in (None, *packages):
        for author in ("reverie", "people"):
            mine = [each for each in _of(labelled, author) if package in (None, _package(each))]
            if mine:
                lines.append(_row(package or "**all**", author, mine))
    return lines


def reasons_of(labelled: Sequence[Labelled]) -> list[str]:
    """What speaks against them, the most frequent first."""
    lines = []
    for author in ("reverie", "people"):
        counted = Counter(each.reason for each in _of(labelled, author) if each.label != "keep")
        said = ", ".join(f"{reason} {count}" for reason, count in counted.most_common())
        lines.append(f"{author}: {said or 'nothing'}")
    return lines


def is_met(labelled: Sequence[Labelled], package: str | None = None) -> bool:
    """Whether enough of Reverie's would be kept, and few enough thrown away."""
    ours = [e for e in _of(labelled, "reverie") if package in (None, _package(e))]
    return bool(ours) and (
        share(ours, "keep") >= KEEP_WANTED and share(ours, "discard") <= DISCARD_ALLOWED
    )


def share(labelled: Sequence[Labelled], label: str) -> float:
    """How many of them have that label, of one."""
    return sum(each.label == label for each in labelled) / len(labelled)


def _of(labelled: Sequence[Labelled], author: str) -> list[Labelled]:
    return [each for each in labelled if each.item.author == author]


def _package(each: Labelled) -> str:
    return each.item.piece.package


def _row(name: str, author: str, mine: Sequence[Labelled]) -> str:
    shares = " | ".join(f"{100 * share(mine, label):.0f} %" for label in LABELS)
    return f"| {name} | {author} | {len(mine)} | {shares} |"
