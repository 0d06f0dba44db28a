"""One decision from alignment, foresight, the owner's rules and people's word."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from reverie.gates.governance.rules import Rule, apply_rules
from reverie.model.governance import Decision, DeploymentVerdict, Override, ReasonCode

NEAR = 0.05
"""How far below the bar a projected worth may lie and still be on the border."""
LEAST_OWN = 5
"""Cycles below which a projection is borrowed from others."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be decided on."""

    subject: str
    alignment: str
    """`pass`, or what it says instead."""
    scorecard: Mapping[str, Any]
    reasons: tuple[ReasonCode, ...]
    """Of the foresight gate."""
    lowest_projected: float | None
    roi_threshold: float
    has_bucket: bool
    cycles: int | None = None
    """Of history, where the change was proven by itself and needs none; None: history counts."""


def decide_deployment(
    question: Question,
    rules: Sequence[Rule] = (),
    overrides: Sequence[Override] = (),
    now: datetime | None = None,
) -> Decision:
    """The worst of all verdicts. A person can override any but a failed alignment."""
    if question.alignment != "pass":
        return Decision(DeploymentVerdict.DEMOTE, ("alignment_not_passed",), question.scorecard)
    verdict = _by_foresight(question)
    known = {**question.scorecard, "alignment": question.alignment}
    applied = apply_rules(rules, known)
    worst = max(verdict, applied.verdict, key=lambda each: each.severity)
    aside = _beside_the_point(question.cycles)
    counted = [str(each) for each in question.reasons if each not in aside]
    noted = [str(each) for each in question.reasons if each in aside]
    reasons = (*counted, *applied.reasons, *noted)
    return _overridden(Decision(worst, reasons, known), question.subject, overrides, now)


def _by_foresight(question: Question) -> DeploymentVerdict:
    reasons = set(question.reasons) - _beside_the_point(question.cycles)
    if not reasons:
        return DeploymentVerdict.PROMOTE
    if ReasonCode.UNKNOWN in reasons:
        return DeploymentVerdict.HOLD
    if reasons <= {ReasonCode.LOW_CONFIDENCE, ReasonCode.PROJECTED_ROI} and _is_near(question):
        return DeploymentVerdict.BORDERLINE if question.has_bucket else DeploymentVerdict.PILOT
    return DeploymentVerdict.DEMOTE


def _beside_the_point(cycles: int | None) -> frozenset[ReasonCode]:
    """What history cannot say against a change that was proven by itself.

    Not that little is known of it; nor, while it is short, what is borrowed from others.
    """
    if cycles is None:
        return frozenset()
    borrowed = {ReasonCode.PROJECTED_ROI} if cycles < LEAST_OWN else set()
    return frozenset({ReasonCode.LOW_CONFIDENCE, *borrowed})


def _is_near(question: Question) -> bool:
    if ReasonCode.PROJECTED_ROI not in question.reasons:
        return True
    lowest = question.lowest_projected
    if lowest is None or not math.isfinite(lowest):
        return False
    return lowest >= question.roi_threshold - NEAR


def _overridden(
    decision: Decision, subject: str, overrides: Sequence[Override], now: datetime | None
) -> Decision:
    """The last word that is about this subject and has not expired. Without a clock, none."""
    in_force = [
        each
        for each in overrides
        if now is not None and each.subject == subject and each.expires_at > now
    ]
    if not in_force:
        return decision
    last = in_force[-1]
    return replace(decision, verdict=last.verdict, overridden_by=last.name)
