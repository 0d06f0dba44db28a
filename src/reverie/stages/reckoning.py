"""What a tried change is worth, with every factor: the score that a trial carries.

A factor that nobody measured is named in `unmeasured`; it is never taken to be one in silence.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from reverie.gates.alignment.flagger import HumanAlignmentFlagger
from reverie.gates.proof import Bar, rule_on_worth
from reverie.model.change import Change
from reverie.model.dream import Dream, DreamKind
from reverie.model.repository.quality import AlignmentVerdict
from reverie.model.ruling import Evidence, Judgement, Verdict
from reverie.model.settings.judgement import RoiSection
from reverie.model.settings.promotion import AlignmentSection
from reverie.model.worth import Past, Risk, RiskAdjusted, Roi
from reverie.sandbox.safety.check import check_source
from reverie.scoring.keep_probability import KeptChance, kept_chance
from reverie.scoring.roi import (
    FEW_DECISIONS,
    Terms,
    adjust_for_risk,
    amounts_of,
    confidence_in,
    roi_of,
    severity_of,
)
from reverie.scoring.trajectory import changed_entropy

PRIVATE_HEAT = 0.7
"""What a private function counts, beside a public one."""
_NEVER_RUN = ("hostile_input", "misuse")
"""Safety suites that trials of changes do not run."""

_PROOF = 1000.0
"""Inputs that a proof of equal steps counts for: as many as a search tries at the least."""


@dataclass(frozen=True, slots=True)
class Reckoning:
    """How changes of one repository are reckoned. Threads share it."""

    section: RoiSection
    past: Callable[[Dream], Past] = lambda dream: Past()
    """What became of the like of it."""
    weights: Mapping[str, float] = field(default_factory=dict)
    """Of the parts of ROI, as learned from outcomes."""
    heat: Callable[[str], float | None] = lambda path: None
    """How hot a file is beside the others, by git and by who imports it; None: nobody knows."""
    profile_share: Callable[[str, str], float | None] = lambda path, name: None
    """The share of the profile's time in a callable; None: it was not profiled."""
    alignment: AlignmentSection = field(default_factory=AlignmentSection)
    least: Mapping[DreamKind, float] = field(default_factory=dict)
    """What a change of a kind has to be worth at the least."""

    def score(self, dream: Dream, evidence: Evidence, reach: float) -> Mapping[str, Any]:
        """Worth, probability, risk and confidence; nothing where nothing was measured."""
        if not evidence.measures:
            return {}
        past = self.past(dream)
        evidence = self._with_profile(dream, evidence)
        chance = kept_chance(str(dream.kind), past.settled, evidence.get("tests.kept.mean"))
        roi = roi_of([evidence], self._terms(dream, chance))
        if roi.points is None:
            return {}
        failed = failed_suites(dream.change, self.alignment)
        laid_down = self.section.severity_of(edit.path for edit in dream.change.edits)
        risk = Risk(
            past.files.bad,
            past.files.kept,
            laid_down or severity_of(reach=reach),
            variation_of(evidence),
            len(failed),
        )
        return {
            **_worth(roi, chance),
            **_risk(adjust_for_risk(roi.points, risk), failed),
            "confidence": confidence_of(evidence, past),
            **_entropy(dream.change),
            **{f"benefit: {part.name}": part.points for part in roi.benefit},
            **{f"cost: {part.name}": part.points for part in roi.cost},
        }

    def ruled(self, dream: Dream, judgement: Judgement, score: Mapping[str, Any]) -> Judgement:
        """A judgement with what its worth says about it; what is refused anyway stays as it is."""
        if judgement.verdict is Verdict.REJECT:
            return judgement
        bar = Bar(self.section.confidence, self.least.get(dream.kind))
        found = rule_on_worth(score, bar)
        owed = [] if judgement.needs else found.needs
        return Judgement((*judgement.rulings, *found.rulings), (*judgement.needs, *owed))

    def _terms(self, dream: Dream, chance: KeptChance) -> Terms:
        return Terms(
            self.section,
            dream.change.lines_changed,
            self._heat_of,
            chance.probability,
            self.weights,
        )

    def _heat_of(self, place: str) -> float:
        path, _, name = place.partition(":")
        is_private = name.rpartition(".")[2].startswith("_") and not name.endswith("__")
        return (self.heat(path) or 1.0) * (PRIVATE_HEAT if is_private else 1.0)

    def _with_profile(self, dream: Dream, evidence: Evidence) -> Evidence:
        """With the share of the profile that is saved: no trial knows it, the survey does."""
        saved = [
            share * (1 - 1 / ratio)
            for name, ratio in amounts_of(evidence.details.get("speed.ratios", ())).items()
            for edit in dream.change.edits
            if ratio > 0 and (share := self.profile_share(edit.path, name)) is not None
        ]
        if not saved:
            return evidence
        measures = {**evidence.measures, "speed.profile_share": sum(saved)}
        return Evidence(measures, evidence.seed, evidence.isolation, evidence.command,
                        details=evidence.details)  # fmt: skip


