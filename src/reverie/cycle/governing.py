"""Governance in the cycle: which modules are done, what may be promoted, what is remembered.

A dream on the border gets a micro-pilot: its trial again, four times as long, with a fresh seed.
The impact of a change follows from who depends on whom, and from how much got through before.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from reverie.errors import StoreError
from reverie.gates.alignment.flagger import HumanAlignmentFlagger
from reverie.learning.deployment_governance import BorderlineBucket, PilotResult, Policy, evaluate
from reverie.learning.foresight_tracker import ForesightTracker
from reverie.learning.roi_tracker import ROITracker
from reverie.model.cycle import CycleRecord, Trial
from reverie.model.dream import Dream
from reverie.model.foresight import DeploymentVerdict, MicropilotMode
from reverie.model.repository.code import CodeIndex
from reverie.model.repository.quality import AlignmentVerdict
from reverie.model.ruling import Answer, Judgement, Ruling, Verdict
from reverie.model.settings.promotion import AlignmentSection
from reverie.model.worth import RoiRow
from reverie.scoring.synergy import WorkflowGraph, transmission
from reverie.stages.dreamer import Target
from reverie.stages.strain import degradation_of

TIMES = 4
_FRESH = 7919
"""Added to the seed of a dream, so that no pilot repeats the trial it is to check."""
_SAMPLES = 5.0

Prove = Callable[[Dream, int, int], Trial]
"""Tries a dream with a seed and so many times the usual repetitions."""


@dataclass(frozen=True, slots=True)
class Pilots:
    """What is done about dreams on the border, as the settings say."""

    bucket: BorderlineBucket
    prove: Prove
    runs: int
    """Repetitions of a trial."""
    raroi: float
    confidence: float

    def settle(self, dream: Dream, trial: Trial) -> Trial:
        """The trial, or that of a pilot which has proven the dream.

        A dream whose worth nobody could measure is not queued: there is nothing to compare.
        """
        worth = trial.score.get("raroi")
        is_on_the_border = trial.judgement.verdict is Verdict.BORDERLINE
        if self.bucket.mode is MicropilotMode.OFF or not is_on_the_border or worth is None:
            return trial
        self.bucket.enqueue(dream.id, worth, self._trust(self.runs), {"module": dream.module})
        return self.pilot(dream, trial)

    def pilot(self, dream: Dream, trial: Trial) -> Trial:
        """What becomes of a dream in the bucket: with `auto` it is tried again, at once."""
        if self.bucket.mode is not MicropilotMode.AUTO:
            return trial
        again = self.prove(dream, dream.seed + _FRESH, TIMES)
        decided = self.bucket.decide(dream.id, self._result(again), self.raroi, self.confidence)
        return again if decided == "promoted" else trial

    def _result(self, trial: Trial) -> PilotResult:
        """A pilot that still doubts shows no confidence."""
        worth = trial.score.get("raroi")
        if worth is None or trial.judgement.verdict is not Verdict.PROMOTE:
            return PilotResult(0.0 if worth is None else worth, 0.0)
        return PilotResult(worth, self._trust(TIMES * self.runs))

    def _trust(self, repetitions: int) -> float:
        return repetitions / (repetitions + _SAMPLES)


_FIGURES = ("roi", "raroi", "rollback_probability", "kept_probability", "confidence", "stability",
            "safety")  # fmt: skip
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
        known = {name: trial.score.get(name) for name in _FIGURES}
        return {
            **{name: value for name, value in known.items() if value is not None},
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
            for module, metrics in sorted(metrics_of(record).items()):
                tracker.record_cycle_metrics(module, metrics, compute_stability=True)
        if self.flags is not None:
            sources = {step.module: step.content_hash for step in record.steps}
            self.worths().write_flags(self.flags, sources)

    def _alignment(self, dream: Dream) -> str:
        if not self.alignment.enabled:
            return "pass"
        report = HumanAlignmentFlagger(self.alignment).flag(dream.change)
        return "fail" if report.verdict is AlignmentVerdict.FAILURE else "pass"


def metrics_of(record: CycleRecord) -> Mapping[str, dict[str, Any]]:
    """What a cycle did for each module in which something was tried: what passed is its gain."""
    found: dict[str, dict[str, Any]] = {}
    for each in record.dreams:
        if each.trial is None:
            continue
        score, passed = each.trial.score, each.trial.judgement.verdict is Verdict.PROMOTE
        metrics = found.setdefault(each.dream.module, {"stage": str(each.dream.kind.stage)})
        for name, source in (("roi_delta", "roi"), ("raroi_delta", "raroi")):
            worth = score.get(source)
            if not passed or worth is not None:
                metrics[name] = metrics.get(name, 0.0) + (worth if passed else 0.0)
        if score.get("entropy") is not None:
            metrics["entropy"] = score["entropy"]
        lost = degradation_of(record.header.baseline, each.dream.module)
        if lost is not None:
            metrics |= {"scenario_degradation": lost, "resilience": 1 - lost}
        for name in ("confidence", "stability"):
            if score.get(name) is not None:
                metrics[name] = score[name]
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


def impact_graph(index: CodeIndex, rows: Iterable[RoiRow]) -> WorkflowGraph:
    """The imports of an index, each with what the cycles that tried both ends have shown."""
    worths = worths_by_cycle(rows)
    graph = WorkflowGraph()
    for importer, imported in index.edges:
        one, other = worths.get(imported, {}), worths.get(importer, {})
        shared = [cycle for cycle in one if cycle in other]
        through = transmission([one[each] for each in shared], [other[each] for each in shared])
        graph.add_dependency(importer, imported, through)
    return graph


def worths_by_cycle(rows: Iterable[RoiRow]) -> Mapping[str, Mapping[str, float]]:
    """By module, the points of its tried dreams in each cycle, oldest first."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for row in rows:
        if row.points is not None and "module" in row.groups:
            cycles = found[row.groups["module"]]
            cycles[row.cycle_id] = cycles.get(row.cycle_id, 0.0) + row.points
    return found
