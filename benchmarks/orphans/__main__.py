"""`python -m benchmarks.orphans`: precision and recall on orphans and traps planted in packages."""

import argparse
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.orphans.case import ISOLATED, LEGACY, REDUNDANT, USED, load_half
from benchmarks.orphans.judges import PEERS, Answer, ask_deptry, ask_reverie, ask_vulture
from benchmarks.orphans.sample import Sample, build

HALVES = (
    "tuned",
    "held_out",
    "unseen",
    "fresh",
    "set_aside",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
)
_JUDGES = {"reverie": ask_reverie, "vulture": ask_vulture, "deptry": ask_deptry}


@dataclass(slots=True)
class Score:
    """How one judge did."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float | None:
        """Of what was flagged, how much is true; None when nothing was."""
        flagged = self.right + self.wrong
        return self.right / flagged if flagged else None

    @property
    def recall(self) -> float | None:
        """Of what is true, how much was flagged."""
        planted = self.right + self.missed
        return self.right / planted if planted else None

    def add(self, sample: Sample, answer: Answer) -> None:
        """Count the answer about one repository."""
        for path, label in sample.labels.items():
            marks = answer.marks.get(path, {})
            is_flagged = path in answer.flagged or (label == USED and bool(marks.get(LEGACY)))
            if label in (REDUNDANT, ISOLATED, LEGACY) and answer.marks:
                is_flagged = bool(marks.get(label))
            if label == USED:
                self.wrong += is_flagged
            else:
                self.right += is_flagged
                self.missed += not is_flagged
            if is_flagged == (label == USED):
                self.notes.append(f"{sample.name}/{path}: {label}")


def main() -> int:
    """Build, ask, count, print; 1 when `--check` is on and a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.orphans", description=__doc__)
    parser.add_argument("--half", choices=HALVES, action="append", help="only this part")
    parser.add_argument("--judge", choices=_JUDGES, action="append", help="only this judge")
    parser.add_argument("--packages", type=Path, default=PEERS / "packages")
    parser.add_argument("--seed", type=int, default=1, help="which real modules are planted")
    parser.add_argument("--check", action="store_true", help="exit 1 below 0.95")
    options = parser.parse_args()
    is_met = True
    for half in options.half or HALVES:
        with tempfile.TemporaryDirectory(prefix="reverie-orphans-") as folder:
            samples = _samples(half, options.packages, Path(folder), options.seed)
            is_met &= _measure(half, samples, options.judge or _JUDGES)
    return 0 if is_met or not options.check else 1


def _samples(half: str, packages: Path, folder: Path, seed: int) -> list[Sample]:
    loaded = load_half(half)
    return build(loaded.cases, loaded.repositories, packages, folder, seed)


def _measure(half: str, samples: list[Sample], judges: Iterable[str]) -> bool:
    labels = [label for sample in samples for label in sample.labels.values()]
    counts = {label: labels.count(label) for label in sorted(set(labels))}
    print(f"{half}: " + ", ".join(f"{count} {label}" for label, count in counts.items()))
    is_met = True
    for name in judges:
        score = Score()
        for sample in samples:
            score.add(sample, _JUDGES[name](sample))
        print(f"  {name:8} precision {_shown(score.precision)}  recall {_shown(score.recall)}")
        if name == "reverie":
            is_met = (score.precision or 0) >= 0.95 and (score.recall or 0) >= 0.95
            for note in score.notes:
                print(f"    wrong: {note}")
    return is_met


def _shown(value: float | None) -> str:
    return "   - " if value is None else f"{value:.3f}"


if __name__ == "__main__":
    sys.exit(main())
