"""A promotion that was decided, and whether it survived: what weights are learned from."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Weights = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One promotion."""

    parts: Mapping[str, float]
    """Minutes of each part of its ROI before any weight; what costs is negative."""
    survived: bool
    """Approved, not rolled back, and no later failure in its files."""


@dataclass(frozen=True, slots=True)
class Table:
    """Outcomes as rows of figures on one scale, so that no part is loud by its unit."""

    names: tuple[str, ...]
    scales: tuple[float, ...]
    rows: tuple[tuple[float, ...], ...]
    survived: tuple[bool, ...]


def table_of(outcomes: Sequence[Outcome]) -> Table:
    """Every part as a column, in units of its own spread."""
    names = tuple(sorted({name for each in outcomes for name in each.parts}))
    columns = [[each.parts.get(name, 0.0) for each in outcomes] for name in names]
    scales = tuple(_scale(column) for column in columns)
    rows = tuple(
        tuple(each.parts.get(name, 0.0) / scale for name, scale in zip(names, scales, strict=True))
        for each in outcomes
    )
    return Table(names, scales, rows, tuple(each.survived for each in outcomes))


def worth(parts: Mapping[str, float], weights: Weights) -> float:
    """Minutes under some weights; a part without a weight counts as it is."""
    return sum(minutes * weights.get(name, 1.0) for name, minutes in parts.items())


def _scale(column: Sequence[float]) -> float:
    mean = sum(column) / len(column)
    spread = math.sqrt(sum((each - mean) ** 2 for each in column) / len(column))
    return spread or max((abs(each) for each in column), default=1.0) or 1.0
