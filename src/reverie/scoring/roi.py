"""ROI of a dream in minutes, from what its trial measured and the rates in force; and after risk.

Risk makes a gain smaller and a loss larger, never the other way round. Also: whether another
attempt is worth it, and how likely a dream works when nobody evaluates it.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from reverie.model.ruling import Evidence
from reverie.model.settings.judgement import RoiSection
from reverie.model.worth import Risk, RiskAdjusted, Roi, RoiPart, Severity

Weights = Mapping[str, float]
_EVEN: Weights = MappingProxyType({})
Amounts = Mapping[str, float]
"""By place."""
_NO_PLACES: Mapping[str, Amounts] = MappingProxyType({})
_BY_PLACE = ("conditions.protected", "clarity.gained")
"""Measures whose names behind them are places with amounts."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What an ROI is reckoned with, besides what was measured."""

    section: RoiSection
    lines_changed: int
    heat: Callable[[str], float] = lambda place: 1.0
    """How hot the code of a place is; 1: as usual."""
    kept_probability: float = 1.0
    weights: Weights = field(default_factory=lambda: _EVEN)


def roi_of(evidence: Iterable[Evidence], terms: Terms) -> Roi:
    """The parts of a change's ROI. Evidence of several trials adds up, in whatever order."""
    measures: dict[str, float] = {}
    places: dict[str, dict[str, float]] = {}
    for each in sorted(evidence, key=lambda one: sorted(one.measures.items())):
        for name, value in each.measures.items():
            measures[name] = measures.get(name, 0.0) + value
        for name in _BY_PLACE:
            for place, amount in amounts_of(each.details.get(name, ())).items():
                known = places.setdefault(name, {})
                known[place] = known.get(place, 0.0) + amount
    return roi_from(measures, terms, places)


def roi_from(
    measures: Mapping[str, float],
    terms: Terms,
    places: Mapping[str, Amounts] = _NO_PLACES,
) -> Roi:
    """The parts of an ROI from figures, measured or expected."""
    benefit = tuple(_weighted(_benefits(measures, terms, places), terms.weights))
    cost = tuple(_weighted(_costs(measures, terms), terms.weights))
    return Roi(benefit, cost, terms.kept_probability)


def told_amounts(amounts: Amounts) -> tuple[str, ...]:
    """Amounts by place as names behind a measure, the largest first."""
    ordered = sorted(amounts.items(), key=lambda each: (-each[1], each[0]))
    return tuple(f"{place}={amount:g}" for place, amount in ordered)


def amounts_of(names: Sequence[str]) -> Amounts:
    """The same read back; what is no amount is left out."""
    found = {}
    for each in names:
        place, _, amount = each.rpartition("=")
        try:
            found[place] = float(amount)
        except ValueError:
            continue
    return {place: amount for place, amount in found.items() if math.isfinite(amount)}


def diminished(amount: float) -> float:
    """The k-th unit in one place counts 1/√k; a part of a unit counts its part."""
    if amount <= 0:
        return amount
    whole = math.floor(amount)
    counted = sum(1 / math.sqrt(k) for k in range(1, whole + 1))
    return counted + (amount - whole) / math.sqrt(whole + 1)


def _weighted(parts: Iterable[RoiPart], weights: Weights) -> Iterator[RoiPart]:
    for each in parts:
        weight = weights.get(each.name, 1.0)
        yield RoiPart(each.name, each.quantity, each.points_each, weight, each.counted)


def _benefits(
    measures: Mapping[str, float], terms: Terms, places: Mapping[str, Amounts]
) -> Iterator[RoiPart]:
    section = terms.section
    for name, rate in {
        "conditions.protected": section.condition,
        "clarity.gained": section.clarity,
    }.items():
        if name in measures:
            yield RoiPart(
                name, measures[name], rate, counted=_counted(name, measures, terms, places)
            )
    for name, rate in {
        "lint.mended": section.clarity,
        "speed.doublings": section.doubling,
        "speed.profile_share": section.profile_share,
        "speed.growth_classes": section.growth_class,
        "suite.mended": section.mended_test,
        "findings.removed": section.mended_finding,
        "orphans.integrated": section.integrated_orphan,
    }.items():
        if name in measures:
            yield RoiPart(name, measures[name], rate)


def _counted(
    name: str, measures: Mapping[str, float], terms: Terms, places: Mapping[str, Amounts]
) -> float:
    """Place by place; where nobody told the places, all of it is one."""
    told = places.get(name) or {"": measures[name]}
    return sum(diminished(amount) * terms.heat(place) for place, amount in told.items())


