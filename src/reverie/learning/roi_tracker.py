"""`ROITracker`: what dreams were worth, by module, kind, dreamer and workflow."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from reverie.errors import UsageError
from reverie.model.worth import GROUPS, Risk, RiskAdjusted, RoiRow
from reverie.scoring.roi import adjust_for_risk
from reverie.scoring.samples import finite
from reverie.scoring.trajectory import (
    CONSECUTIVE,
    MARGIN,
    PLATEAU,
    Attempt,
    Completion,
    completion_of,
)


@dataclass(frozen=True, slots=True)
class Standing:
    """Whether a module is worth more dreams."""

    module: str
    completion: Completion
    attempts: int


class ROITracker:
    """Rows of worth, oldest first. Every figure is worked out from them when it is asked for."""

    def __init__(
        self,
        rows: Sequence[RoiRow] = (),
        margin: float = MARGIN,
        plateau: float = PLATEAU,
        consecutive: int = CONSECUTIVE,
    ) -> None:
        self._rows = list(rows)
        self._margin, self._plateau, self._consecutive = margin, plateau, consecutive

    def record(self, row: RoiRow) -> None:
        """Add the worth of a dream."""
        self._rows.append(row)

    def history(self, group: str, name: str) -> tuple[RoiRow, ...]:
        """The rows of one module, kind, dreamer, workflow or scenario."""
        if group not in GROUPS:
            raise UsageError(f"{group!r} is no group of worth: {', '.join(GROUPS)}")
        return tuple(each for each in self._rows if each.groups.get(group) == name)

    def calculate_raroi(self, points: float, risk: Risk) -> RiskAdjusted:
        """Worth after risk, with its factors."""
        return adjust_for_risk(points, risk)

    def diminishing(self) -> float:
        """Points below which a gain is not worth having."""
        return self._margin

    @property
    def module_entropy_deltas(self) -> Mapping[str, tuple[float, ...]]:
        """How the entropy of changes moved from dream to dream, by module."""
        found: dict[str, tuple[float, ...]] = {}
        for module, rows in self._by_module().items():
            known = finite(each.entropy for each in rows)
            found[module] = tuple(after - before for before, after in pairwise(known))
        return found

    def standings(self, sources: Mapping[str, str] | None = None) -> tuple[Standing, ...]:
        """Every module, by name. With `sources` only dreams about the source as it is now count:
        a change opens a module again.
        """
        found = []
        for module, rows in sorted(self._by_module().items()):
            now = rows
            if sources is not None and module in sources:
                now = [each for each in rows if each.source_hash == sources[module]]
            attempts = [Attempt(each.points, each.entropy) for each in now]
            completion = completion_of(attempts, self._margin, self._plateau, self._consecutive)
            found.append(Standing(module, completion, len(attempts)))
        return tuple(found)

    def write_flags(self, folder: Path, sources: Mapping[str, str] | None = None) -> list[Path]:
        """A file per complete module, `module.flags`, with why; those of others are removed."""
        folder.mkdir(parents=True, exist_ok=True)
        written = []
        for each in self.standings(sources):
            path = folder / f"{each.module.replace('/', '.')}.flags"
            if each.completion.is_complete:
                path.write_text(f"{each.completion}\n{each.attempts} dreams\n", encoding="utf-8")
                written.append(path)
            else:
                path.unlink(missing_ok=True)
        return written

    def _by_module(self) -> Mapping[str, list[RoiRow]]:
        found: dict[str, list[RoiRow]] = defaultdict(list)
        for each in self._rows:
            if "module" in each.groups:
                found[each.groups["module"]].append(each)
        return found


def remediation_hints(adjusted: RiskAdjusted) -> list[str]:
    """What would raise a worth that risk has lowered, largest loss first."""
    losses = {
        "split the change or let a module of less reach take it: a rollback here would hurt":
            adjusted.rollback_probability * adjusted.severity,
        "repeat the trial until it is steady: its repetitions differ":
            _lost(adjusted.stability),
        "mend the failing safety suites first": _lost(adjusted.safety),
    }  # fmt: skip
    hints = [hint for hint, loss in sorted(losses.items(), key=lambda each: -each[1]) if loss > 0.1]
    if adjusted.base < 0:
        hints.insert(0, "it costs more than it is worth: make it smaller")
    return hints


def _lost(factor: float | None) -> float:
    """What a factor takes off; nothing where it was not measured."""
    return 0.0 if factor is None else 1 - factor
