"""ROI of a dream in minutes, from what its trial measured and the rates in force."""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from reverie.model.evidence import Evidence
from reverie.model.judgement_sections import RoiSection
from reverie.model.roi import Roi, RoiPart

Weights = Mapping[str, float]
_EVEN: Weights = MappingProxyType({})


def roi_of(
    evidence: Iterable[Evidence],
    section: RoiSection,
    *,
    lines_changed: int,
    lines_added_outside_tests: int = 0,
    weights: Weights = _EVEN,
) -> Roi:
    """The parts of a dream's ROI. Evidence of several trials adds up, in whatever order."""
    measures: dict[str, float] = {}
    for each in sorted(evidence, key=lambda one: sorted(one.measures.items())):
        for name, value in each.measures.items():
            measures[name] = measures.get(name, 0.0) + value
    return roi_from(
        measures,
        section,
        lines_changed=lines_changed,
        lines_added_outside_tests=lines_added_outside_tests,
        weights=weights,
    )


def roi_from(
    measures: Mapping[str, float],
    section: RoiSection,
    *,
    lines_changed: int,
    lines_added_outside_tests: int = 0,
    weights: Weights = _EVEN,
) -> Roi:
    """The parts of an ROI from figures, measured or expected."""
    benefit = tuple(_weighted(_benefits(measures, section), weights))
    cost = tuple(
        _weighted(_costs(measures, section, lines_changed, lines_added_outside_tests), weights)
    )
    return Roi(benefit, cost)


def _weighted(parts: Iterable[RoiPart], weights: Weights) -> Iterator[RoiPart]:
    for part in parts:
        yield RoiPart(part.name, part.quantity, part.minutes_each, weights.get(part.name, 1.0))


def _benefits(measures: Mapping[str, float], section: RoiSection) -> Iterator[RoiPart]:
    rates = {
        "mutants.newly_killed": section.killed_mutant,
        "coverage.new_branches": section.covered_branch,
        "suite.mended": section.mended_test,
        "complexity.removed": section.removed_complexity,
        "findings.removed": section.removed_finding,
        "orphans.integrated": section.integrated_orphan,
    }
    for name, rate in rates.items():
        if name in measures:
            yield RoiPart(name, measures[name], rate)
    saved, runs = measures.get("speed.seconds_saved"), measures.get("speed.runs_per_week")
    if saved is not None and runs is not None:
        minutes = saved * runs / 60 * section.weeks
        yield RoiPart("speed.minutes_saved", minutes, section.saved_minute)


def _costs(
    measures: Mapping[str, float], section: RoiSection, changed: int, added: int
) -> Iterator[RoiPart]:
    if "compute.minutes" in measures:
        yield RoiPart("compute.minutes", measures["compute.minutes"], section.compute_minute)
    review = max(changed * section.reviewed_line, section.least_review)
    yield RoiPart("review.minutes", review, 1.0)
    if "tests.rework" in measures:
        yield RoiPart("tests.rework", measures["tests.rework"], section.reworked_test)
    if "complexity.added" in measures:
        yield RoiPart("complexity.added", measures["complexity.added"], section.added_complexity)
    if added:
        yield RoiPart("lines.added", added, section.added_line)