def _costs(measures: Mapping[str, float], terms: Terms) -> Iterator[RoiPart]:
    section = terms.section
    least = section.least_review / section.reviewed_line if section.reviewed_line else 0.0
    lines = float(terms.lines_changed)
    yield RoiPart("review.lines", lines, section.reviewed_line, counted=max(lines, least))
    if "tests.rework" in measures:
        yield RoiPart("tests.rework", measures["tests.rework"], section.reworked_test)
    if measures.get("complexity.added"):
        yield RoiPart("complexity.added", measures["complexity.added"], section.added_complexity)


_PRIOR_BAD, _PRIOR_ALL = 1.0, 10.0
_WORST_TIMES = 10.0
_STANDARD_REACH, _CRITICAL_REACH = 0.05, 0.3
_SAMPLES = 5.0
FEW_DECISIONS = 3.0
"""Patience with people who have just begun to decide: one or two decisions say little."""


def adjust_for_risk(base: float, risk: Risk) -> RiskAdjusted:
    """RAROI with its factors; one that nobody measured takes nothing off, and is shown as such."""
    probability = rollback_probability(risk.rolled_back, risk.kept)
    severity = risk.severity.weight
    variation, failed = risk.variation, risk.failed_suites
    stability = None if variation is None else 1.0 / (1.0 + max(0.0, variation))
    safety = None if failed is None else 0.5 ** max(0, failed)
    harm = probability * severity
    steadiness = (1.0 if stability is None else stability) * (1.0 if safety is None else safety)
    if base >= 0:
        points = base * (1.0 - harm) * steadiness
    else:
        points = base * min((1.0 + harm) / steadiness, _WORST_TIMES)
    return RiskAdjusted(points, base, probability, severity, stability, safety)


def rollback_probability(rolled_back: int, kept: int) -> float:
    """Posterior mean of a rollback, from a prior of one in ten."""
    return (_PRIOR_BAD + rolled_back) / (_PRIOR_ALL + rolled_back + kept)


def severity_of(reach: float, *, is_experimental: bool = False) -> Severity:
    """From the share of modules that import a module, directly or not."""
    if is_experimental:
        return Severity.EXPERIMENTAL
    if reach >= _CRITICAL_REACH:
        return Severity.CRITICAL
    return Severity.STANDARD if reach >= _STANDARD_REACH else Severity.LOW


def confidence_in(
    predicted: Sequence[float],
    real: Sequence[float],
    repetitions: float = 0.0,
    patience: float = 0.0,
) -> float:
    """How far an ROI can be trusted, from 0 to 1.

    n / (n + 5), n being the repetitions of the trial and the decisions of people on the like,
    lowered by the mean absolute error of the latter as a share of their spread. The error of k
    decisions counts k / (k + patience).
    """
    pairs = list(zip(predicted, real, strict=True))
    n = len(pairs) + max(0.0, repetitions)
    trust = n / (n + _SAMPLES)
    if not pairs:
        return trust
    error = sum(abs(guess - truth) for guess, truth in pairs) / len(pairs)
    spread = max(real) - min(real)
    share = 0.0 if error == 0 else (error / spread if spread > 0 else 1.0)
    return trust / (1.0 + share * len(pairs) / (len(pairs) + patience))


_MEMORY = 0.5
"""Weight of the latest gain in the moving average."""


@dataclass(frozen=True, slots=True)
class Gate:
    """The answer of the gate, with what it rests on."""

    is_stable: bool
    ema: float | None
    below: int
    """How often in a row the average stayed at the threshold or below, up to now."""


def moving_averages(gains: Sequence[float]) -> list[float]:
    """The exponential moving average after each gain."""
    averages: list[float] = []
    for gain in gains:
        averages.append(gain if not averages else averages[-1] + _MEMORY * (gain - averages[-1]))
    return averages


def gate_by_gains(gains: Sequence[float], threshold: float, consecutive: int) -> Gate:
    """Stable when the moving average failed to exceed the threshold so many times in a row."""
    averages = moving_averages(gains)
    below = 0
    for average in averages:
        below = below + 1 if average <= threshold else 0
    return Gate(below >= consecutive, averages[-1] if averages else None, below)


_PER_FINDING = 0.5
_MOST_FOR_SIZE = 0.2


def viability(passed: int, looked_at: int, findings: int, growth: float) -> float:
    """In [0, 1]: the posterior mean with a Beta(1, 1) prior, halved by every static finding.

    `growth` is what the procedure gained in syntax as a share of its base; it costs at most a
    fifth.
    """
    mean = (passed + 1) / (looked_at + 2)
    size = 1 - _MOST_FOR_SIZE * min(1.0, max(0.0, growth))
    return float(mean * _PER_FINDING**findings * size)
