"""Governance in the cycle: which modules are done, what may be promoted, what is remembered."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from reverie.cycle.pilots import Pilots
from reverie.errors import StoreError
from reverie.gates.alignment.flagger import HumanAlignmentFlagger
from reverie.learning.foresight.tracker import ForesightTracker
from reverie.learning.governance.deployment_governance import Policy, evaluate
from reverie.learning.roi_tracker import ROITracker
from reverie.model.alignment import AlignmentVerdict
from reverie.model.alignment_section import AlignmentSection
from reverie.model.cycle import CycleRecord, Trial
from reverie.model.dream import Dream
from reverie.model.governance import DeploymentVerdict
from reverie.model.ruling import Answer, Judgement, Ruling, Verdict
from reverie.scoring.impact import WorkflowGraph
from reverie.stages.dreamer import Target

GATE = "governance"
_TO_PILOT = (DeploymentVerdict.PILOT, DeploymentVerdict.BORDERLINE)


@dataclass(frozen=True, slots=True)
class Governor:
    """What was known when the cycle began, and what an owner has laid down. Threads share it.

    History is read once: which step is done first does not change what is decided.
    """

    worths: Callable[[], ROITracker]
    """What every tried dream was worth, as the journal has it by now."""
    tracker: ForesightTracker
    graph: WorkflowGraph
    policy: Policy
    alignment: AlignmentSection
    pilots: Pilots | None = None
    recording: Callable[[CycleRecord], ForesightTracker | None] = lambda record: None
    """What takes the figures of a cycle; None where they are recorded already."""
    flags: Path | None = None
    """Folder of the files that name complete modules."""

    def complete(self, targets: Iterable[Target]) -> Mapping[str, str]:
        """The modules that are worth no more dreams as their source is now, with the reason."""
        sources = {each.module: each.content_hash for each in targets}
        return {
            each.module: str(each.completion)
            for each in self.worths().standings(sources)
            if each.module in sources and each.completion.is_complete
        }

    def rule(self, dream: Dream, trial: Trial) -> Trial:
        """A trial that passed, or the same with what speaks against promoting it.

        A dream on the border goes to its pilot; whatever goes wrong here is a hold.
        """
        if trial.judgement.verdict is not Verdict.PROMOTE:
            return trial
        try:
            decision = self.decide(dream, trial)
            verdict = DeploymentVerdict(decision["verdict"])
            if verdict is DeploymentVerdict.PROMOTE:
                return trial
            held = _held(trial, verdict, decision["reason_codes"])
            if self.pilots is None or verdict not in _TO_PILOT:
                return held
            return self.pilots.pilot(dream, held)
        except StoreError:
            raise  # without a journal there is nothing to go on with
        except Exception as error:  # noqa: BLE001 - fail closed: what cannot be decided is held
            reason = f"unknown: {type(error).__name__}"
            return _held(trial, DeploymentVerdict.HOLD, [reason])

    def decide(self, dream: Dream, trial: Trial) -> Mapping[str, Any]:
        """The decision on a dream, logged."""
        return evaluate(
            {"alignment": {"status": self._alignment(dream)}},
            self.scorecard(dream, trial),
            patch=dream.change.paths,
            foresight_tracker=self.tracker,
            workflow_id=dream.module,
            workflow_graph=self.graph,
            borderline_bucket=None if self.pilots is None else self.pilots.bucket,
            policy=self.policy,
            candidate=dream.id,
        )

    def scorecard(self, dream: Dream, trial: Trial) -> dict[str, Any]:
        """What rules can ask about; what nobody measured is not there."""
        known = {name: trial.score.get(name) for name in ("roi", "raroi", "rollback_probability")}
        return {
            **{name: value for name, value in known.items() if value is not None},
            "confidence": self.worths().confidence(dream.dreamer, str(dream.kind)),
            "kind": str(dream.kind),
            "dreamer": dream.dreamer,
            "module": dream.module,
            "lines": dream.change.lines_changed,
            "files": len(dream.change.edits),
        }

    def remember(self, record: CycleRecord) -> None:
        """Record the figures of each module that was tried, and name those that are complete."""
        tracker = self.recording(record)
        if tracker is not None:
            worths = self.worths()
            for module, metrics in sorted(metrics_of(record, worths).items()):
                tracker.record_cycle_metrics(module, metrics, compute_stability=True)
        if self.flags is not None:
            sources = {step.module: step.content_hash for step in record.steps}
            self.worths().write_flags(self.flags, sources)

    def _alignment(self, dream: Dream) -> str:
        if not self.alignment.enabled:
            return "pass"
        report = HumanAlignmentFlagger(self.alignment).flag(dream.change)
        return "fail" if report.verdict is AlignmentVerdict.FAILURE else "pass"


def metrics_of(record: CycleRecord, worths: ROITracker) -> Mapping[str, dict[str, Any]]:
    """What a cycle did for each module in which something was tried: what passed is its gain."""
    found: dict[str, dict[str, Any]] = {}
    for each in record.dreams:
        if each.trial is None:
            continue
        score, passed = each.trial.score, each.trial.judgement.verdict is Verdict.PROMOTE
        metrics = found.setdefault(each.dream.module, {"stage": str(record.header.wishes.stage)})
        for name, source in (("roi_delta", "roi"), ("raroi_delta", "raroi")):
            worth = score.get(source)
            if not passed or worth is not None:
                metrics[name] = metrics.get(name, 0.0) + (worth if passed else 0.0)
        if score.get("entropy") is not None:
            metrics["entropy"] = score["entropy"]
        metrics["confidence"] = worths.confidence(each.dream.dreamer, str(each.dream.kind))
    return found


def is_held(trial: Trial) -> bool:
    """Whether governance has spoken against a trial."""
    return any(ruling.gate == GATE for ruling in trial.judgement.rulings)


def without_governance(trial: Trial) -> Trial:
    """The trial as its evidence alone was ruled on."""
    rulings = tuple(each for each in trial.judgement.rulings if each.gate != GATE)
    return replace(trial, judgement=Judgement(rulings, trial.judgement.needs))


def _held(trial: Trial, verdict: DeploymentVerdict, reasons: Iterable[str]) -> Trial:
    told = [str(each) for each in reasons] or [str(verdict)]
    answer = Answer.FAIL if verdict is DeploymentVerdict.DEMOTE else Answer.HOLD
    ruling = Ruling(GATE, answer, _code(told[0]), f"{verdict}: {', '.join(told)}", str(verdict))
    judgement = Judgement((*trial.judgement.rulings, ruling), trial.judgement.needs)
    return replace(trial, judgement=judgement)


def _code(reason: str) -> str:
    """A reason as a code: one word, as gates have them."""
    return "_".join(reason.partition(":")[0].split())[:60] or "unknown"