def variation_of(evidence: Evidence) -> float | None:
    """Coefficient of variation of what was repeated; None: nothing was.

    Runs of tests pass or do not: the variation of a share of passes.
    """
    timed = evidence.get("speed.variation")
    if timed is not None:
        return timed
    runs, passed = evidence.get("tests.runs"), evidence.get("tests.passed_runs")
    if not runs or passed is None or runs < 2:
        return None
    share = passed / runs
    return ((1 - share) / share) ** 0.5 if share > 0 else 10.0


def repetitions_of(evidence: Evidence) -> float:
    """How often what its worth rests on was measured: runs of new tests; pairs, inputs, tests."""
    runs = evidence.get("tests.runs")
    if runs is not None:
        return runs
    names = ("speed.pairs", "equivalence.inputs", "suite.tests")
    proven, callables = evidence.get("equivalence.proven"), evidence.get("equivalence.callables")
    by_proof = _PROOF if proven and proven == callables else 0.0
    return max(by_proof, *(evidence.get(name) or 0.0 for name in names))


def confidence_of(evidence: Evidence, past: Past) -> float:
    """How far the worth can be trusted, from 0 to 1."""
    known = [each for each in past.settled if each.predicted is not None and each.real is not None]
    predicted = [each.predicted or 0.0 for each in known]
    real = [each.real or 0.0 for each in known]
    return confidence_in(predicted, real, repetitions_of(evidence), patience=FEW_DECISIONS)


def failed_suites(change: Change, alignment: AlignmentSection) -> tuple[str, ...]:
    """Which of the safety suites that were run on a change fail: alignment, and the rules."""
    failed = []
    if alignment.enabled:
        report = HumanAlignmentFlagger(alignment).flag(change)
        if report.verdict is AlignmentVerdict.FAILURE:
            failed.append("alignment")
    if any(_breaks_rules(edit.before, edit.after) for edit in change.edits
           if edit.path.endswith(".py")):  # fmt: skip
        failed.append("security")
    return tuple(failed)


def _breaks_rules(before: str | None, after: str | None) -> bool:
    """Whether code fails the safety rules now and did not before."""
    if after is None or check_source(after).passed:
        return False
    return before is None or check_source(before).passed


def _worth(roi: Roi, chance: KeptChance) -> dict[str, Any]:
    return {
        "roi": roi.points,
        "value": roi.value,
        "cost": roi.cost_points,
        "roi_ratio": roi.ratio,
        "kept_probability": chance.probability,
        "kept_decisions": chance.decisions,
        "quantities": {part.name: part.quantity for part in (*roi.benefit, *roi.cost)},
    }


def _risk(adjusted: RiskAdjusted, failed: tuple[str, ...]) -> dict[str, Any]:
    unmeasured = [f"safety: {name}" for name in _NEVER_RUN]
    if adjusted.stability is None:
        unmeasured.insert(0, "stability")
    return {
        "raroi": adjusted.points,
        "rollback_probability": adjusted.rollback_probability,
        "severity": adjusted.severity,
        "stability": adjusted.stability,
        "safety": adjusted.safety,
        "failed_suites": list(failed),
        "unmeasured": unmeasured,
    }


def _entropy(change: Change) -> dict[str, float]:
    """Over the kinds of syntax that a change adds or removes, in bits; nothing where none does."""
    edits = [edit for edit in change.edits if edit.path.endswith(".py")]
    before = "\n".join(edit.before or "" for edit in edits)
    found = changed_entropy(before, "\n".join(edit.after or "" for edit in edits))
    return {} if found is None else {"entropy": found}
