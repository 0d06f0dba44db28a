"""The text that Prometheus reads (version 0.0.4 of its format)."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from reverie.model.observation import Observation

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
LABEL_CHARACTERS = 200
"""A longer name is cut: what is watched may have named itself."""
_ESCAPES = str.maketrans({"\\": "\\\\", "\n": "\\n", '"': '\\"'})


@dataclass(frozen=True, slots=True)
class Histogram:
    """Durations of one set of labels: how many were at most each bound, and their sum."""

    labels: Mapping[str, str]
    bounds: tuple[float, ...]
    counts: tuple[int, ...]
    """Per bound, not yet added up; the last is for what is beyond every bound."""
    total: float


@dataclass(frozen=True, slots=True)
class Family:
    """All samples of one metric."""

    name: str
    kind: str
    help: str
    samples: tuple[Observation, ...] = ()
    histograms: tuple[Histogram, ...] = ()


def exposition(families: Iterable[Family]) -> str:
    """The families as text; those without a sample are left out."""
    return "".join(f"{line}\n" for family in families for line in _lines(family))


def _lines(family: Family) -> list[str]:
    lines = [_sample(family.name, each.labels, each.value) for each in family.samples]
    for histogram in family.histograms:
        lines.extend(_buckets(family.name, histogram))
    if not lines:
        return []
    told = family.help.replace("\\", "\\\\").replace("\n", "\\n")
    return [f"# HELP {family.name} {told}", f"# TYPE {family.name} {family.kind}", *lines]


def _buckets(name: str, histogram: Histogram) -> list[str]:
    lines, below = [], 0
    bounds = (*histogram.bounds, math.inf)
    for bound, count in zip(bounds, histogram.counts, strict=True):
        below += count
        labels = {**histogram.labels, "le": _number(bound)}
        lines.append(_sample(f"{name}_bucket", labels, below))
    lines.append(_sample(f"{name}_sum", histogram.labels, histogram.total))
    lines.append(_sample(f"{name}_count", histogram.labels, below))
    return lines


def _sample(name: str, labels: Mapping[str, str], value: float) -> str:
    shown = ",".join(f'{key}="{_label(text)}"' for key, text in labels.items())
    return f"{name}{{{shown}}} {_number(value)}" if shown else f"{name} {_number(value)}"


def _label(text: str) -> str:
    cut = text if len(text) <= LABEL_CHARACTERS else text[: LABEL_CHARACTERS - 1] + "…"
    return cut.encode("utf-8", "replace").decode().translate(_ESCAPES)


def _number(value: float) -> str:
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    if math.isnan(value):
        return "NaN"
    return str(int(value)) if value == int(value) and abs(value) < 2**53 else repr(float(value))
