"""The foresight gate: four conditions on the cycles to come."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reverie.model.foresight import CollapseRisk, RiskLabel
from reverie.model.governance import ReasonCode

LEAST_CONFIDENCE = 0.6


@dataclass(frozen=True, slots=True)
class Outlook:
    """What is laid before the gate."""

    projected: Sequence[float]
    """Worth of each cycle to come; empty: there is no forecast."""
    confidence: float
    collapse: CollapseRisk
    impact: Mapping[str, float | None]
    """What each dependent workflow or module gains or loses; None: nobody measured."""


def unsafe_reasons(outlook: Outlook, roi_threshold: float = 0.0) -> tuple[ReasonCode, ...]:
    """Why promoting is not safe; nothing when it is. What is no number is `unknown`."""
    figures = [outlook.confidence, roi_threshold, *outlook.projected]
    figures += [each for each in outlook.impact.values() if each is not None]
    found = []
    if not all(math.isfinite(each) for each in figures):
        found.append(ReasonCode.UNKNOWN)
    if any(each < roi_threshold for each in outlook.projected):
        found.append(ReasonCode.PROJECTED_ROI)
    if not outlook.confidence >= LEAST_CONFIDENCE:
        found.append(ReasonCode.LOW_CONFIDENCE)
    if _is_collapsing(outlook.collapse, len(outlook.projected)):
        found.append(ReasonCode.COLLAPSE)
    if any(each is not None and each < 0 for each in outlook.impact.values()):
        found.append(ReasonCode.IMPACT)
    if not outlook.projected and not found:
        found.append(ReasonCode.UNKNOWN)
    return tuple(found)


def _is_collapsing(risk: CollapseRisk, horizon: int) -> bool:
    is_soon = risk.collapse_in is not None and risk.collapse_in <= horizon
    return risk.brittle or risk.risk is RiskLabel.IMMEDIATE or is_soon
