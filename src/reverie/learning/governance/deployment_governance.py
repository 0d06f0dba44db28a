"""`deployment_governance.evaluate`: one decision on a workflow, a module or a dream."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from reverie.gates.governance.deployment import Question, decide_deployment
from reverie.gates.governance.rules import Rule
from reverie.learning.foresight.tracker import ForesightTracker
from reverie.learning.governance.borderline_bucket import BorderlineBucket
from reverie.learning.governance.foresight_gate import Safety, is_foresight_safe_to_promote
from reverie.model.codec import pick, plain
from reverie.model.governance import Decision, DeploymentVerdict, MicropilotMode, Override
from reverie.scoring.impact import WorkflowGraph

Log = Callable[[str, Mapping[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Policy:
    """What an owner has laid down: rules, and words of people whose signature was checked."""

    rules: Sequence[Rule] = ()
    overrides: Sequence[Override] = ()
    roi_threshold: float = 0.0
    needs_history: bool = True
    """Whether little confidence in a history speaks against what was proven by itself."""
    log: Log | None = None
    """Takes every decision: the decision log."""
    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))


def evaluate(
    vetting: Mapping[str, Any],
    scorecard: Mapping[str, Any],
    *,
    patch: Sequence[str],
    foresight_tracker: ForesightTracker,
    workflow_id: str,
    workflow_graph: WorkflowGraph | None = None,
    borderline_bucket: BorderlineBucket | None = None,
    policy: Policy | None = None,
    candidate: str | None = None,
) -> dict[str, Any]:
    """`verdict`, `reason_codes`, `figures` and `overridden_by`. Whatever goes wrong is a hold.

    `candidate`: what is decided on and queued, where that is a change of the workflow or module.
    """
    subject = candidate or workflow_id
    law = policy or Policy()
    bucket = borderline_bucket
    if bucket is not None and bucket.mode is MicropilotMode.OFF:
        bucket = None
    try:
        safety = is_foresight_safe_to_promote(
            workflow_id, patch, foresight_tracker, workflow_graph, law.roi_threshold
        )
        question = _question(vetting, scorecard, subject, safety, law, bucket is not None)
        decision = decide_deployment(question, law.rules, law.overrides, law.now())
        if bucket is not None and decision.verdict is DeploymentVerdict.BORDERLINE:
            raroi, confidence = float(scorecard["raroi"]), float(scorecard["confidence"])
            bucket.enqueue(subject, raroi, confidence, {"patch": list(patch)})
    except Exception as error:  # noqa: BLE001 - fail closed: what cannot be decided is held
        decision = Decision(DeploymentVerdict.HOLD, (f"unknown: {type(error).__name__}",))
    told = pick(decision)
    if law.log is not None:
        law.log(subject, told)
    return told


def _question(
    vetting: Mapping[str, Any],
    scorecard: Mapping[str, Any],
    subject: str,
    safety: Safety,
    law: Policy,
    has_bucket: bool,
) -> Question:
    projected = [] if safety.forecast is None else [each.roi for each in safety.forecast.cycles]
    figures = dict(scorecard)
    if safety.forecast is not None:
        figures["forecast"] = {"confidence": safety.forecast.confidence, "n": safety.forecast.n}
    if safety.collapse is not None:
        figures["collapse"] = plain(safety.collapse)
    return Question(
        subject=subject,
        alignment=str(vetting["alignment"]["status"]),
        scorecard=figures,
        reasons=safety.reason_codes,
        lowest_projected=min(projected, default=None),
        roi_threshold=law.roi_threshold,
        has_bucket=has_bucket,
        cycles=None if law.needs_history else _cycles(safety),
    )


def _cycles(safety: Safety) -> int:
    return 0 if safety.forecast is None else safety.forecast.n
